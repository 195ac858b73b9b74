// How many test runs one accepted verdict takes on each runner, which they are, how long each takes, and which run at the same time.
import { median } from './table.mjs';

const RUNNERS = ['node:test', 'vitest', 'jest', 'pytest'];
const MOST_RUNS = 8;

export async function measure({ quick, sources }) {
  const rows = [];
  for (const runner of RUNNERS) {
    const project = await sources.openProject(runner);
    const verdicts = [];
    for (let time = 0; time < (quick ? 1 : 3); time += 1) verdicts.push(await oneVerdict(project));
    await project.bench.dispose();
    const middle = verdicts.toSorted((one, other) => one.seconds - other.seconds)[verdicts.length >> 1];
    rows.push({
      name: `test runs of one accepted verdict, ${runner} (median of ${verdicts.length})`,
      figure: `${middle.runs.length} runs, ${middle.seconds.toFixed(1)} s = ${(middle.seconds / median(middle.runs.map((run) => (run.to - run.from) / 1_000))).toFixed(1)} x one run: ${inOrder(middle.runs)}`,
      target: `at most ${MOST_RUNS}`,
      met: middle.runs.length <= MOST_RUNS,
    });
  }
  return rows;
}

/** The first time the tests of the base are measured too: they are asked for before the clock starts. */
async function oneVerdict(project) {
  await project.verdictOf(project.base, { untilObjection: true });
  const runs = [];
  const begin = performance.now();
  const observe = (purpose, run) => {
    const to = performance.now() - begin;
    runs.push({ purpose, from: to - run.duration_ms, to });
  };
  const verdict = await project.verdictOf(project.honest, { observe });
  if (verdict.decision !== 'accepted') throw new Error(`honest work was ${verdict.decision}: ${JSON.stringify(verdict.findings)}`);
  return { runs, seconds: (performance.now() - begin) / 1_000 };
}

/** `suite 0.9, new tests 0.5, red 0.5 ‖ controls 0.6`: what stands beside ‖ ran at the same time. */
function inOrder(runs) {
  const ordered = runs.toSorted((one, other) => one.from - other.from);
  return ordered
    .map((run, at) => {
      const beside = at > 0 && ordered[at - 1].to > run.from;
      return `${at === 0 ? '' : beside ? ' ‖ ' : ', '}${run.purpose} ${((run.to - run.from) / 1_000).toFixed(1)}`;
    })
    .join('');
}
