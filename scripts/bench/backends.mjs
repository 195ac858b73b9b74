// What the harness adds to a session, for each backend: everything outside the agent's own time and the test runs.
import { join } from 'node:path';
import { runOnce } from './run-once.mjs';
import { covered, timeProcesses } from './spans.mjs';
import { median, milliseconds } from './table.mjs';
import { isInstalled, wiredProject } from './wire.mjs';

const TARGET_MS = 500;
const BACKENDS = ['command', 'anthropic', 'claude-code', 'codex', 'acp'];

export async function measure({ scratch, quick, sources }) {
  const rows = [];
  for (const backend of BACKENDS) {
    const name = `harness time in a session, backend ${backend}`;
    if (!isInstalled(backend))
      rows.push({ name, figure: 'not installed here (node scripts/install-agents.mjs)', target: `at most ${TARGET_MS} ms`, met: null });
    else
      rows.push(
        await sessionsOf(sources, join(scratch, backend), backend, quick ? 3 : 6).then(
          (measured) => row(name, measured),
          (error) => ({ name, figure: `not measured: ${error.message.slice(0, 200)}`, target: `at most ${TARGET_MS} ms`, met: null }),
        ),
      );
  }
  return rows;
}

async function row(name, measured) {
  const warm = measured.slice(1);
  const middle = (part) => median(warm.map((entry) => entry[part]));
  const own = middle('own');
  return {
    name: `${name} (median of ${warm.length})`,
    figure: `${milliseconds(own)}; agent ${milliseconds(middle('agent'))}, tests ${milliseconds(middle('tests'))}`,
    target: `at most ${TARGET_MS} ms`,
    met: own <= TARGET_MS,
  };
}

async function sessionsOf(sources, place, backend, sessions) {
  const { root, env, server } = await wiredProject(sources, place, { backend, features: sessions });
  try {
    const measured = [];
    for (let session = 0; session < sessions; session++) measured.push(await oneSession(sources, root, env));
    return measured;
  } finally {
    await server.close();
  }
}

/** The agent has the word from the start of its session to the capture of its work. */
async function oneSession(sources, root, env) {
  const spans = [];
  const agent = { from: 0, to: 0 };
  const begin = performance.now();
  await runOnce(sources, timeProcesses(sources.nodePlatform(env), spans), root, (event) => {
    if (event.type === 'session.start') agent.from = performance.now();
    if (event.type === 'workspace.captured') agent.to = performance.now() - event.duration_ms;
  });
  const whole = performance.now() - begin;
  const tests = covered(spans.filter((span) => span.kind === 'tests' && span.from >= agent.to));
  return { own: whole - (agent.to - agent.from) - tests, agent: agent.to - agent.from, tests };
}
