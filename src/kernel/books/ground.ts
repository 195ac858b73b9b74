/** What the books are kept on. */
import type { Config } from '../../config/schema.ts';
import type { Emit } from '../../domain/event.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Documents } from '../documents/documents.ts';

export interface BooksGround {
  documents: Documents;
  config: Config;
  /** Told of marks that were passed; absent: nobody is. */
  emit?: Emit;
  /** What sessions reported is on the disk here before the books say what it comes to. */
  journal?: Pick<Journal, 'flush'> | null;
}
