import { expect, test } from 'vitest';
import type { HarnessEvent } from '../domain/event.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { createOutput, type CommandOutput, type OutputSettings } from './output.ts';

const ESCALATION: HarnessEvent = { type: 'escalation', trigger: 'project.stuck', message: 'What now?', options: ['Skip'], file: '/p/e.md' };
const ASKED = { type: 'gate.asked', gate: { id: 'project.stuck', asked_at: '', header: '', question: 'What now?', options: [] } } as never;

function person(columns: () => number = () => 80, change: Partial<OutputSettings> = {}): { output: CommandOutput; seen(): string } {
  let text = '';
  const sink = { write: (part: string) => void (text += part), isTTY: true, columns, rows: () => 24 };
  const output = createOutput(
    nodePlatform({}).clock,
    { stdout: sink, stderr: sink, stdinIsTTY: true },
    { json: false, quiet: false, colour: false, form: 'object', redraws: true, interactive: true, ...change },
  );
  return { output, seen: () => text };
}

test('what a prompt asks is not told before it in other words', () => {
  const { output, seen } = person();
  output.emit(ESCALATION);
  output.emit(ASKED);
  output.finish({ exitCode: 0 });
  expect(seen()).toBe('');
});

test('an escalation that no prompt follows is told', () => {
  for (const end of [
    (output: CommandOutput) => output.emit({ type: 'progress', message: 'next' }),
    (output: CommandOutput) => output.fail({ message: 'next', details: [], exitCode: 3, defect: null }),
  ]) {
    const { output, seen } = person();
    output.emit(ESCALATION);
    end(output);
    expect(seen()).toMatch(/^Your decision is needed: What now\?\n {2}options: Skip\n.*\/p\/e\.md\nnext\n$/);
  }
});

test('a line that the agent was seen saying is not said again by the harness; where the agent is not shown, it is', () => {
  const says = (output: CommandOutput): void => {
    output.emit({ type: 'agent.text', session: 1, text: 'spec written — add adds' });
    output.emit({ type: 'progress', message: '  ✓ spec written — add adds' });
    output.emit({ type: 'progress', message: '[harness] Plan complete.' });
    output.finish({ exitCode: 0 });
  };
  for (const change of [{ form: 'stream' as const, redraws: false }, { form: 'stream' as const }]) {
    const { output, seen } = person(() => 80, change);
    says(output);
    expect(seen().split('spec written — add adds')).toHaveLength(2);
    expect(seen()).toContain('Plan complete.');
  }
  const script = { write: (part: string) => void (text += part), isTTY: false, columns: () => 80, rows: () => 24 };
  let text = '';
  const terminal = { stdout: { ...script, write: () => undefined }, stderr: script, stdinIsTTY: false };
  const settings = { json: true, quiet: false, colour: false, form: 'stream' as const, redraws: false, interactive: false };
  says(createOutput(nodePlatform({}).clock, terminal, settings));
  expect(text).toContain('✓ spec written — add adds');
});

test('lines follow the width of the terminal while it changes', () => {
  let columns = 81;
  const { output, seen } = person(() => columns);
  output.note('word '.repeat(14).trim());
  columns = 51;
  output.note('word '.repeat(14).trim());
  expect(seen().trim().split('\n')).toHaveLength(3);
});

test('a terminal that cannot take anything back gets lines and nothing else', () => {
  const start: HarnessEvent = { type: 'session.start', session: 1, feature: 2, prompt: 'coding', backend: 'x', model: '', workspace: '' };
  for (const redraws of [true, false]) {
    const { output, seen } = person(() => 80, { form: 'stream', redraws });
    output.emit(start);
    output.note('one');
    output.emit({ type: 'gate.answered', id: 'project.stuck', option: 'Skip', text: null, by: 'terminal' });
    output.finish({ exitCode: 0 });
    expect(seen().includes('\u001b')).toBe(redraws);
  }
});

test('answers and problems are broken between words on a terminal', () => {
  const { output, seen } = person(() => 45);
  output.object({}, `Status:  fine\n  ${'word '.repeat(12).trim()}`);
  output.fail({ message: 'problem '.repeat(8).trim(), details: ['detail '.repeat(8).trim()], exitCode: 2, defect: null });
  const lines = seen().trimEnd().split('\n');
  expect(lines).toHaveLength(7);
  expect(lines[0]).toBe('Status:  fine');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(45);
  expect(lines[2]).toMatch(/^ {2}word/);
});

test('a phase that goes on in another round is not told twice', () => {
  const { output, seen } = person();
  const phase: HarnessEvent = { type: 'flow.phase', flow: 'spec', phase: 'qa_active', label: 'Q&A' };
  output.emit(phase);
  output.emit({ ...phase, round: { number: 2, of: 3 } });
  output.emit({ ...phase, phase: 'gen_ready', label: 'Spec' });
  expect(seen()).toBe('Q&A\nSpec\n');
});
