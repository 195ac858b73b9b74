// Choosing the next feature and orienting an agent in a very large project.
import { median, milliseconds } from './table.mjs';

const FEATURES = 10_000;
const TARGET_MS = 50;
const TARGET_TOKENS = 1_000;

export async function measure({ quick, sources }) {
  const features = makeFeatures();
  const text = JSON.stringify({ project: 'bench', features });
  const rules = { maxVerificationSteps: 7, requireTestFile: true };
  const input = { features, skipped: new Set([9_002, 9_003]), setbacks: [], unfinished: [] };
  const runs = quick ? 10 : 30;
  const select = timed(runs, () => sources.nextFeature(input));
  const check = timed(runs, () => sources.findCycles(features));
  const blocked = timed(runs, () => sources.blockedBy(features, 1));
  const together = median(select) + median(check) + median(blocked);
  const parse = timed(runs, () => sources.parseFeatureList(text, rules));
  const tokens = sources.estimateTokens(sources.orientation(factsFor(features)));
  return [
    {
      name: `next feature, circles and blocked features over ${FEATURES} (median of ${runs})`,
      figure: `${milliseconds(together)} (next ${milliseconds(median(select))}, circles ${milliseconds(median(check))}, blocked ${milliseconds(median(blocked))})`,
      target: `under ${TARGET_MS} ms`,
      met: together < TARGET_MS,
    },
    { name: `reading and checking a list of ${FEATURES}`, figure: milliseconds(median(parse)), target: '', met: null },
    {
      name: `orientation with ${FEATURES} features and 1000 sessions, texts at their longest`,
      figure: `${tokens} tokens`,
      target: `at most ${TARGET_TOKENS} tokens`,
      met: tokens <= TARGET_TOKENS,
    },
  ];
}

/** Nine tenths are done; every feature depends on up to three earlier ones. */
function makeFeatures() {
  return Array.from({ length: FEATURES }, (_, index) => ({
    id: index + 1,
    category: `part ${index % 40}`,
    description: `A person can do thing number ${index + 1} and sees the result at once. ${'Details follow. '.repeat(index % 9)}`,
    test_file: `tests/part-${index % 40}/thing-${index + 1}.test.js`,
    verification_steps: ['open the page', 'do the thing', 'see the result'],
    depends_on: [index, Math.floor(index / 2), Math.floor(index / 3)].filter((id, at, all) => id > 0 && all.indexOf(id) === at),
    priority: FEATURES - index,
    passes: index < 0.9 * FEATURES,
  }));
}

function factsFor(features) {
  const long = 'a long sentence about what was decided and why it had to be so '.repeat(20);
  const next = features.find((feature) => !feature.passes);
  return {
    session: 1_000,
    project: 'bench',
    passing: features.filter((feature) => feature.passes).length,
    total: features.length,
    health: 'all baseline tests pass on the current commit',
    last: { session: 999, status: 'complete', feature: { id: next.id - 1, description: long }, commits: ['0123456789abcdef'], reasons: [] },
    task: {
      id: next.id,
      description: long,
      test_files: [next.test_file],
      dependencies: Array.from({ length: 300 }, (_, index) => ({ id: index + 1, passes: true })),
    },
    specification: { path: 'SPEC.md', part: long },
    instructions: long,
    checks: ['tests', 'lint', 'types'].map((name) => ({ name, command: `npm run ${name} -- ${long}`, verdict: 'refuses' })),
    helpers: Array.from({ length: 50 }, (_, index) => `tests/part-${index}/helper.js`),
    red_by_design: Array.from({ length: 200 }, (_, index) => `tests/part-${index}/later.test.js`),
    progress: Array.from({ length: 50 }, (_, index) => ({ session: index, feature: index, did: [long, long], left: [long] })),
    key_files: Array.from({ length: 200 }, (_, index) => ({
      path: `src/part-${index}/${'deep/'.repeat(15)}file-${index}.js`,
      note: 'changed often',
    })),
    decisions: Array.from({ length: 200 }, (_, index) => ({ session: index, text: long })),
  };
}

function timed(runs, work) {
  return Array.from({ length: runs }, () => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  });
}
