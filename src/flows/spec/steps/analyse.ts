/**
 * Several analysts at the same time, each in a copy of its own and without a word from the others. One that is done is written down at
 * once: after a crash, or an end that came too early for another, it is not sent out again.
 */
import { happened, type Bench, type StepFunction, type StepResult } from '../contract.ts';
import { listAnalysts, type Analyst } from '../analysts.ts';
import { readWork, writeWork } from '../files.ts';
import { analystLine, dispatchFailedLine, nothingFound, parseFailedLine } from '../reply-lines.ts';
import { callFor, earlyEnd } from '../role-call.ts';
import { say, sayIn, warn } from '../say.ts';
import { conventionsSource, type Analysis, type SpecState } from '../state.ts';
import { readConventions, variablesFor, type CommonVariables } from '../variables.ts';

const TRIES = 3;

export const generate: StepFunction = async ({ desk }, state) => {
  const conventions = await readConventions(desk, state);
  if (conventions === null) {
    warn(desk, sayIn(state.user_lang).conventions.lost);
    return happened({ type: 'scan.reopened' });
  }
  return happened({ type: 'generation.started' });
};

export const analyse: StepFunction = async (bench, state, record) => {
  const { desk } = bench;
  const words = sayIn(state.user_lang);
  const variables = await variablesFor(desk, state);
  if (conventionsSource(state.conventions) === 'skipped') warn(desk, words.conventions.skipped);
  const analysts = await listAnalysts(desk);
  const known = await finishedBefore(bench, state);
  const open = analysts.filter((analyst) => !known.has(analyst.role));
  if (open.length > 0) say(desk, words.analysis.started(open.length));
  const finished = oneByOne((analysis: Analysis) => record({ type: 'analyst.finished', analysis }));
  const results = await Promise.all(
    analysts.map((analyst) => known.get(analyst.role) ?? consult(bench, state, analyst, variables, finished)),
  );
  const over = results.find((result) => 'kind' in result);
  if (over !== undefined && 'kind' in over) return over;
  const analyses = results.filter((result): result is Analysis => !('kind' in result));
  const silent = nothingFound(analyses);
  if (silent) say(desk, words.analysis.nothing);
  return happened({ type: 'analysed', analyses, nothingFound: silent });
};

/** By role; one whose file is gone does not count. */
async function finishedBefore({ desk }: Bench, state: SpecState): Promise<Map<string, Analysis>> {
  const known = new Map<string, Analysis>();
  for (const analysis of state.harness.finished_analyses)
    if ((await readWork(desk, analysis.file)) !== null) known.set(analysis.role, analysis);
  return known;
}

/** Calls that come at the same time are carried out one after the other: each writes the whole document. */
function oneByOne<Value>(write: (value: Value) => Promise<void>): (value: Value) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (value) => {
    last = last.then(() => write(value));
    return last;
  };
}

/** The file comes first: without it there is no analysis, whatever was said. */
async function consult(
  bench: Bench,
  state: SpecState,
  analyst: Analyst,
  variables: CommonVariables,
  finished: (analysis: Analysis) => Promise<void>,
): Promise<Analysis | StepResult> {
  const { desk } = bench;
  const words = sayIn(state.user_lang).analysis;
  const { role, persona, file } = analyst;
  const call = await callFor(bench, state, role, file, variables);
  for (let tries = 0; tries < TRIES; tries++) {
    const result = await bench.callRole(desk, call);
    const over = earlyEnd(state, role, result.stop);
    if (over !== null) return over;
    if (result.output === null) continue;
    await writeWork(desk, file, result.output);
    const line = analystLine(result.reply);
    if (line === null) warn(desk, words.parseFailed(persona));
    const analysis = { role, persona, file, line: line ?? parseFailedLine(persona) };
    await finished(analysis);
    return analysis;
  }
  const line = dispatchFailedLine(persona);
  await writeWork(desk, file, `${line}\n`);
  warn(desk, words.dispatchFailed(persona));
  return { role, persona, file, line };
}
