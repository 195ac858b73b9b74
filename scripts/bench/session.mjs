// What a session costs beyond its agent and its test runs. The flow runs in this process on the real machine, with its processes timed.
import { join } from 'node:path';
import { makeProject } from './project.mjs';
import { runOnce } from './run-once.mjs';
import { covered, timeProcesses } from './spans.mjs';
import { median, milliseconds } from './table.mjs';

const TARGET_MS = 500;
const SMALL = 50;
const LARGE = 5_000;
const MANY_CHANGES = 200;

export async function measure({ scratch, quick, sources }) {
  const sessions = quick ? 3 : 6;
  const small = await overheads(sources, join(scratch, 'small'), { files: SMALL, sessions });
  const large = await overheads(sources, join(scratch, 'large'), { files: LARGE, sessions });
  const changed = await overheads(sources, join(scratch, 'changed'), { files: SMALL, sessions: quick ? 2 : 4, changed: MANY_CHANGES });
  const growth = large.own / small.own;
  return [
    {
      name: `harness time in a session, ${LARGE} files (median of ${sessions - 1})`,
      figure: explain(large),
      target: `at most ${TARGET_MS} ms`,
      met: large.own <= TARGET_MS,
    },
    { name: `harness time in a session, ${SMALL} files`, figure: explain(small), target: '', met: null },
    {
      name: `growth from ${SMALL} to ${LARGE} files`,
      figure: `${growth.toFixed(2)} x for ${LARGE / SMALL} x the files`,
      target: '',
      met: null,
    },
    { name: `harness time with ${MANY_CHANGES} changed files, ${SMALL} files`, figure: explain(changed), target: '', met: null },
    { name: `first session ever, ${LARGE} files`, figure: milliseconds(large.first), target: '', met: null },
    { name: 'test runs for one accepted feature', figure: `${large.runs}`, target: '', met: null },
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
  };
}

async function oneSession(sources, root, env) {
  const spans = [];
  const platform = timeProcesses(sources.nodePlatform(env), spans);
  const events = [];
  const begin = performance.now();
  await runOnce(sources, platform, root, (event) => events.push(event));
  const whole = performance.now() - begin;
  if (process.env.BENCH_TRACE) trace(spans, events, begin);
  const of = (...kinds) => covered(spans.filter((span) => kinds.includes(span.kind)));
  return {
    own: whole - of('agent', 'tests'),
    agent: of('agent'),
    tests: of('tests'),
    git: of('git'),
    runs: spans.filter((span) => span.kind === 'tests').length,
  };
}

function trace(spans, events, begin) {
  for (const span of spans) console.error(`  ${Math.round(span.from - begin)}..${Math.round(span.to - begin)} ${span.kind} ${span.what}`);
  for (const event of events)
    if (event.duration_ms !== undefined) console.error(`  ${event.type} ${event.name ?? ''} ${Math.round(event.duration_ms)} ms`);
}
