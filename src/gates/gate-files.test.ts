import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { answerGate, listGates, takeAnswer, writeGate } from './gate-files.ts';
import { projectGate } from './project-gates.ts';

const platform = nodePlatform({});
const question = projectGate('project.stuck', { feature: 12, sessions: 3 });
let stateDir: string;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'harness-gates-'));
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

const asked = (at = '2026-01-01T00:00:00.000Z') => writeGate(platform, stateDir, { ...question, asked_at: at });

test('a project without questions lists none', async () => {
  expect(await listGates(platform, stateDir)).toEqual([]);
});

test('questions are listed oldest first and only while they wait', async () => {
  await asked('2026-01-02T00:00:00.000Z');
  await writeGate(platform, stateDir, { ...projectGate('project.sanity', { detail: 'x' }), asked_at: '2026-01-01T00:00:00.000Z' });
  expect((await listGates(platform, stateDir)).map((gate) => gate.id)).toEqual(['project.sanity', 'project.stuck']);
  await answerGate(platform, stateDir, 'project.sanity', 'Retry', null);
  expect((await listGates(platform, stateDir)).map((gate) => gate.id)).toEqual(['project.stuck']);
});

test('documents carry the version of their schema and of the program', async () => {
  await asked();
  await answerGate(platform, stateDir, 'project.stuck', '3', 'blocked elsewhere');
  for (const name of ['project.stuck.json', 'project.stuck.answer.json']) {
    const document: unknown = JSON.parse(await readFile(join(stateDir, 'gates', name), 'utf8'));
    expect(document).toMatchObject({ schema_version: 1, harness_version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  }
});

test.each([
  ['skip', 'Skip'],
  ['SPLIT FEATURE', 'Split feature'],
  ['4', 'Abort'],
])('the option %s is understood as %s', async (given, label) => {
  await asked();
  expect(await answerGate(platform, stateDir, 'project.stuck', given, null)).toEqual({ option: label, text: null, by: 'command' });
});

test('an answer in words alone needs no option', async () => {
  await asked();
  expect(await answerGate(platform, stateDir, 'project.stuck', null, 'wait until Monday')).toMatchObject({
    option: null,
    text: 'wait until Monday',
  });
});

test.each(['5', '0', 'Maybe', ''])('an unknown option %j is refused with the choices, and nothing is recorded', async (given) => {
  await asked();
  await expect(answerGate(platform, stateDir, 'project.stuck', given, null)).rejects.toMatchObject({
    exitCode: 2,
    details: expect.arrayContaining([expect.stringContaining('Manual implement')]),
  });
  expect(await readdir(join(stateDir, 'gates'))).toEqual(['project.stuck.json']);
});

test('neither option nor text is no answer', async () => {
  await asked();
  await expect(answerGate(platform, stateDir, 'project.stuck', null, '  ')).rejects.toMatchObject({ exitCode: 2 });
});

test.each(['project.sanity', '../../etc/passwd', 'project.stuck.answer', ''])(
  'an unknown question %j is refused with those that wait',
  async (id) => {
    await asked();
    await expect(answerGate(platform, stateDir, id, 'Skip', null)).rejects.toMatchObject({
      exitCode: 2,
      details: expect.arrayContaining([expect.stringContaining('project.stuck')]),
    });
  },
);

test('an answer is taken once and leaves no question behind', async () => {
  await asked();
  await answerGate(platform, stateDir, 'project.stuck', 'Skip', null);
  expect(await takeAnswer(platform, stateDir, question)).toEqual({ option: 'Skip', text: null, by: 'command' });
  expect(await takeAnswer(platform, stateDir, question)).toBeNull();
  expect(await readdir(join(stateDir, 'gates'))).toEqual([]);
});

test('an answer given to one question is not taken for another with the same id', async () => {
  await asked();
  await answerGate(platform, stateDir, 'project.stuck', 'Skip', null);
  expect(await takeAnswer(platform, stateDir, projectGate('project.stuck', { feature: 15, sessions: 3 }))).toBe('stale');
});

test('a question file that cannot be read is reported by name and left alone', async () => {
  await asked();
  const file = join(stateDir, 'gates', 'project.stuck.json');
  await writeFile(file, '{"id": "project.st');
  await expect(listGates(platform, stateDir)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(file) });
  expect(await readFile(file, 'utf8')).toBe('{"id": "project.st');
});

test('a translated option is kept with its English label as the key, and can be answered in either language', async () => {
  const options = [{ label: 'Scan', shown: '조사', description: '코드를 읽습니다', recommended: false }];
  const translated = { ...question, id: 'workflow.conventions', question: '조사할까요?', options, language: 'ko' };
  await writeGate(platform, stateDir, { ...translated, asked_at: '2026-01-01T00:00:00.000Z' });
  expect((await listGates(platform, stateDir))[0]).toMatchObject({ options, language: 'ko' });
  expect(await answerGate(platform, stateDir, translated.id, '조사', null)).toMatchObject({ option: 'Scan' });
  expect(await takeAnswer(platform, stateDir, translated)).toMatchObject({ option: 'Scan' });
});
