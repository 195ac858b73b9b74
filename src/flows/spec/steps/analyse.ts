/** Several analysts at the same time, each a step in a lane and a copy of its own, without a word from the others. */
import { inTurn } from '../../../kernel/flight/in-turn.ts';
import { happened, type StepFunction } from '../contract.ts';
import { writeWork } from '../files.ts';
import { analystLine, dispatchFailedLine, nothingFound, parseFailedLine } from '../machine/reply-lines.ts';
import { callFor, earlyEnd } from '../role-call.ts';
import { say, sayIn, warn } from '../words/say.ts';
import { conventionsSource, type Analyst } from '../machine/state.ts';
import { readConventions, variablesFor } from '../words/variables.ts';
import { listRoles, loadRole } from '../../../prompts/load-role.ts';
import { roleFolders } from '../../../kernel/roles/call-role.ts';
import type { Place } from '../../../kernel/place.ts';

const TRIES = 3;

export const generate: StepFunction = async (place, state) => {
  const conventions = await readConventions(place, state);
  if (conventions === null) {
    warn(place, sayIn(state.user_lang).conventions.lost);
    return happened({ type: 'scan.reopened' });
  }
  return happened({ type: 'generation.started' });
};

/** Who they are is written down before the first one goes. */
export const sendAnalysts: StepFunction = async (place, state) => {
  const words = sayIn(state.user_lang);
  if (conventionsSource(state.conventions) === 'skipped') warn(place, words.conventions.skipped);
  const analysts = await listAnalysts(place);
  say(place, words.analysis.started({ count: analysts.length }));
  return happened({ type: 'analysts.sent', analysts });
};

/** Sent out in the order of the list. The file comes first: without it there is no analysis, whatever was said. */
export const analyse: StepFunction = async (place, state, step) => {
  if (step.name !== 'analyse') throw new Error(`${step.name} names no analyst`);
  const words = sayIn(state.user_lang).analysis;
  const { role, persona, file } = step.analyst;
  const call = await inTurn(`brief analysts ${place.root}`, async () =>
    callFor(place, state, { role, output: file, variables: await variablesFor(place, state) }),
  );
  for (let tries = 0; tries < TRIES; tries++) {
    const result = await place.callRole(place, call);
    const over = earlyEnd(state, role, result.stop);
    if (over !== null) return over;
    if (result.output === null) continue;
    await writeWork(place, file, result.output);
    const line = analystLine(result.reply);
    if (line === null) warn(place, words.parseFailed({ persona }));
    return happened({ type: 'analyst.finished', analysis: { role, persona, file, line: line ?? parseFailedLine(persona) } });
  }
  const line = dispatchFailedLine(persona);
  await writeWork(place, file, `${line}\n`);
  warn(place, words.dispatchFailed({ persona }));
  return happened({ type: 'analyst.finished', analysis: { role, persona, file, line } });
};

/** In the order in which they are listed, whoever was done first. */
export const gather: StepFunction = async (place, state) => {
  const { analysts, finished_analyses } = state.harness;
  const analyses = (analysts ?? []).flatMap(({ role }) => finished_analyses.filter((analysis) => analysis.role === role));
  const silent = nothingFound(analyses);
  if (silent) say(place, sayIn(state.user_lang).analysis.nothing);
  return happened({ type: 'analysed', analyses, nothingFound: silent });
};

/** The analysts of this project: every role of the flow whose file says `kind: analyst`, those that ship and those that users add. */
async function listAnalysts(place: Pick<Place, 'platform' | 'documents' | 'stateDir' | 'harnessHome'>): Promise<Analyst[]> {
  const folders = roleFolders(place);
  const found: Analyst[] = [];
  for (const role of await listRoles(place.platform, 'spec', folders)) {
    const { kind, output } = await loadRole(place.platform, role, folders);
    if (kind !== 'analyst') continue;
    const name = role.slice('spec/'.length);
    found.push({ role, persona: name.replaceAll('-', ' '), file: output ?? `analysis_${name.replaceAll('-', '_')}.md` });
  }
  return found;
}
