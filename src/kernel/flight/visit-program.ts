/**
 * The program of a tree, visited by the harness for somebody else to read about.
 *
 * A problem counts once a second visit has it as well. Pictures are kept for people under `screenshots/`.
 */
import { cleanText } from '../../domain/clean-text.ts';
import { findBrowser, NO_BROWSER } from '../../platform/find-browser.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import { readSteps } from '../../verify/visual/steps.ts';
import { visitTree } from '../../verify/visual/visit.ts';
import type { FlightPlace } from './contract.ts';
import { runContext } from './run-context.ts';

export interface ProgramVisit {
  /** What stands against the program, or why nobody could look; null: nothing. */
  against: string | null;
  /** Everything that was seen, as text. */
  record: string;
}

/** Why no visit can be made on this machine; null: one can. */
export async function visitObstacle({ platform, config }: Pick<FlightPlace, 'platform' | 'config'>): Promise<string | null> {
  if ((await findBrowser(platform)) === null) return NO_BROWSER;
  return (await chosenSandbox(platform, config.sandbox.mode)).noNetwork
    ? null
    : 'there is no sandbox here in which the program could be served apart';
}

export async function visitProgram(
  place: FlightPlace,
  program: { tree: string; url: string; startup: string; name: string },
): Promise<ProgramVisit> {
  const { tree, url, startup, name } = program;
  const steps = readSteps([`Navigate to ${url}`, 'Screenshot of the page']);
  const look = (room: { name: string; fresh?: boolean }) =>
    visitTree(place.platform, runContext(place, place), { tree, room, url, startup, steps, allowed: [] });
  const first = await look({ name: 'judge' });
  const seen = first.kind === 'visited' && first.visit.problems.length > 0 ? await look({ name: 'repeat', fresh: true }) : first;
  await place.rooms.dispose();
  if (seen.kind === 'unable') return { against: `${url} could not be visited: ${seen.why}`, record: seen.why };
  const { problems, shows, outside, pictures } = seen.visit;
  const shelf = place.shelf.in('screenshots').in(name);
  for (const picture of pictures) await shelf.write(`${picture.name}.png`, picture.bytes);
  const record = [
    `visited ${url}`,
    ...problems.map((problem) => `problem: ${problem}`),
    ...(problems.length === 0 ? ['no error in the console, and every part of the page was loaded'] : []),
    ...outside.map((address) => `out of reach without a network: ${address}`),
    `the page shows: ${shows}`,
  ];
  return { against: problems.length === 0 ? null : `${url}: ${problems[0]}`, record: cleanText(record.join('\n')) };
}
