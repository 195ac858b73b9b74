import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '../domain/feature.ts';
import type { Verdict } from '../domain/verdict.ts';
import { createEvidenceCollector } from './checks/evidence.ts';
import { openProject, type Project } from './test-support-projects.ts';
import type { FileTable } from './test-support.ts';

let project: Project;
beforeAll(async () => void (project = await openProject('node:test')));
afterAll(() => project.bench.dispose());

const MORE = 'test/subtract-more.test.js';
const more = (body: string): string => project.tests({ 'below zero': body });

async function judged(files: FileTable, test_file: Feature['test_file'] = [project.paths.newTest, MORE]): Promise<Verdict> {
  const feature: Feature = { ...project.feature, test_file };
  const listed = (text: string): string =>
    JSON.stringify({
      ...JSON.parse(text),
      features: (JSON.parse(text) as { features: Feature[] }).features.map((one) => (one.id === 2 ? { ...one, test_file } : one)),
    });
  const base = { ...project.base, 'features.json': listed(project.base['features.json']!) };
  const candidate = { ...project.honest, ...files, 'features.json': listed(project.honest['features.json']!) };
  return project.verdictOf(candidate, { feature, baseFiles: base });
}

const told = (verdict: Verdict): string[] => verdict.findings.map((one) => `${one.weight} ${one.reason}: ${one.message}`);

describe('a feature with several test files', () => {
  test('is proved by all of them', async () => {
    const verdict = await judged({ [MORE]: more(project.equal('subtract(1, 3)', '-2')) });
    expect(told(verdict)).toEqual([]);
    expect(verdict).toMatchObject({
      decision: 'accepted',
      feature_tests: [project.newId, `${MORE}::below zero`],
      red_to_green: [project.newId, `${MORE}::below zero`],
    });
  });

  test('is not proved while one is missing', async () => {
    const verdict = await judged({});
    expect(verdict.reasons).toEqual(['test.none_ran']);
    expect(verdict.findings[0]).toMatchObject({ subjects: [MORE] });
  });

  test('is not proved while a test of one fails', async () => {
    const verdict = await judged({ [MORE]: more(project.equal('subtract(1, 3)', '2')) });
    expect(verdict).toMatchObject({ decision: 'rejected', reasons: ['test.failed'] });
    expect(verdict.findings[0]?.message).toContain(MORE);
  });

  test('is asked about where one of them shows nothing', async () => {
    const verdict = await judged({ [MORE]: project.tests({ nothing: project.equal('1 + 1', '2') }, '') });
    expect(verdict).toMatchObject({ decision: 'needs_human', reasons: ['test.not_red'] });
    expect(verdict.findings.find((one) => one.weight === 'ask')).toMatchObject({ subjects: [MORE] });
  });
});

test('a list of one is the same as a path, and tests that stand in the file of another feature are told', async () => {
  const both = project.tests(
    { adds: project.equal('add(1, 2)', '3'), 'takes away': project.equal('subtract(2, 2)', '0') },
    "import { add } from '../src/add.js';\nimport { subtract } from '../src/subtract.js';\n",
  );
  const verdict = await judged({ [project.paths.oldTest]: both }, [project.paths.newTest]);
  expect(verdict).toMatchObject({ decision: 'accepted', feature_tests: [project.newId] });
  expect(verdict.findings).toEqual([
    expect.objectContaining({ reason: 'test.elsewhere', weight: 'warn', subjects: [`${project.paths.oldTest}::takes away`] }),
  ]);
  expect(verdict.findings[0]?.message).toContain('#1');
});

test('evidence is wanted for each file', () => {
  const collector = createEvidenceCollector(['test/a.test.js', 'test/b.test.js']);
  collector.add('node --test test/a.test.js\n# pass 1\n# fail 0');
  expect(collector.result()).toMatchObject({ shown: false, unseenFiles: ['test/b.test.js'] });
  collector.add('node --test test/b.test.js\n# pass 1\n# fail 0');
  expect(collector.result()).toMatchObject({ shown: true, unseenFiles: [] });
});
