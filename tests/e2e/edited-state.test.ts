/** State documents that a person has edited: every wrong value is told with its place (exit 2) or lived with, never a defect (exit 1). */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { HONEST as HONEST_CODER, projectWithAgent } from './calculator.ts';
import { ANSWERS, specScene, specWith, TASK as SPEC_TASK } from './spec-support.ts';
import { harness, type Run, type Scene } from './support.ts';
import { FORGET, GO, QUICK, TASK, workflow, workflowScene } from './workflow-scene.ts';

type Json = Record<string, unknown>;

const ABSENT = '0123456789012345678901234567890123456789';
const WRONG: readonly unknown[] = [42, 'no such thing \u0001', ABSENT, null, [], {}];

/** Every field, and those of what the fields hold. */
function placesIn(value: Json, prefix: readonly string[] = []): string[][] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const place = [...prefix, name];
    const nested = typeof inner === 'object' && inner !== null && !Array.isArray(inner) && prefix.length < 2;
    return [place, ...(nested ? placesIn(inner as Json, place) : [])];
  });
}

function withValue(document: Json, [name = '', ...rest]: readonly string[], value: unknown): Json {
  return { ...document, [name]: rest.length === 0 ? value : withValue(document[name] as Json, rest, value) };
}

/** `npm test` tries every third place. */
const STRIDE = isLong ? 1 : 3;

/** Tries wrong values at the places of a document; gives those that end as a defect. */
async function defects(scene: Scene, file: string, command: () => Promise<Run>): Promise<string[]> {
  const path = join(scene.project, '.harness', file);
  const kept = join(scene.folder, 'kept');
  await cp(scene.project, kept, { recursive: true, verbatimSymlinks: true });
  const document = JSON.parse(await readFile(path, 'utf8')) as Json;
  const found: string[] = [];
  for (const [turn, place] of placesIn(document).entries()) {
    if (turn % STRIDE !== 0) continue;
    const value = WRONG[(turn / STRIDE) % WRONG.length];
    await writeFile(path, JSON.stringify(withValue(document, place, value)));
    const run = await command();
    if (run.code === 1) found.push(`${place.join('.')} = ${JSON.stringify(value)}: ${run.stderr.slice(-300)}`);
    await rm(scene.project, { recursive: true, force: true });
    await cp(kept, scene.project, { recursive: true, verbatimSymlinks: true });
  }
  return found;
}

test('a workflow that waits after its checks', { timeout: 600_000 }, async () => {
  const scene = await workflowScene({ 'generator-single': FORGET });
  expect((await workflow(scene, [TASK, ...QUICK], GO)).code).toBe(8);
  expect(await defects(scene, 'state.json', () => workflow(scene, [TASK, ...QUICK]))).toEqual([]);
});

test('a spec that waits for its approval', { timeout: 600_000 }, async () => {
  const scene = await specScene();
  const answers = { ...ANSWERS, 'spec.approval': undefined };
  expect((await specWith(scene, answers, SPEC_TASK, '--mode', 'quick')).code).toBe(8);
  expect(await defects(scene, 'state.json', () => specWith(scene, {}, SPEC_TASK))).toEqual([]);
});

test('a project with a candidate that waits', { timeout: 600_000 }, async () => {
  const scene = await projectWithAgent(`${HONEST_CODER}\necho 'logs/' >> .gitignore`);
  expect((await harness(scene, 'run')).code).toBe(8);
  expect(await defects(scene, 'session_state.json', () => harness(scene, 'run', '--json'))).toEqual([]);
});

/** The tree of nothing: there, and not that of the base commit. */
const OTHER_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

test('a field of a workflow that cannot be is exit 2 with the file and the field', { timeout: 600_000 }, async () => {
  const scene = await workflowScene();
  expect((await workflow(scene, [TASK, ...QUICK], { ...GO, 'workflow.spec': undefined })).code).toBe(8);
  const path = join(scene.project, '.harness/state.json');
  const text = await readFile(path, 'utf8');
  const cases: [string, string][] = [
    ['docs_path', './docs/harness/x/'],
    ['docs_path', 'docs//harness/x/'],
    ['docs_path', 'docs/harness/./x'],
    ['branch', 'no branch'],
    ['slug', 'a/b'],
    ['user_lang', '!!'],
    ['harness.base_tree', ABSENT],
    ['harness.base_tree', 'HEAD'],
    ['harness.base_tree', OTHER_TREE],
    ['harness.base_commit', ABSENT],
  ];
  for (const [field, value] of cases) {
    await writeFile(path, JSON.stringify(withValue(JSON.parse(text) as Json, field.split('.'), value)));
    const run = await workflow(scene, [TASK, ...QUICK], GO);
    expect(run, `${field} = ${value}\n${run.stdout}`).toMatchObject({ code: 2, stderr: expect.stringContaining(field) });
    expect(run.stderr).toContain('state.json');
  }
  await writeFile(path, text);
  expect((await workflow(scene, [TASK, ...QUICK], GO)).code, 'as it was, it goes on').not.toBe(2);
});

test.each([
  ['spec', SPEC_TASK],
  ['workflow', TASK],
  ['init', '--features=features.json'],
])('an empty --agent-command of harness %s is exit 2', async (command, argument) => {
  const scene = await projectWithAgent('exit 0');
  const run = await harness(scene, command, argument, '--agent-command', '');
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('--agent-command') });
});
