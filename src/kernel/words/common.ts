/** Shared texts of the workflow and spec flows, by language. */
import type { Catalogues } from './words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';
import { zh } from './zh.ts';

export const COMMON: Catalogues<typeof en> = { en, ko, ja, zh, es, de };
