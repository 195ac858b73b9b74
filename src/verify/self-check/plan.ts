/**
 * What the self-check puts into the project: pure, from the trusted tree's paths to edits.
 *
 * 1. The project's configuration stays as it is; its own tests are left out, so that only the set-up is tried and the check is quick.
 * 2. Every case is a claim of the same open feature on the same ground.
 */
import type { CheatFamily } from '../../domain/cheat-family.ts';
import type { Feature, FeatureList } from '../../domain/feature.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import type { CheckName } from '../../domain/verdict.ts';
import { languageOf } from '../source/source.ts';
import { isTestFile } from '../checks/protected-paths.ts';
import { ACCEPTED, CHEATS, groundFiles, HONEST, honestFiles, type Files } from './cheats.ts';
import type { DeepRunner } from '../runners/runner.ts';
import { dialectFor, type Model } from './dialect.ts';

export interface PlanFacts {
  runner: DeepRunner;
  paths: readonly string[];
  manifest: string | null;
  /** Files with tests that pass, best first. */
  passing: readonly Model[];
  /** Test files that features name, written or not. */
  named: readonly string[];
  featuresPath: string;
}

export interface Case {
  /** null: the honest change. */
  family: CheatFamily | null;
  title: string;
  by: CheckName | null;
  feature: Feature;
  /** On the ground, alone: new tests that fail beside it would be asked about. */
  edits: TreeEdit[];
  /** The list as the agent leaves it. */
  list: string;
}

export interface SelfCheckPlan {
  model: string;
  ground: TreeEdit[];
  /** The trusted list. */
  list: string;
  cases: Case[];
}

export function planSelfCheck(facts: PlanFacts): SelfCheckPlan {
  const model = chooseModel(facts);
  const stems = new Set(facts.paths.map((path) => path.replace(/\.[^/]*$/, '')));
  const t = dialectFor(facts.runner, model, { isModule: manifestType(facts.manifest) === 'module', isTaken: (stem) => stems.has(stem) });
  const honest = { family: null, name: HONEST, title: 'an honest change', by: null, files: honestFiles };
  const entries = [honest, ...CHEATS].map((cheat, at) => {
    const feature: Feature = {
      id: at + 2,
      description: `A user is greeted in way ${at + 1}`,
      test_file: t.testPath(cheat.name),
      passes: false,
    };
    return { cheat, feature, edits: editsOf(cheat.files(t, cheat.name, { manifest: facts.manifest })) };
  });
  const accepted: Feature = { id: 1, description: 'A user shouts a word', test_file: t.testPath(ACCEPTED), passes: true };
  const listWith = (change: Feature | null): string => {
    const open = entries.map((entry) => (entry.feature.id === change?.id ? change : entry.feature));
    return `${JSON.stringify({ project: 'self-check', features: [accepted, ...open] } satisfies FeatureList, null, 2)}\n`;
  };
  const own = new Set([...facts.passing.map((one) => one.path), ...facts.named]);
  const removed = facts.paths.filter((path) => own.has(path) || isTestFile(path)).map((path): TreeEdit => ({ path, kind: 'delete' }));
  return {
    model: model.path,
    ground: [...removed, ...editsOf(groundFiles(t)), { path: facts.featuresPath, kind: 'write', content: listWith(null) }],
    list: listWith(null),
    cases: entries.map(({ cheat, feature, edits }) => ({
      family: cheat.family,
      title: cheat.title,
      by: cheat.by,
      feature,
      edits,
      list: listWith({ ...feature, ...('edits' in cheat ? { description: 'Something is printed' } : {}), passes: true }),
    })),
  };
}

/** A file with passing tests; else one that a feature names; else what the runner picks up by default. */
function chooseModel(facts: PlanFacts): Model {
  const fits = (path: string): boolean => languageOf(path) === facts.runner.single.language;
  const passing =
    facts.passing.find((one) => fits(one.path) && !/require\.main|import\.meta\.url/.test(one.text ?? '')) ??
    facts.passing.find((one) => fits(one.path));
  if (passing !== undefined) return passing;
  const named = facts.named.find(fits);
  if (named !== undefined) return { path: named, text: null };
  return { path: facts.runner.single.firstTest, text: null };
}

function editsOf(files: Files): TreeEdit[] {
  return Object.entries(files).map(([path, content]) => (content === null ? { path, kind: 'delete' } : { path, kind: 'write', content }));
}

function manifestType(manifest: string | null): unknown {
  try {
    return (JSON.parse(manifest ?? '{}') as { type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
}
