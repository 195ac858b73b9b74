import { expect, test } from 'vitest';
import { inWords, PLAIN, settingsLines, together, variationsOf } from './variations.ts';

test('one thing is varied at a time: colours, what the person has set, a terminal, the rest of a fixed list', () => {
  const varied = variationsOf({ TZ: 'Asia/Tokyo', LANG: 'C.UTF-8', SECRET: 'x', CI: '' }, { LANG: 'C.UTF-8' });
  expect(varied.map((one) => inWords(one))).toEqual([
    'with FORCE_COLOR=1',
    'with TZ=Asia/Tokyo',
    'at a terminal',
    'with NO_COLOR=1',
    'with CI=true',
    'with LC_ALL=en_US.UTF-8',
    'with LC_ALL=C.UTF-8',
    'with TZ=UTC',
    'with TERM=dumb',
  ]);
});

test('a value of the person is not tried twice', () => {
  const varied = variationsOf({ FORCE_COLOR: '1', CI: 'true' }).flatMap(({ env }) => Object.entries(env).map((one) => one.join('=')));
  expect(varied.slice(0, 2)).toEqual(['FORCE_COLOR=1', 'CI=true']);
  expect(new Set(varied).size).toBe(varied.length);
});

test('several together are one setting', () => {
  const both = together(together(PLAIN, { env: { TZ: 'UTC' }, terminal: false }), { env: { CI: 'true' }, terminal: true });
  expect(settingsLines(both)).toEqual(['env:', '  TZ: "UTC"', '  CI: "true"', 'terminal: true']);
  expect(inWords(both)).toBe('with TZ=UTC CI=true at a terminal');
});
