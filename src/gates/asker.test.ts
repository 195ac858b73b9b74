import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HarnessEvent } from '../domain/event.ts';
import { platformWithHome } from '../store/test-support.ts';
import { createAsker, type AskerOptions } from './asker.ts';
import { folderShelf } from '../store/folder-store.ts';
import type { Shelf } from '../store/shelf.ts';
import { answerGate, waitingGates } from './gate-files.ts';
import { projectGate } from './project-gates.ts';
import type { Prompt } from './question.ts';

const platform = platformWithHome();
const stuck = projectGate('project.stuck', { feature: 12, sessions: 3 });
const regression = projectGate('project.regression', { session: 7, tests: ['a'] });
const override = projectGate('project.override', { feature: 11, passes: true });
let stateDir: string;
let gates: Shelf;
const NOW = '2026-01-02T00:00:00.000Z';
let events: HarnessEvent[];

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'harness-asker-'));
  gates = folderShelf(platform, join(stateDir, 'gates'));
  events = [];
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

function asker(options: Partial<AskerOptions> = {}) {
  return createAsker({
    platform,
    gates,
    interactive: false,
    answers: {},
    yes: false,
    approve: [],
    emit: (event) => events.push(event),
    ...options,
  });
}

describe('without a terminal', () => {
  test('a question nobody answers is written down and stays pending', async () => {
    expect(await asker().ask(stuck)).toBe('pending');
    expect(await waitingGates(gates)).toMatchObject([{ id: 'project.stuck:12', question: stuck.question }]);
    expect(events).toMatchObject([{ type: 'gate.asked', gate: { id: 'project.stuck:12' } }]);
  });

  test('a question and its answer are recorded before they are shown', async () => {
    const order: string[] = [];
    const one = asker({ emit: ({ type }) => order.push(`shown ${type}`) });
    const record = ({ type }: HarnessEvent) => void order.push(`recorded ${type}`);
    await one.leave(stuck, record);
    await answerGate(gates, stuck.id, { option: 'Skip', text: null, at: NOW });
    await one.ask(stuck, record);
    expect(order).toEqual(['recorded gate.asked', 'shown gate.asked', 'recorded gate.answered', 'shown gate.answered']);
  });

  test('a question asked again keeps the time at which it was asked first', async () => {
    await asker().ask(stuck);
    const [first] = await waitingGates(gates);
    await platform.clock.sleep(5);
    await asker().ask(stuck);
    expect(await waitingGates(gates)).toEqual([first]);
  });

  test('the same command goes on with what harness answer recorded, before every other source, once', async () => {
    await asker().ask(stuck);
    await answerGate(gates, stuck.id, { option: 'Skip', text: null, at: NOW });
    const second = asker({ answers: { 'project.stuck': [{ option: 'Abort', text: null }] } });
    expect(await second.ask(stuck)).toEqual({ option: 'Skip', text: null, by: 'command' });
    expect(await second.ask(stuck)).toEqual({ option: 'Abort', text: null, by: 'answers' });
    expect(await second.ask(stuck)).toBe('pending');
  });

  test('an answer to another question is named and not used', async () => {
    await asker().ask(projectGate('project.stuck', { feature: 12, sessions: 9 }));
    await answerGate(gates, stuck.id, { option: 'Skip', text: null, at: NOW });
    expect(await asker().ask(stuck)).toBe('pending');
    expect(events.filter((event) => event.type === 'warning')).toHaveLength(1);
  });

  test('an option that the answers file invents is refused with the choices', async () => {
    await expect(asker({ answers: { 'project.stuck': [{ option: 'Explode', text: null }] } }).ask(stuck)).rejects.toMatchObject({
      exitCode: 2,
      details: expect.arrayContaining([expect.stringContaining('Skip')]),
    });
  });

  test('an answered question no longer waits', async () => {
    await asker().ask(regression);
    await asker({ yes: true }).ask(regression);
    expect(await waitingGates(gates)).toEqual([]);
  });
});

describe('--yes', () => {
  test('takes the recommended option', async () => {
    expect(await asker({ yes: true }).ask(regression)).toEqual({ option: 'Rollback', text: null, by: 'yes' });
  });

  test('leaves a question without a recommendation to a person', async () => {
    expect(await asker({ yes: true }).ask(stuck)).toBe('pending');
  });

  test('never answers a question that only a person may decide, recommended or not', async () => {
    const options = override.options.map((option, index) => ({ ...option, recommended: index === 0 }));
    expect(await asker({ yes: true }).ask({ ...override, options })).toBe('pending');
  });
});

describe('--approve', () => {
  test('agrees to the named question once', async () => {
    const approving = asker({ approve: ['project.override'] });
    expect(await approving.ask(override)).toEqual({ option: 'Yes', text: null, by: 'approve' });
    expect(await approving.ask(override)).toBe('pending');
  });

  test('says nothing about other questions', async () => {
    expect(await asker({ approve: ['project.abort'] }).ask(override)).toBe('pending');
  });
});

describe('on a terminal', () => {
  const never: Prompt = (_question, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));

  test('the person is asked, and the answer settles the question', async () => {
    const answer = await asker({ interactive: true, prompt: async () => ({ option: null, text: 'my way' }) }).ask(stuck);
    expect(answer).toEqual({ option: null, text: 'my way', by: 'terminal' });
    expect(await waitingGates(gates)).toEqual([]);
    expect(events.map((event) => event.type)).toEqual(['gate.asked', 'gate.answered']);
  });

  test('leaving the prompt interrupts the command, and the question waits', async () => {
    await expect(asker({ interactive: true, prompt: async () => null }).ask(stuck)).rejects.toMatchObject({ exitCode: 130 });
    expect(await waitingGates(gates)).toHaveLength(1);
  });

  test('a signal ends the prompt when the terminal is gone, and the question waits', async () => {
    const gone = new AbortController();
    const pending = asker({ interactive: true, prompt: never, signal: gone.signal }).ask(stuck);
    await expect.poll(() => waitingGates(gates)).toHaveLength(1);
    gone.abort();
    await expect(pending).rejects.toMatchObject({ exitCode: 130 });
    expect(await waitingGates(gates)).toHaveLength(1);
  });

  test('an answer from another terminal ends the prompt', async () => {
    const pending = asker({ interactive: true, prompt: never }).ask(stuck);
    await expect.poll(() => waitingGates(gates)).toHaveLength(1);
    await answerGate(gates, stuck.id, { option: 'Abort', text: null, at: NOW });
    expect(await pending).toEqual({ option: 'Abort', text: null, by: 'command' });
  });
});

test('waiting for an answer ends with the signal', async () => {
  const over = new AbortController();
  const waiting = asker().waitForAnswer(stuck, over.signal);
  over.abort();
  expect(await waiting).toBeNull();
});
