/** What the examiner is asked about: the feature, how tests are written here, and what of the candidate it may know. */
import { FeatureListSchema, type Feature } from '../../domain/feature.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { Case } from '../case.ts';
import { twinOf } from '../checks/check-force.ts';
import type { TestSide } from '../checks/test-side.ts';
import { commandSources } from '../run/command-sources.ts';
import { chooseCommand } from '../run/test-command.ts';
import { languageOf } from '../source/source.ts';
import type { ExaminerRequest } from './contract.ts';
import { programFacts } from './program.ts';
import { skeletonOf } from './skeleton.ts';

export async function subjectOf(judged: Case, isOfTests: TestSide): Promise<ExaminerRequest | { why: string }> {
  const { feature, trees, base } = judged;
  const [path] = testFilesOf(feature);
  if (feature === null || path === undefined || languageOf(path) === null)
    return { why: 'the feature has no test file in a language that hidden tests can be written in' };
  const { testing } = judged.settings;
  const manifest = (await trees.read(base.tree, 'package.json'))?.toString('utf8') ?? null;
  const { runner } = chooseCommand(testing.full, testing.report, await commandSources(trees, base.tree, [testing.full]));
  if (runner.single === null) return { why: 'the test command does not report which tests ran' };
  const skeleton = await skeletonOf(judged, isOfTests);
  if (skeleton === '') return { why: 'the change has no name, route or program that a test could use' };
  return {
    feature,
    interface: feature.interface?.trim() || null,
    skeleton,
    program: await programFacts(trees, base.tree),
    stands_on: interfacesBelow(judged.features.trusted, feature),
    style: styleOf(runner.name, path, manifest),
    path: twinOf(path, 'hidden'),
  };
}

/** Everything that names what callers will see: a test may ask for a name in it. */
export function promisesOf({ feature, interface: said, stands_on, program }: ExaminerRequest): string {
  return [
    feature.description,
    ...(feature.verification_steps ?? []),
    said ?? '',
    ...stands_on.map((one) => one.interface),
    ...program,
  ].join('\n');
}

const MOST_BELOW = 12;

/** Interfaces of what the feature stands on, from the trusted list: nearest first. */
export function interfacesBelow(list: string | null, feature: Feature): ExaminerRequest['stands_on'] {
  const features = new Map(featuresIn(list).map((one) => [one.id, one]));
  const ids = new Set(feature.depends_on ?? []);
  for (const id of ids) for (const other of features.get(id)?.depends_on ?? []) ids.add(other);
  return [...ids].slice(0, MOST_BELOW).flatMap((id) => {
    const { description, interface: said } = features.get(id) ?? {};
    return said === undefined || description === undefined ? [] : [{ id, description, interface: said }];
  });
}

function featuresIn(list: string | null): Feature[] {
  try {
    const parsed = FeatureListSchema.safeParse(JSON.parse(list ?? ''));
    return parsed.success ? parsed.data.features : [];
  } catch {
    return [];
  }
}

/** What the author of a test here has to know, without a look at the project. */
function styleOf(runner: string, path: string, manifest: string | null): string {
  if (languageOf(path) === 'python') return `${runner}, Python`;
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const isModule = isTyped || path.endsWith('.mjs') || (!path.endsWith('.cjs') && /"type"\s*:\s*"module"/.test(manifest ?? ''));
  return `${runner}, ${isTyped ? 'TypeScript' : 'JavaScript'}, ${isModule ? 'ES modules (import)' : 'CommonJS (require)'}`;
}
