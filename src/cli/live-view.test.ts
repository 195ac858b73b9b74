import { expect, test } from 'vitest';
import type { HarnessEvent } from '../domain/event.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { createLiveView } from './live-view.ts';
import type { Sink } from './terminal.ts';

const START: HarnessEvent = { type: 'session.start', session: 1, feature: 2, prompt: 'coding', backend: 'x', model: '', workspace: '' };
const delay = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

function screen(): { sink: Sink; writes: string[] } {
  const writes: string[] = [];
  return { writes, sink: { write: (text) => void writes.push(text), isTTY: true, columns: () => 80, rows: () => 24 } };
}

test('the status stands below everything and is gone at the end', async () => {
  const { sink, writes } = screen();
  const view = createLiveView(nodePlatform({}).clock, sink);
  view.see(START);
  view.print(sink, 'one\n');
  await delay(80);
  expect(writes.join('')).toMatch(/^one\n#2 session 1 {2}agent at work +.*s$/);
  view.print(sink, 'two\n');
  view.close();
  expect(writes.at(-1)).toBe('\r\u001b[2K');
  expect(writes.join('')).not.toContain('\u001b[1A');
});

test('a flood of an agent shows its last lines and how many were not shown, in few writes', async () => {
  const { sink, writes } = screen();
  const view = createLiveView(nodePlatform({}).clock, sink);
  view.see(START);
  for (let line = 0; line < 10_000; line += 1) view.stream(sink, [`line ${line}`], 0);
  await delay(80);
  view.close();
  const text = writes.join('');
  expect(writes.length).toBeLessThan(40);
  expect(text).toContain('line 9999\n');
  expect(text).toMatch(/… \d+ more lines of the agent are not shown/);
  expect(text.split('\n').length).toBeLessThan(400);
});

test('what is always shown keeps its place between the words of an agent', () => {
  const { sink, writes } = screen();
  const view = createLiveView(nodePlatform({}).clock, sink);
  view.stream(sink, ['before'], 3);
  view.print(sink, 'the verdict\n');
  view.stream(sink, ['after'], 0);
  view.close();
  expect(writes.join('')).toBe('  │ … 3 more lines of the agent are not shown\nbefore\nthe verdict\nafter\n');
});

test('the view is taken away and drawn in one write, so that it does not flicker', async () => {
  const { sink, writes } = screen();
  const view = createLiveView(nodePlatform({}).clock, sink);
  view.see(START);
  for (const text of ['one\n', 'two\n']) {
    view.print(sink, text);
    await delay(80);
  }
  expect(writes).toEqual([expect.stringMatching(/^one\n#2 /), expect.stringMatching(/^\r\u001b\[2Ktwo\n#2 /)]);
  view.close();
});

test('nothing is drawn over an open question', async () => {
  const { sink, writes } = screen();
  const view = createLiveView(nodePlatform({}).clock, sink);
  view.see(START);
  view.see({ type: 'gate.asked', gate: { id: 'project.stuck', asked_at: '', header: '', question: '', options: [] } as never });
  view.print(sink, 'text\n');
  await delay(80);
  expect(writes.filter((text) => text !== '')).toEqual(['text\n']);
  view.see({ type: 'gate.answered', id: 'project.stuck', option: null, text: null, by: 'person' });
  view.print(sink, 'more\n');
  await delay(80);
  expect(writes.at(-1)).toContain('#2 session 1  agent at work');
  view.close();
});

test('a terminal that became narrower is cleared of the lines it broke', async () => {
  const { sink, writes } = screen();
  let columns = 80;
  const view = createLiveView(nodePlatform({}).clock, { ...sink, columns: () => columns });
  view.see(START);
  view.print(sink, 'one\n');
  await delay(80);
  columns = 20;
  view.print(sink, 'two\n');
  await delay(80);
  expect(writes.find((text) => text.startsWith('\r'))).toMatch(`\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(3)}two\n`);
  view.close();
});

test('the time that is shown stands still while a person is asked', async () => {
  const { sink, writes } = screen();
  const real = nodePlatform({}).clock;
  let now = 0;
  const view = createLiveView({ ...real, monotonic: () => now }, sink);
  view.see(START);
  now = 5_000;
  view.see({ type: 'gate.asked', gate: { id: 'workflow.spec', asked_at: '', header: '', question: '', options: [] } as never });
  now = 3_600_000;
  view.see({ type: 'gate.answered', id: 'workflow.spec', option: null, text: null, by: 'person' });
  now += 2_000;
  view.print(sink, 'on\n');
  await delay(80);
  view.close();
  expect(writes.join('')).toMatch(/on\n#2 session 1 {2}agent at work +7 s/);
});
