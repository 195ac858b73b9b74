/**
 * The one way to the judge, for the work of a session, a task, a workflow, a document and a change as it is.
 *
 * 1. The rooms of a judgement are put away when it ends.
 * 2. A verdict that is announced can be read: it is written down first.
 */
import type { Emit } from '../../domain/event.ts';
import type { Feature } from '../../domain/feature.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput } from '../../verify/contract.ts';
import { judgeOnRecord, type Judgement } from '../../verify/judge.ts';
import type { CleanRoomSet } from '../../workspace/clean-room.ts';
import type { Place } from '../place.ts';
import { writeJudgement } from './verdict-files.ts';

/** A list that no project has, with one feature. Null: nothing is claimed, and what passed before has to pass. */
export function loneClaim(project: string, feature: Feature | null): Pick<JudgeInput, 'mode' | 'feature' | 'features'> {
  const list = (passes: boolean): string => JSON.stringify({ project, features: feature === null ? [] : [{ ...feature, passes }] });
  return { mode: feature === null ? 'cleanup' : 'feature', feature, features: { trusted: list(false), candidate: list(true) } };
}

/** The one feature of such a list, proved by these tests; null: there are none. */
export function loneFeature(description: string, tests: readonly string[]): Feature | null {
  return tests.length === 0 ? null : { id: 1, description, test_file: [...tests], passes: false };
}

/** What has to pass whatever the settings say. `proves`: new tests have to fail on the base. */
export function strictly<Kept extends object>(settings: { verification: Kept }, proves: boolean): Kept {
  const { verification } = settings;
  return {
    ...verification,
    harness_verify: true,
    regression_check: true,
    ...(proves ? { require_evidence: false, red_check: true } : {}),
  };
}

export interface JudgeGround {
  platform: Platform;
  rooms: CleanRoomSet;
  emit: Emit;
}

/** By whom, and of which feature, a judgement is told. */
export interface About {
  session: number;
  feature: number | null;
  tree: string;
}

/** `input` is asked for once the judgement is announced. */
export async function askJudge({ platform, rooms, emit }: JudgeGround, about: About, input: () => Promise<JudgeInput>): Promise<Judgement> {
  emit({ type: 'verify.start', ...about });
  return await judgeOnRecord(platform, await input()).finally(() => rooms.dispose());
}

export async function recordJudgement(
  place: Pick<Place, 'emit' | 'shelf'>,
  { session, feature }: Omit<About, 'tree'>,
  judgement: Judgement,
  messages: string[],
): Promise<Verdict> {
  await writeJudgement(place, judgement);
  const { id, decision, reasons } = judgement.verdict;
  place.emit({ type: 'verify.result', session, feature, verdict: id, decision, reasons, messages });
  return judgement.verdict;
}
