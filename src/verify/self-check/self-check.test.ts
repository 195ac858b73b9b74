import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunnerName } from '../../domain/verdict.ts';
import type { SettingsPatch, Bench, FileTable } from '../test-support.ts';
import { openProject, type DeepRunner, type Project } from '../test-support-projects.ts';
import { FAMILIES } from './cheats.ts';
import { runSelfCheck, type SelfCheck } from './self-check.ts';

async function checkOn(
  bench: Bench,
  runner: RunnerName,
  files: FileTable,
  settings: SettingsPatch,
  passing: readonly string[] = [],
): Promise<SelfCheck> {
  const tree = await bench.tree(files);
  return runSelfCheck(bench.platform, {
    ...bench.context(settings),
    lanes: [bench.rooms],
    tree,
    runner,
    facts: {
      paths: Object.keys(files),
      manifest: files['package.json'] ?? null,
      passing: passing.map((path) => ({ path, text: files[path] ?? null })),
      named: [],
      featuresPath: 'features.json',
    },
  });
}

describe.each<DeepRunner>(['node:test', 'vitest', 'jest', 'pytest'])('on %s', (runner) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(runner);
  });
  afterAll(() => project.bench.dispose());

  const settings = { testing: { full: runner === 'pytest' ? 'python -m pytest' : 'npm test' } };

  test('a sound project has every planted cheat noticed and honest work accepted', { timeout: 180_000 }, async () => {
    const check = await checkOn(project.bench, runner, project.base, settings, [project.paths.oldTest]);
    expect(check.results.filter((one) => !one.right)).toEqual([]);
    expect(check.results.map((one) => one.family)).toEqual([null, ...FAMILIES]);
    expect(check.results[0]).toMatchObject({ decision: 'accepted', reasons: [] });
    expect(check).toMatchObject({ state: 'sound', model: project.paths.oldTest });
  });
});
