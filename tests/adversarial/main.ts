/** `npm run corpus`: the whole corpus, or a part of it, and the table of what came out. */
import { parseArgs } from 'node:util';
import { ALL_RUNNERS, type RunnerKey } from './runners.ts';
import { INSTRUMENTS } from '../../src/verify/instruments.ts';
import { startBusyLoops } from '../busy-loops.ts';
import { attackTable } from './attacks.ts';
import { casesOf, CORPUS } from './corpus.ts';
import { inventory, ruleOfThree } from './inventory.ts';
import { shapeTable } from './shapes.ts';
import { createGround, type Ground } from './ground.ts';
import type { Case, Examination } from './examine.ts';
import { aloneTable, compareRecords, recordTo } from './record.ts';
import { describeRepairs, isHonestButWrong, repairOne, type Repair } from './repair.ts';
import { labelOf, runCases, type Broken, type RunOptions } from './run.ts';
import { describe, isGood, ROWS, type Step, type StepOff } from './table.ts';

export const USAGE =
  'npm run corpus -- [--only ID|FAMILY|KIND]... [--runner NAME]... [--sample N] [--in-turn] [--off CHECK] [--from N] [--jobs N] [--no-steps] [--only-steps] [--whole] [--verbose] [--list] [--inventory] [--repair] [--most N] [--record FILE] [--thorough] [--compare FILE --compare FILE] [--alone FILE [--deleted INSTRUMENT]...] [--busy N]';

export async function main(args: readonly string[], packageRoot: string): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'string') {
    console.error(`${options}\n${USAGE}`);
    return 2;
  }
  if (options.inventory) {
    console.log(`${inventory(CORPUS)}\n\n${ruleOfThree(CORPUS)}\n\n${attackTable(CORPUS)}\n\n${shapeTable(CORPUS)}`);
    return 0;
  }
  if (options.compare.length > 0) {
    const [before, after] = options.compare;
    const { text, isEqual } = compareRecords(before!, after!);
    console.log(text);
    return isEqual ? 0 : 1;
  }
  if (options.alone !== null) {
    console.log(aloneTable(options.alone, options.deleted));
    return 0;
  }
  const begin = performance.now();
  const ground = await createGround(packageRoot);
  const endLoops = startBusyLoops(options.busy);
  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    console.error(`stopped by ${signal}`);
    stopping.abort();
    void ground.dispose().finally(() => process.kill(process.pid, 'SIGKILL'));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    for (const runner of ground.missing) console.log(`${runner} cannot be started here: its fixtures are left out`);
    const all = casesOf(CORPUS, options).filter((one) => !ground.missing.includes(one.runner));
    const chosen = options.inTurn ? oneRunnerEach(all) : all;
    const cases = spread(chosen, options.most ?? chosen.length).slice(options.from - 1);
    if (options.list) {
      for (const one of cases) console.log(`${labelOf(one)}: ${one.behaviour.title}`);
      return 0;
    }
    if (options.repair) return await repairAll(ground, cases.filter(isHonestButWrong), options.jobs, stopping.signal);
    return await runAll(ground, cases, { ...options, signal: stopping.signal }, begin);
  } finally {
    endLoops();
    await ground.dispose();
  }
}

type Options = Exclude<ReturnType<typeof readOptions>, string> & { signal: AbortSignal };

async function runAll(ground: Ground, cases: readonly Case[], options: Options, begin: number): Promise<number> {
  const { jobs, signal } = options;
  const record = options.record === null ? null : recordTo(options.record);
  const onDone = (done: Examination | Broken): void => {
    record?.(done);
    tell(done, options.verbose);
  };
  if (options.off !== null) {
    const step = await switchOff(ground, cases, options.off, {
      jobs,
      signal,
      onDone: (done) => ('error' in done ? onDone(done) : console.log(`${done.verdict.decision.padEnd(12)} ${labelOf(done)}`)),
    });
    if (!signal.aborted) console.log(describeStep(step));
    return step.through > 0 && !signal.aborted ? 0 : 1;
  }
  const outcome = await runCases(ground, options.onlySteps ? [] : cases, {
    jobs,
    signal,
    onDone,
    whole: options.whole,
    thorough: options.thorough,
  });
  const whole = options.only.length === 0 && options.runners.length === ALL_RUNNERS.length && options.steps && options.most === null;
  const steps: StepOff[] = [];
  for (const check of whole ? ROWS : []) {
    const step = await switchOff(ground, casesOf(CORPUS, { ...options, sample: 1 }), check, { jobs, signal });
    if (signal.aborted) break;
    if (options.verbose) console.log(describeStep(step));
    steps.push(step);
  }
  if (signal.aborted) return 1;
  const summary = { outcome, steps: whole ? steps : null, seconds: (performance.now() - begin) / 1_000 };
  console.log(`\n${describe(summary)}`);
  return isGood(summary) ? 0 : 1;
}

