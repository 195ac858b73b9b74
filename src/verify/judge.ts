/**
 * From a claim to a verdict: the loop over the table of checks.
 *
 * 1. Stages come one after the other; a rejection in one ends the judgement before the next. A rejection by text ends it before anything runs.
 * 2. Inside a stage checks run side by side, each after those that it names. They are recorded in the order of the table, whatever their speed.
 * 3. Switched-off verification never accepts: a person decides.
 * 4. A run that is aborted rejects with the signal's reason: there is no verdict then.
 */
import type { Verdict } from '../domain/verdict.ts';
import type { Platform } from '../platform/platform.ts';
import { hasRejection, type Check, type CheckId } from './check.ts';
import { STAGES } from './checks/table.ts';
import type { JudgeInput } from './contract.ts';
import type { HiddenRecord } from './examine/hidden-test.ts';
import { createEarlyStarts } from './early.ts';
import type { Ledger } from './memory/ledger.ts';
import { recordJudgement, type JudgementRecord } from './memory/record.ts';
import { Proceeding } from './proceeding.ts';
import { createSpares } from './run/furnished.ts';
import { watchTime } from './time.ts';
import { closeVerdict, nextLedger } from './verdict.ts';
import type { PictureFile } from './visual/see-page.ts';

/** The verdict, what it rests on, and what is known about the tests if it is accepted. */
export interface Judgement {
  verdict: Verdict;
  record: JudgementRecord;
  ledger: Ledger;
  /** Of the pages that were visited. */
  pictures: PictureFile[];
  /** Hidden tests with their code and what they said: for the state directory alone. */
  hidden: HiddenRecord[];
}

export async function judge(platform: Platform, input: JudgeInput): Promise<Verdict> {
  return (await judgeOnRecord(platform, input)).verdict;
}

export async function judgeOnRecord(platform: Platform, input: JudgeInput): Promise<Judgement> {
  const spares = createSpares(platform, input.scratch);
  return await judgeWith(platform, { spares, ...input }).finally(() => spares.dispose());
}

async function judgeWith(platform: Platform, input: JudgeInput): Promise<Judgement> {
  const begin = platform.clock.monotonic();
  const proceeding = new Proceeding(platform, input);
  const watched = { clock: platform.clock, emit: input.emit, minutes: input.settings.verification.max_minutes };
  const endWatch = watchTime({ ...watched, running: () => [...proceeding.running] });
  try {
    const [text, ...stages] = STAGES;
    await runStage(proceeding, text);
    if (!proceeding.isDecided()) {
      await runStages(proceeding, stages);
      if (!hasRejection(proceeding.facts.findings)) proceeding.add([(await input.objection?.()) ?? []].flat());
    }
  } finally {
    endWatch();
  }
  const verdict = await closeVerdict(proceeding, Math.round(platform.clock.monotonic() - begin));
  return {
    verdict,
    record: recordJudgement({ ...proceeding.judged, baseline: input.baseline }, proceeding.runs, verdict),
    ledger: await nextLedger(proceeding),
    pictures: [...proceeding.facts.seen.pictures],
    hidden: [...proceeding.facts.hidden, ...proceeding.facts.keptHidden],
  };
}

/** Trees that trials compose are drafts: they are dropped with the judgement. */
async function runStages(proceeding: Proceeding, stages: readonly (readonly Check[])[]): Promise<void> {
  const { trees } = proceeding.judged;
  const drafts = trees.drafts?.();
  const early = createEarlyStarts(() => proceeding.judged, stages.flat());
  proceeding.begin({ trees: drafts ?? trees, early });
  try {
    for (const stage of stages) await runStage(proceeding, stage);
  } finally {
    await early.drop();
    proceeding.begin({ trees, early: null });
    await drafts?.drop();
  }
}

async function runStage(proceeding: Proceeding, stage: readonly Check[]): Promise<void> {
  const isOver = proceeding.isDecided();
  const entered = new Map<CheckId, Promise<void>>();
  let last = Promise.resolve();
  for (const check of stage) {
    if ((isOver && check.always !== true) || !proceeding.allows(check)) continue;
    const after = (check.after ?? []).map((id) => entered.get(id));
    last = judgeOne(proceeding, check, { after, before: last });
    entered.set(check.id, last);
  }
  await Promise.all(entered.values());
}

interface Turn {
  /** The checks that it reads. */
  after: readonly (Promise<void> | undefined)[];
  /** The check before it in the table. */
  before: Promise<void>;
}

async function judgeOne(proceeding: Proceeding, check: Check, { after, before }: Turn): Promise<void> {
  await Promise.all(after);
  const performed = await proceeding.perform(check);
  await before;
  if (performed !== null) proceeding.enter(performed);
}
