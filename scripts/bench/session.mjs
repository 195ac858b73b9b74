// What a session costs beyond its agent and its test runs.
import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeProject } from './project.mjs';
import { bundledAt } from './sources.mjs';
import { median, milliseconds } from './table.mjs';

const MOST_MS = { 50: 400, 5_000: 500, 50_000: 1_500 };
const MOST_TIMES_WARM = 3;
const MANY_CHANGES = 200;

export async function measure({ scratch, quick }) {
  const warm = quick ? 3 : 7;
  const rows = [];
  const bySize = new Map();
  for (const [size, most] of Object.entries(MOST_MS)) {
    const files = Number(size);
    if (quick && files > 5_000) continue;
    const measured = await overheads(scratch, join(scratch, `session-${files}`), { files, sessions: warm + 1 });
    bySize.set(files, measured);
    rows.push(...rowsOf(measured, { files, warm, most }));
  }
  const changed = await overheads(scratch, join(scratch, 'changed'), { files: 50, sessions: quick ? 2 : 4, changed: MANY_CHANGES });
  const growth = bySize.get(5_000).own / bySize.get(50).own;
  return [
    ...rows,
    { name: 'growth from 50 to 5,000 files', figure: `${growth.toFixed(2)} x for 100 x the files`, target: '', met: null },
    { name: `harness time with ${MANY_CHANGES} changed files, 50 files`, figure: explain(changed), target: '', met: null },
    { name: 'test runs for one accepted feature', figure: `${bySize.get(5_000).runs}`, target: '', met: null },
  ];
}

function rowsOf(measured, { files, warm, most }) {
  const [where, times] = [`${files.toLocaleString('en')} files`, measured.first / measured.own];
  return [
    {
      name: `harness time in a session, ${where} (median of ${warm})`,
      figure: `${explain(measured)}; processor ${milliseconds(measured.busy)}, load ${measured.load.toFixed(1)}`,
      target: `at most ${most} ms`,
      met: measured.own <= most,
    },
    {
      name: `first session ever against a later one, ${where}`,
      figure: `${times.toFixed(2)} x (${milliseconds(measured.first)} against ${milliseconds(measured.own)})`,
      target: `at most ${MOST_TIMES_WARM} x`,
      met: times <= MOST_TIMES_WARM,
    },
  ];
}

function explain({ own, agent, tests, git }) {
  return `${milliseconds(own)} (git ${milliseconds(git)}); agent ${milliseconds(agent)}, tests ${milliseconds(tests)}`;
}

/** Sessions of one project in a process of its own, as `harness run` has one: what a project of another size left behind is no part of it. */
async function overheads(scratch, place, { files, sessions, changed = 0 }) {
  const { root, env } = await makeProject(place, { files, features: sessions, changed });
  const asked = JSON.stringify({ bundle: bundledAt(scratch), root, env, sessions });
  const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(new URL('sessions-of.mjs', import.meta.url)), asked]);
  const measured = JSON.parse(stdout);
  const warm = measured.slice(1);
  const middle = (part) => median(warm.map((entry) => entry[part]));
  return {
    first: measured[0].own,
    own: middle('own'),
    agent: middle('agent'),
    tests: middle('tests'),
    git: middle('git'),
    runs: middle('runs'),
    busy: middle('busy'),
    load: loadavg()[0],
  };
}
