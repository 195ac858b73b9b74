/** What the books are kept on. */
import type { Config } from '../../config/schema.ts';
import type { Emit } from '../../domain/event.ts';
import type { Documents } from '../documents/documents.ts';

export interface BooksGround {
  documents: Documents;
  config: Config;
  /** Told of marks that were passed; absent: nobody is. */
  emit?: Emit;
}
