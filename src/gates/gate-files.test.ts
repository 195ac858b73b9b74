import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { platformWithHome } from '../store/test-support.ts';
import { folderShelf } from '../store/folder-store.ts';
import type { Shelf } from '../store/shelf.ts';
import { answerGate, waitingGates, lookAtAnswer, takeAnswer, writeGate } from './gate-files.ts';
import { projectGate } from './project-gates.ts';

const platform = platformWithHome();
const question = projectGate('project.stuck', { feature: 12, sessions: 3 });
let stateDir: string;
let gates: Shelf;
const NOW = '2026-01-02T00:00:00.000Z';

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'harness-gates-'));
  gates = folderShelf(platform, join(stateDir, 'gates'));
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

const asked = (at = '2026-01-01T00:00:00.000Z') => writeGate(gates, { ...question, asked_at: at });

test('a project without questions lists none', async () => {
  expect(await waitingGates(gates)).toEqual([]);
});

test('questions are listed oldest first and only while they wait', async () => {
  await asked('2026-01-02T00:00:00.000Z');
  await writeGate(gates, { ...projectGate('project.sanity', { detail: 'x' }), asked_at: '2026-01-01T00:00:00.000Z' });
  expect((await waitingGates(gates)).map((gate) => gate.id)).toEqual(['project.sanity', 'project.stuck:12']);
  await answerGate(gates, 'project.sanity', { option: 'Retry', text: null, at: NOW });
  expect((await waitingGates(gates)).map((gate) => gate.id)).toEqual(['project.stuck:12']);
});

test('documents carry the version of their schema and of the program', async () => {
  await asked();
  await answerGate(gates, 'project.stuck', { option: '3', text: 'blocked elsewhere', at: NOW });
  for (const name of ['project.stuck:12.json', 'project.stuck:12.answer.json']) {
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
  expect(await answerGate(gates, 'project.stuck', { option: given, text: null, at: NOW })).toEqual({
    id: 'project.stuck:12',
    option: label,
    text: null,
    by: 'command',
  });
});

test('an answer in words alone needs no option', async () => {
  await asked();
  expect(await answerGate(gates, 'project.stuck', { option: null, text: 'wait until Monday', at: NOW })).toMatchObject({
    option: null,
    text: 'wait until Monday',
  });
});

test.each(['6', '0', 'Maybe', ''])('an unknown option %j is refused with the choices, and nothing is recorded', async (given) => {
  await asked();
  await expect(answerGate(gates, 'project.stuck', { option: given, text: null, at: NOW })).rejects.toMatchObject({
    exitCode: 2,
    details: expect.arrayContaining([expect.stringContaining('Manual implement')]),
  });
  expect(await readdir(join(stateDir, 'gates'))).toEqual(['project.stuck:12.json']);
});

test('neither option nor text is no answer', async () => {
  await asked();
  await expect(answerGate(gates, 'project.stuck', { option: null, text: '  ', at: NOW })).rejects.toMatchObject({ exitCode: 2 });
});

test.each(['project.sanity', '../../etc/passwd', 'project.stuck.answer', ''])(
  'an unknown question %j is refused with those that wait',
  async (id) => {
    await asked();
    await expect(answerGate(gates, id, { option: 'Skip', text: null, at: NOW })).rejects.toMatchObject({
      exitCode: 2,
      details: expect.arrayContaining([expect.stringContaining('project.stuck')]),
    });
  },
);

test('an answer is taken once and leaves no question behind', async () => {
  await asked();
  await answerGate(gates, 'project.stuck', { option: 'Skip', text: null, at: NOW });
  expect(await takeAnswer(gates, question)).toEqual({ option: 'Skip', text: null, by: 'command' });
  expect(await takeAnswer(gates, question)).toBeNull();
  expect(await readdir(join(stateDir, 'gates'))).toEqual([]);
});

test('an answer given to one question is not taken for another with the same id', async () => {
  await asked();
  await answerGate(gates, 'project.stuck', { option: 'Skip', text: null, at: NOW });
  expect(await takeAnswer(gates, projectGate('project.stuck', { feature: 15, sessions: 3 }))).toBeNull();
  expect(await takeAnswer(gates, projectGate('project.stuck', { feature: 12, sessions: 4 }))).toBe('stale');
});

test('where several of a kind wait, each is named by its subject, and the kind alone names none', async () => {
  await asked();
  await writeGate(gates, { ...projectGate('project.stuck', { feature: 15, sessions: 3 }), asked_at: NOW });
  expect((await waitingGates(gates)).map(({ id }) => id)).toEqual(['project.stuck:12', 'project.stuck:15']);
  const answer = { option: 'Skip', text: null, at: NOW };
  await expect(answerGate(gates, 'project.stuck', answer)).rejects.toMatchObject({
    exitCode: 2,
    details: [expect.stringContaining('project.stuck:12'), expect.stringContaining('project.stuck:15')],
  });
  expect(await answerGate(gates, 'project.stuck:15', answer)).toMatchObject({ id: 'project.stuck:15' });
  expect((await waitingGates(gates)).map(({ id }) => id)).toEqual(['project.stuck:12']);
  expect(await answerGate(gates, 'project.stuck', answer)).toMatchObject({ id: 'project.stuck:12' });
});

test('a question that was written without its subject by an older version is the same question', async () => {
  await writeGate(gates, { ...question, id: 'project.stuck', asked_at: NOW });
  await answerGate(gates, 'project.stuck', { option: 'Skip', text: null, at: NOW });
  expect(await lookAtAnswer(gates, question)).toMatchObject({ option: 'Skip' });
  expect(await takeAnswer(gates, projectGate('project.stuck', { feature: 15, sessions: 3 }))).toBeNull();
  expect(await takeAnswer(gates, question)).toMatchObject({ option: 'Skip' });
});

test('a question file that cannot be read is reported by name and left alone', async () => {
  await asked();
  const file = join(stateDir, 'gates', 'project.stuck:12.json');
  await writeFile(file, '{"id": "project.st');
  await expect(waitingGates(gates)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining(file) });
  expect(await readFile(file, 'utf8')).toBe('{"id": "project.st');
});

test('a translated option is kept with its English label as the key, and can be answered in either language', async () => {
  const options = [{ label: 'Scan', shown: '조사', description: '코드를 읽습니다', recommended: false }];
  const translated = { ...question, id: 'workflow.conventions', question: '조사할까요?', options, language: 'ko' };
  await writeGate(gates, { ...translated, asked_at: '2026-01-01T00:00:00.000Z' });
  expect((await waitingGates(gates))[0]).toMatchObject({ options, language: 'ko' });
  expect(await answerGate(gates, translated.id, { option: '조사', text: null, at: NOW })).toMatchObject({ option: 'Scan' });
  expect(await takeAnswer(gates, translated)).toMatchObject({ option: 'Scan' });
});
