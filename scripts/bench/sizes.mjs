// The parts of a session whose cost must follow what changed: the agent's copy, its capture, clean rooms, a verdict. On small, large and
// very large projects, the first time and again with one file changed; a verdict with results looked up against one that runs everything.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeProject } from './project.mjs';
import { covered, timeProcesses } from './spans.mjs';
import { median, milliseconds } from './table.mjs';

const SIZES = [50, 5_000, 50_000];

export async function measure({ scratch, quick, sources }) {
  const rows = [];
  for (const files of quick ? SIZES.slice(0, 2) : SIZES) {
    const { root, env } = await makeProject(join(scratch, `sizes-${files}`), { files, features: 1 });
    rows.push(
      ...(await held(sources, env, root, (project, state, spans) =>
        oneSize(sources, project, state, { files, spans, runs: quick ? 2 : 3 }),
      )),
    );
  }
  return rows;
}

async function held(sources, env, root, work) {
  const spans = [];
  const signal = new AbortController().signal;
  const platform = timeProcesses(sources.nodePlatform(env), spans);
  return sources.asWriter(platform, root, { emit: () => {}, signal, command: 'bench' }, (project, state) => work(project, state, spans));
}

async function oneSize(sources, project, state, { files, spans, runs }) {
  const { loaded, head } = await sources.readTrusted(project, state);
  const of = (name, first, again) => ({
    name: `${name}, ${files.toLocaleString('en')} files`,
    figure: `${milliseconds(first)} the first time, ${milliseconds(again)} with one file changed (median of ${runs})`,
    target: '',
    met: null,
  });
  const changed = (round) => ({ path: 'src/part-0/file-0.js', kind: 'write', content: `export const value0 = ${round};\n` });
  const copies = await copyAndCapture(sources, project, head, { runs, changed });
  const rooms = await cleanRooms(sources, project, head, { runs, changed });
  return [
    of('preparing the agent’s copy', ...copies.prepared),
    of('capturing the agent’s work', ...copies.captured),
    of('preparing a clean room', ...rooms),
    ...(await verdicts(sources, project, state, { loaded, head, files, spans, runs })),
  ];
}

async function copyAndCapture(sources, project, head, { runs, changed }) {
  const { platform, home, harnessHome, trees: store } = project;
  const [prepared, captured] = [[], []];
  for (let round = 0; round <= runs; round++) {
    const edit = changed(round);
    const tree = round === 0 ? head.tree : await store.compose(head.tree, [edit]);
    const copy = await sources.prepareWorkspace(platform, { home, harnessHome, base: head.commit, tree, lane: 'bench', store });
    prepared.push(copy.duration_ms);
    await writeFile(join(copy.path, edit.path), `${edit.content}// changed\n`);
    const capture = await sources.captureWorkspace(platform, {
      home,
      store,
      copy: round === 0 ? { ...copy, manifest: null } : copy,
      baseTree: head.tree,
      ref: 'refs/harness/candidates/bench',
      message: 'bench',
    });
    captured.push(capture.duration_ms);
  }
  const both = (times) => [times[0], median(times.slice(1))];
  return { prepared: both(prepared), captured: both(captured) };
}

async function cleanRooms(sources, project, head, { runs, changed }) {
  const { platform, home, harnessHome, trees: store } = project;
  const rooms = sources.createCleanRooms(platform, { home, harnessHome, store, lane: 'bench' });
  const times = [];
  for (let round = 0; round <= runs; round++) {
    const tree = round === 0 ? head.tree : await store.compose(head.tree, [changed(round)]);
    times.push(await timed(() => rooms.prepare(tree, { name: 'judge' })));
  }
  return [times[0], median(times.slice(1))];
}

/** The same honest candidate is judged again and again: with every run made anew, and with what passed before looked up. */
async function verdicts(sources, project, state, { loaded, head, files, spans, runs }) {
  const plan = sources.planSession(state, loaded.list, { cleanup: false });
  const test = `import { equal } from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { answer } from '../src/answers/answer-1.js';\ntest('answers with 1', () => equal(answer(), 1));\n`;
  const tree = await project.trees.compose(head.tree, [
    { path: 'src/answers/answer-1.js', kind: 'write', content: 'export const answer = () => 1;\n' },
    { path: 'tests/answer-1.test.js', kind: 'write', content: test },
    { path: 'features.json', kind: 'write', content: loaded.text.replace('"passes": false', '"passes": true') },
  ]);
  const evidence = { mentionsTestFile: true, passingSummary: 'node:test', endedFailing: false, shown: true };
  const baseline = await sources.readBaseline(project, { writer: false });
  const { session, feature, prompt } = plan;
  const start = { session, feature: feature.id, prompt, base: head.commit, branch: head.branch, started_at: new Date().toISOString() };
  const flight = { ...sources.newFlight(start), tree, evidence };
  const brief = await sources.briefAtBase(project, state, flight);
  const judge = async (noCache) => {
    const from = spans.length;
    let verdict;
    const whole = await timed(async () => {
      ({ verdict } = await sources.judgeCandidate({ ...project, noCache }, flight, brief, baseline));
    });
    if (verdict.decision !== 'accepted') throw new Error(`the verdict was ${verdict.decision}: ${verdict.reasons.join(', ')}`);
    const own = spans.slice(from).filter((span) => span.kind === 'tests');
    return { whole, own: whole - covered(own), runs: own.length };
  };
  const times = { uncached: [], cached: [] };
  const first = await judge(false);
  for (let round = 0; round < runs; round++) {
    times.uncached.push(await judge(true));
    times.cached.push(await judge(false));
  }
  const middle = (list, part) => median(list.map((one) => one[part]));
  const [uncached, cached] = [middle(times.uncached, 'whole'), middle(times.cached, 'whole')];
  const where = `${files.toLocaleString('en')} files`;
  return [
    {
      name: `verdict beyond its test runs, ${where}`,
      figure: `${milliseconds(first.own)} the first time, ${milliseconds(middle(times.uncached, 'own'))} again (median of ${runs})`,
      target: '',
      met: null,
    },
    {
      name: `verdict with results looked up against none, ${where}`,
      figure: `${(cached / uncached).toFixed(2)} x (${milliseconds(cached)}, ${middle(times.cached, 'runs')} runs, against ${milliseconds(uncached)}, ${middle(times.uncached, 'runs')} runs)`,
      target: '',
      met: null,
    },
  ];
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