/** How many honest sessions that were wrong are right on their second try. */
async function repairAll(ground: Ground, cases: readonly Case[], jobs: number, signal: AbortSignal): Promise<number> {
  const queue = [...cases];
  const repairs: Repair[] = [];
  const work = async (lane: number): Promise<void> => {
    for (let one = queue.shift(); one !== undefined && !signal.aborted; one = queue.shift()) {
      const repair = await repairOne(ground, one, lane);
      repairs.push(repair);
      const told = `[${repair.reasons.join(', ')}] touched ${repair.touched.join(', ') || 'nothing'}; ${repair.tokens} tokens`;
      console.log(`${(repair.second ?? 'not told').padEnd(12)} ${labelOf(one)}: ${told}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, (_unused, lane) => work(lane)));
  if (repairs.length === 0 || signal.aborted) return 1;
  console.log(`\n${describeRepairs(repairs)}`);
  return 0;
}

function describeStep(step: StepOff): string {
  return `${step.check} switched off: ${step.through} of its ${step.own} fixtures get through`;
}

/** Reruns fixtures that a check has to notice, without it. */
async function switchOff(ground: Ground, cases: readonly Case[], check: Step, options: RunOptions): Promise<StepOff> {
  const own = spread(
    oneRunnerEach(
      cases.filter(
        (one) =>
          one.behaviour.by === (check === 'matter' ? 'red' : check.split('/')[0]) &&
          one.behaviour.kind === 'cheat' &&
          one.behaviour.timeoutMs === undefined &&
          !ground.missing.includes(one.runner),
      ),
    ),
    MOST_OF_A_STEP,
  );
  const { done } = await runCases(ground, own, { ...options, off: check });
  return {
    check,
    own: own.length,
    through: done.filter((one) => one.verdict.decision === 'accepted' && !(one.behaviour.expected === 'told' && one.right)).length,
  };
}

const MOST_OF_A_STEP = 60;

/** At most so many, from all over the list. */
function spread<T>(all: readonly T[], most: number): T[] {
  return all.length <= most ? [...all] : Array.from({ length: most }, (_unused, at) => all[Math.floor((at * all.length) / most)]!);
}

/** Each behaviour once, the runners in turn. */
function oneRunnerEach(cases: readonly Case[]): Case[] {
  const ids = [...new Set(cases.map((one) => one.behaviour.id))];
  return ids.map((id, index) => {
    const same = cases.filter((one) => one.behaviour.id === id);
    return same[index % same.length]!;
  });
}

function tell(done: Examination | Broken, verbose: boolean): void {
  if ('error' in done) return console.log(`BROKEN ${labelOf(done)}: ${done.error}`);
  const wrong = !done.right && done.behaviour.kind !== 'limit';
  if (!verbose && !wrong) return;
  const { verdict } = done;
  const by = [...new Set(verdict.findings.filter((finding) => finding.weight !== 'warn').map((finding) => finding.check))].join(',');
  console.log(
    `${wrong ? 'WRONG ' : 'ok    '} ${labelOf(done)}: ${verdict.decision} [${verdict.reasons.join(', ')}] by ${by || '-'} in ${Math.round(done.duration_ms)} ms${done.complaint === null ? '' : `; ${done.complaint}`}`,
  );
  if (wrong) console.log(`         ${verdict.checks.map((check) => `${check.name} ${check.state}: ${check.detail}`).join('; ')}`);
  if (wrong)
    for (const finding of verdict.findings)
      console.log(
        `         ${finding.weight} ${finding.check} ${finding.reason}: ${finding.message} ${JSON.stringify(finding.subjects).slice(0, 400)}`,
      );
}

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      runner: { type: 'string', multiple: true, default: [...ALL_RUNNERS] },
      sample: { type: 'string', default: '1' },
      'in-turn': { type: 'boolean', default: false },
      off: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      steps: { type: 'boolean', default: true },
      'only-steps': { type: 'boolean', default: false },
      from: { type: 'string', default: '1' },
      whole: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      inventory: { type: 'boolean', default: false },
      repair: { type: 'boolean', default: false },
      most: { type: 'string' },
      record: { type: 'string' },
      thorough: { type: 'boolean', default: false },
      compare: { type: 'string', multiple: true, default: [] },
      alone: { type: 'string' },
      deleted: { type: 'string', multiple: true, default: [] },
      busy: { type: 'string', default: '0' },
    },
    allowNegative: true,
  });
  const unknown = values.runner.filter((name) => !ALL_RUNNERS.includes(name as RunnerKey));
  if (unknown.length > 0) return `There is no runner ${unknown.join(', ')}; there are ${ALL_RUNNERS.join(', ')}.`;
  const switches = [...new Set([...ROWS, ...INSTRUMENTS])];
  if (values.off !== undefined && !switches.includes(values.off as Step))
    return `There is no instrument ${values.off}; there are ${switches.join(', ')}.`;
  if (![0, 2].includes(values.compare.length)) return '--compare takes two records.';
  const [sample, jobs, from, most] = [values.sample, values.jobs, values.from, values.most ?? '1'].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  if (!(sample >= 1 && jobs >= 1 && from >= 1 && most >= 1)) return '--sample, --jobs, --from and --most take a number from 1 on.';
  return {
    only: values.only,
    runners: values.runner as RunnerKey[],
    sample,
    jobs,
    from,
    onlySteps: values['only-steps'],
    off: (values.off ?? null) as Step | null,
    inTurn: values['in-turn'],
    steps: values.steps,
    whole: values.whole,
    verbose: values.verbose,
    list: values.list,
    inventory: values.inventory,
    repair: values.repair,
    most: values.most === undefined ? null : most,
    record: values.record ?? null,
    thorough: values.thorough,
    compare: values.compare,
    alone: values.alone ?? null,
    deleted: values.deleted,
    busy: Math.max(0, Number(values.busy) || 0),
  };
}
