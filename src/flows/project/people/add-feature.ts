/** `harness add-feature`: one more feature at the end of the list, committed alone. */
import { usageError } from '../../../domain/errors.ts';
import type { Feature } from '../../../domain/feature.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { asTestFile, testFilesOf } from '../../../domain/test-files.ts';
import { appendFeature } from '../list/feature-text.ts';
import { commitList, committedList } from '../list/list-commit.ts';
import type { Project } from '../project.ts';

export interface NewFeature {
  description: string;
  /** None: one is proposed. */
  testFiles: readonly string[];
  category: string | null;
  priority: number | null;
}

export interface AddedReport {
  feature: Feature;
  commit: string | null;
}

/** Changes nothing: the feature as it would stand in the list, and the list's new text. */
export async function planFeature(
  project: Project,
  state: Pick<ProjectState, 'skipped'>,
  wanted: NewFeature,
): Promise<{ feature: Feature; text: string }> {
  const skipped = state.skipped.map((entry) => entry.feature);
  const loaded = await committedList(project, skipped);
  const { features } = loaded.list;
  const description = wanted.description.trim();
  if (description === '')
    throw usageError('The feature needs a description.', 'Say in one sentence what a user can do: harness add-feature "A user can …"');
  const same = features.find((feature) => feature.description.trim().toLowerCase() === description.toLowerCase());
  if (same !== undefined) throw usageError(`Feature #${same.id} already says the same.`, 'Describe what is new about it.');
  const id = Math.max(0, ...features.map((feature) => feature.id)) + 1;
  const testFile = asTestFile(wanted.testFiles) ?? proposeTestFile(features, description);
  if (testFile === null && project.config.features.require_test_file)
    throw usageError(
      'No test file can be proposed, because the list has none to go by.',
      'Name the test that will prove the feature: --test-file PATH',
    );
  const feature: Feature = {
    id,
    ...(wanted.category === null ? {} : { category: wanted.category }),
    description,
    ...(testFile === null ? {} : { test_file: testFile }),
    ...(wanted.priority === null ? {} : { priority: wanted.priority }),
    passes: false,
  };
  return { feature, text: appendFeature(loaded.text, feature) };
}

export async function addFeature(project: Project, state: ProjectState, wanted: NewFeature): Promise<AddedReport> {
  const { feature, text } = await planFeature(project, state, wanted);
  const { id, description } = feature;
  const commit = await commitList(
    project,
    text,
    `Add feature #${id}: ${description.length <= 80 ? description : `${description.slice(0, 79)}…`}`,
    state.skipped.map((entry) => entry.feature),
  );
  project.emit({ type: 'decision', session: null, text: `feature #${id} was added: ${description}`, by: 'user' });
  return { feature, commit };
}

/** Beside the newest test file of the list, named in the same way; null where there is none. */
export function proposeTestFile(features: readonly Pick<Feature, 'test_file'>[], description: string): string | null {
  const model = features.flatMap(testFilesOf).at(-1);
  if (model === undefined) return null;
  const cut = model.lastIndexOf('/') + 1;
  const words = description
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !FILLERS.has(word))
    .slice(0, 5);
  const name = model.slice(cut);
  const [, before, , after] = /^(test[_-])?(.*?)((?:[._-](?:test|spec))?(?:\.\w+)+)$/i.exec(name) ?? [null, '', '', ''];
  const joint = /^test_|_(test|spec)\./.test(name) ? '_' : '-';
  const taken = new Set(features.flatMap(testFilesOf));
  for (let number = 1; ; number++) {
    const slug = [...(words.length === 0 ? ['feature'] : words), ...(number === 1 ? [] : [String(number)])].join(joint);
    const path = `${model.slice(0, cut)}${before ?? ''}${slug}${after ?? ''}`;
    if (!taken.has(path)) return path;
  }
}

const FILLERS: ReadonlySet<string> = new Set(['a', 'an', 'the', 'user', 'users', 'can', 'to', 'of', 'and', 'with', 'is', 'are']);
