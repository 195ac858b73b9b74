/**
 * Agents that flood their host: memory stays bounded, nothing is lost without a word, and a person still gets through.
 * `HARNESS_FLOOD_MEGABYTES=1000` makes the first one a gigabyte.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { projectWithAgent } from '../e2e/calculator.ts';
import { processesWith, read, type Scene } from '../e2e/support.ts';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));
const MEGABYTES = Number(process.env['HARNESS_FLOOD_MEGABYTES'] ?? '200');
const MOST_MEMORY_MEGABYTES = 200;

interface Flooded {
  code: number | null;
  /** Characters in the text events of the agent. */
  text: number;
  /** Text events that say that something was cut. */
  cuts: string[];
  events: Map<string, number>;
  reasons: unknown;
  peakMegabytes: number;
  /** From the interrupt to the end. */
  milliseconds: number;
}

async function flood(scene: Scene, interruptAfterMs?: number): Promise<Flooded> {
  const child = spawn(process.execPath, [program, 'run', '--json', '--cwd', scene.project], {
    env: scene.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const seen: Flooded = { code: null, text: 0, cuts: [], events: new Map(), reasons: null, peakMegabytes: 0, milliseconds: 0 };
  let rest = '';
  let interruptedAt = 0;
  const poll = setInterval(() => void peakOf(child.pid!).then((peak) => (seen.peakMegabytes = Math.max(seen.peakMegabytes, peak))), 50);
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) note(seen, JSON.parse(line) as Record<string, unknown>);
    if (interruptAfterMs !== undefined && seen.text > 0 && interruptedAt === 0) {
      interruptedAt = performance.now();
      setTimeout(() => ((interruptedAt = performance.now()), child.kill('SIGINT')), interruptAfterMs);
    }
  });
  seen.code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(poll);
  seen.milliseconds = performance.now() - interruptedAt;
  return seen;
}

function note(seen: Flooded, event: Record<string, unknown>): void {
  const type = String(event['type']);
  seen.events.set(type, (seen.events.get(type) ?? 0) + 1);
  if (type === 'end') seen.reasons = event['reasons'];
  if (type !== 'agent.text') return;
  const text = String(event['text']);
  seen.text += text.length + 1;
  seen.cuts.push(...(text.match(/\[line cut: \d+ more bytes\]/g) ?? []));
}

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

describe.runIf(process.platform === 'linux')('memory stays bounded', () => {
  test(`with ${MEGABYTES} megabytes of output, all of which is told`, async () => {
    const scene = await projectWithAgent(`yes 'a line of agent output with some words in it, 42 of them' | head -c ${MEGABYTES}000000`);
    const seen = await flood(scene);
    expect(seen).toMatchObject({ code: 10, reasons: ['claim.none'], cuts: [] });
    expect(seen.text).toBeGreaterThanOrEqual(MEGABYTES * 1_000_000);
    expect(seen.peakMegabytes).toBeGreaterThan(20);
    expect(seen.peakMegabytes).toBeLessThan(MOST_MEMORY_MEGABYTES);
  }, 600_000);

  test('with one line of 100 megabytes, and the cut is told to the byte', async () => {
    const scene = await projectWithAgent(`head -c 100000000 /dev/zero | tr '\\0' x; echo; echo after`);
    const seen = await flood(scene);
    expect(seen.code).toBe(10);
    const dropped = Number(/\d+/.exec(seen.cuts[0] ?? '')?.[0]);
    expect(seen.cuts).toHaveLength(1);
    expect(seen.text).toBe(100_000_000 - dropped + ` ${seen.cuts[0]}`.length + '\nafter\n'.length);
    expect(seen.peakMegabytes).toBeLessThan(MOST_MEMORY_MEGABYTES);
  });

  test('with fifty thousand tool calls as fast as they can be read, each of which is in the log', async () => {
    const calls = 50_000;
    const scene = await projectWithAgent(
      `node -e 'let i = 0; const go = () => { let text = ""; for (let n = 0; n < 200 && i < ${calls}; n++) text += JSON.stringify({ type: "tool", name: "shell", input: { command: "echo " + i++ } }) + "\\n"; if (text !== "") process.stdout.write(text, go); }; go();'`,
    );
    const seen = await flood(scene);
    expect(seen).toMatchObject({ code: 10, reasons: ['claim.none'] });
    expect(seen.events.get('agent.tool')).toBe(calls);
    const actions = (await read(scene, '.harness/logs/agent_actions.jsonl')).trimEnd().split('\n');
    expect(actions).toHaveLength(calls + 1);
    expect(JSON.parse(actions.at(-1)!)).toMatchObject({ type: 'cmd_run', cmd: `echo ${calls - 1}`, session: 1 });
    expect(seen.peakMegabytes).toBeLessThan(MOST_MEMORY_MEGABYTES);
  });
});

test('a person who interrupts a flood is heard at once', async () => {
  const mark = `flood-${String(process.pid)}`;
  const scene = await projectWithAgent(`exec yes ${mark}`);
  const seen = await flood(scene, 1_000);
  expect(seen).toMatchObject({ code: 130, reasons: ['interrupted'] });
  expect(seen.milliseconds).toBeLessThan(15_000);
  expect(await processesWith(mark)).toEqual([]);
  expect(JSON.parse(await readFile(join(scene.project, '.harness/session_state.json'), 'utf8'))).toMatchObject({ flight: null });
});
