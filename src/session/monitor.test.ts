import { expect, test } from 'vitest';
import { combine, type Monitor, type WatchInput } from './monitor.ts';

const counting = (name: string, wants = false): Monitor<number> => ({
  initial: 0,
  step: (state) => [state + 1, [{ kind: 'note', limit: 'usage', message: `${name}${state + 1}` }]],
  ...(wants ? { wantsFiles: (state) => state === 1 } : {}),
});
const tick: WatchInput = { kind: 'tick', at: 0 };

test('monitors run side by side, each with a state of its own, and speak in their order', () => {
  const watch = combine([counting('a'), counting('b')] as never);
  expect(
    [watch.step(tick), watch.step(tick)].map((said) => said.map((directive) => (directive.kind === 'note' ? directive.message : ''))),
  ).toEqual([
    ['a1', 'b1'],
    ['a2', 'b2'],
  ]);
});

test('files are looked at when one of the monitors wants it in its present state', () => {
  const watch = combine([counting('a'), counting('b', true)] as never);
  const wants = (): boolean => watch.wantsFiles({ type: 'text', text: '' });
  expect(wants()).toBe(false);
  watch.step(tick);
  expect(wants()).toBe(true);
  watch.step(tick);
  expect(wants()).toBe(false);
});

test('two watches made of the same monitors share nothing', () => {
  const monitors = [counting('a')] as never;
  const first = combine(monitors);
  first.step(tick);
  expect(combine(monitors).step(tick)).toEqual([{ kind: 'note', limit: 'usage', message: 'a1' }]);
});
