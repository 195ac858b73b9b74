/** All languages of the workflow flow. */
import type { Catalogue, Catalogues } from '../../../kernel/words/words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { zh } from './zh.ts';

export type WorkflowWords = Catalogue<typeof en>;
export const WORKFLOW_WORDS: Catalogues<typeof en> = { en, ko, ja, zh, es, de };
