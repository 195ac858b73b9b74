/**
 * The smoke run: the real program, started for itself in a clean room, and asked over HTTP.
 *
 * 1. Accepted work is run before it lands, where the settings want that. It is held back only by what it broke: it fails twice, and what it was built on
 *    does not. What failed before is an issue.
 * 2. The last run is a gate: the mission is not done with a program that does not answer, and a person decides.
 * 3. One run at a time: addresses are those of the machine.
 */
import { firstErrorLine } from '../../../domain/first-error.ts';
import { counted } from '../../../domain/counted.ts';
import { inTurn } from '../../../kernel/flight/in-turn.ts';
import { runCommand } from '../../../kernel/flight/run-context.ts';
import type { Issue } from '../../../kernel/mission-schema.ts';
import type { MissionPlace, StepFunction } from '../contract.ts';
import { headTree } from './try-claims.ts';

export const smoke: StepFunction = async (place) => ({
  event: { type: 'smoked', failure: await runSmoke(place, await headTree(place), 'smoke') },
});

export interface Smoked {
  /** Why the work is held back; null: it is not. */
  against: string | null;
  issues: Issue[];
}

export async function smokeWork(place: MissionPlace, work: { tree: string; base: string; feature: string }): Promise<Smoked> {
  const { tree, base, feature } = work;
  const nothing: Smoked = { against: null, issues: [] };
  if (place.rules.smoke?.onPass !== true) return nothing;
  const failure = await runSmoke(place, tree, `smoke ${feature}`);
  if (failure === null) return nothing;
  const before = await runSmoke(place, base, `smoke before ${feature}`);
  if (before !== null) return { against: null, issues: [issueOf(feature, failure)] };
  const again = await runSmoke(place, tree, `smoke ${feature}`);
  return { ...nothing, against: again === null ? null : `the smoke run fails with this work, and not before it: ${again}` };
}

function issueOf(feature: string, failure: string): Issue {
  return { title: 'The smoke run fails', text: failure, proof: null, by: 'smoke', feature, state: 'open' };
}

/** What went wrong; null: every address answered. */
async function runSmoke(place: MissionPlace, tree: string, name: string): Promise<string | null> {
  const { urls } = place.config.mission.smoke_test;
  return await inTurn('smoke run', async () => {
    const options = { noCache: true, signal: place.signal };
    const ran = await runCommand(place, { tree, command: smokeCommand(place.config) }, options);
    await place.rooms.dispose();
    const failure = ran.exit_code === 0 ? null : firstErrorLine(ran.output) || `it ended with ${ran.exit_code ?? 'no status'}`;
    place.emit({
      type: 'preflight.check',
      name,
      state: failure === null ? 'passed' : 'failed',
      detail: failure ?? `${counted(urls.length, 'address', 'addresses')} ${urls.length === 1 ? 'answers' : 'answer'}`,
      duration_ms: Math.round(ran.duration_ms),
    });
    return failure;
  });
}

function smokeCommand({ mission }: MissionPlace['config']): string {
  const { urls, startup_cmd, startup_wait_seconds } = mission.smoke_test;
  const probe = `const urls = ${JSON.stringify(urls)}; const end = Date.now() + ${startup_wait_seconds * 1000}; let why = 'no address is set'; const look = async () => { for (const { url, expect_status } of urls) { try { const { status } = await fetch(url, { redirect: 'manual' }); if (status !== expect_status) return url + ' answered ' + status; } catch (error) { return url + ' did not answer: ' + error.message; } } return null; }; do { why = await look(); if (why === null) process.exit(0); await new Promise((resolve) => setTimeout(resolve, 200)); } while (Date.now() < end); console.log(why); process.exit(1);`;
  const start = startup_cmd === null ? '' : `( ${startup_cmd}\n) & app=$!; `;
  return `${start}node --input-type=module -e ${quoted(probe)}; code=$?; ${startup_cmd === null ? '' : 'kill $app 2>/dev/null; '}exit $code`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
