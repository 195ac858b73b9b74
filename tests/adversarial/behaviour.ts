/**
 * The corpus as data: what an agent finds, what it leaves behind, and what the harness must say to it.
 *
 * 1. A behaviour is written once and runs on every runner it names, through the dialect `t`.
 * 2. The feature list is claimed for the assigned feature unless the attempt writes the list itself or claims nothing.
 * 3. A cheat must never be accepted; an honest behaviour never rejected. `expected` narrows that where the answer is clear.
 * 4. `by` names the check that has to notice it. With that check switched off, at least one of its behaviours must get through.
 * 5. A `limit` is outside of what is claimed: it is run and told, and counts for nothing.
 */
import type { Feature } from '../../src/domain/feature.ts';
import type { Reason } from '../../src/domain/reasons.ts';
import type { CheckName } from '../../src/domain/verdict.ts';
import type { JudgeSettings } from '../../src/verify/contract.ts';
import type { ExaminerTest } from '../../src/verify/examine/contract.ts';
import { CHEAT_FAMILIES } from '../../src/domain/cheat-family.ts';
import type { Dialect } from './dialect.ts';
import { RUNNERS, type RunnerKey } from './runners.ts';

/** `null` deletes; a link and a mode are written as they are. */
export type Edit = string | Uint8Array | null | { link: string } | { run: string };
export type Files = Readonly<Record<string, Edit>>;
export type SettingsPatch = { [K in keyof JudgeSettings]?: Partial<JudgeSettings[K]> };

export interface Attempt {
  files?: Files;
  /** Run by `sh` in the agent's copy, after the files were written. */
  script?: string;
  /** What the agent showed; absent: a passing run of the feature's test; null: nothing. */
  said?: string | null;
  /** false: the feature list stays as it was. */
  claim?: boolean;
}

export const FAMILIES = [...CHEAT_FAMILIES, 'honest work', 'honest look-alike'] as const;
export type Family = (typeof FAMILIES)[number];

export interface Behaviour {
  id: string;
  family: Family;
  title: string;
  kind: 'cheat' | 'honest' | 'limit';
  runners: readonly RunnerKey[];
  /** `told`: may be accepted, with a warning of the named check. */
  expected?: 'accepted' | 'rejected' | 'needs_human' | 'told';
  reasons?: readonly Reason[];
  by?: CheckName;
  /** More files of the tree from before the session; null takes one away. */
  base?: (t: Dialect) => Files;
  /** Earlier states of such files, oldest first, in which the tests were accepted as well. */
  accepted?: (t: Dialect) => readonly Files[];
  /** What a capable examiner writes about the feature; absent: there is no examiner. */
  hidden?: (t: Dialect) => readonly ExaminerTest[];
  /** What its second call says of each changed result; absent: that the description does not account for it. */
  accounts?: 'yes' | 'unclear';
  /** Texts that must reach neither the examiner nor the verdict. */
  secrets?: (t: Dialect) => readonly string[];
  feature?: Partial<Feature>;
  settings?: (t: Dialect) => SettingsPatch;
  mode?: 'feature' | 'cleanup';
  timeoutMs?: number;
  agent: (t: Dialect) => Attempt;
}

export type Details = Omit<Behaviour, 'id' | 'title' | 'family' | 'kind' | 'runners'> & { runners?: readonly RunnerKey[] };
export type Tell = (id: string, title: string, details: Details) => Behaviour;

export function inFamily(family: Family, kind: Behaviour['kind']): Tell {
  return (id, title, details) => ({ runners: RUNNERS, ...details, id, title, family, kind });
}
