// What a session costs beyond its agent and its test runs. The flow runs in this process on the real machine, with its processes timed.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { makeProject } from './project.mjs';
import { runOnce } from './run-once.mjs';
import { covered, timeProcesses } from './spans.mjs';
import { median, milliseconds } from './table.mjs';

const MOST_MS = { 50: 400, 5_000: 500, 50_000: 1_500 };
const MOST_TIMES_WARM = 3;
const MANY_CHANGES = 200;

export async function measure({ scratch, quick, sources }) {
  const warm = quick ? 3 : 7;
  const rows = [];
  const bySize = new Map();
  for (const [size, most] of Object.entries(MOST_MS)) {
    const files = Number(size);
    if (quick && files > 5_000) continue;
    const measured = await overheads(sources, join(scratch, `session-${files}`), { files, sessions: warm + 1 });
    bySize.set(files, measured);
    rows.push(...rowsOf(measured, { files, warm, most }));
  }
  const changed = await overheads(sources, join(scratch, 'changed'), { files: 50, sessions: quick ? 2 : 4, changed: MANY_CHANGES });
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

async function overheads(sources, place, { files, sessions, changed = 0 }) {
  const { root, env } = await makeProject(place, { files, features: sessions, changed });
  const measured = [];
  for (let session = 0; session < sessions; session++) measured.push(await oneSession(sources, root, env));
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

async function oneSession(sources, root, env) {
  const spans = [];
  const platform = timeProcesses(sources.nodePlatform(env), spans);
  const events = [];
  const [begin, used] = [performance.now(), process.cpuUsage()];
  await runOnce(sources, platform, root, (event) => events.push(event));
  const whole = performance.now() - begin;
  const { user, system } = process.cpuUsage(used);
  if (process.env.BENCH_TRACE) trace(spans, events, begin);
  const of = (...kinds) => covered(spans.filter((span) => kinds.includes(span.kind)));
  return {
    own: whole - of('agent', 'tests'),
    agent: of('agent'),
    tests: of('tests'),
    git: of('git'),
    busy: (user + system) / 1_000,
    runs: spans.filter((span) => span.kind === 'tests').length,
  };
}

function trace(spans, events, begin) {
  for (const span of spans) console.error(`  ${Math.round(span.from - begin)}..${Math.round(span.to - begin)} ${span.kind} ${span.what}`);
  for (const event of events)
    if (event.duration_ms !== undefined) console.error(`  ${event.type} ${event.name ?? ''} ${Math.round(event.duration_ms)} ms`);
}
