/** All languages of the workflow flow. */
import type { Catalogue, Catalogues } from '../../common/words.ts';
import { en } from './en.ts';

export type WorkflowWords = Catalogue<typeof en>;
export const WORKFLOW_WORDS: Catalogues<typeof en> = { en, ko: en, ja: en, zh: en, es: en, de: en };
