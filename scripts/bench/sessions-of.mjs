// Sessions of one project, one after the other: the flow runs in this process on the real machine, with its processes timed. Prints a list as JSON.
import { pathToFileURL } from 'node:url';
import { runOnce } from './run-once.mjs';
import { covered, timeProcesses } from './spans.mjs';

const { bundle, root, env, sessions } = JSON.parse(process.argv[2]);
const sources = await import(pathToFileURL(bundle).href);
const measured = [];
for (let session = 0; session < sessions; session++) measured.push(await oneSession());
process.stdout.write(`${JSON.stringify(measured)}\n`);

async function oneSession() {
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
