import { describe, expect, test } from 'vitest';
import { analystLine, countIds, criticCounts, dispatchFailedLine, nothingFound, parseFailedLine } from './machine/reply-lines.ts';
import { routingSignal } from './machine/routing.ts';

describe("an analyst's line", () => {
  test('is the last one that is not blank', () => {
    expect(analystLine('I wrote it.\n\nrisk analysis written — 4 risks\n\n  \n')).toBe('risk analysis written — 4 risks');
  });

  test.each(['', 'done', 'risk analysis written', 'risk analysis written - 4 risks', 'risk analysis written — 4\nthank you'])(
    'that breaks its form is none: %j',
    (reply) => expect(analystLine(reply)).toBeNull(),
  );
});

describe('nothing was found', () => {
  const silent = { line: 'risk analysis written — no findings — greenfield project' };

  test('when every analyst that was sent out says so, however many they are', () => {
    expect(nothingFound([silent, silent, silent, silent])).toBe(true);
    expect(nothingFound([silent, silent, silent, silent, silent])).toBe(true);
    expect(nothingFound([silent, silent, silent, silent, { line: 'cost analysis written — 1 finding' }])).toBe(false);
  });

  test('is not concluded from a failure or from nobody', () => {
    expect(nothingFound([silent, { line: dispatchFailedLine('cost') }])).toBe(false);
    expect(nothingFound([silent, { line: parseFailedLine('cost') }])).toBe(false);
    expect(nothingFound([{ line: 'x analysis written — no findings — dispatch failed' }])).toBe(false);
    expect(nothingFound([])).toBe(false);
  });

  test('is not concluded from hyphens', () => expect(nothingFound([{ line: 'risk analysis written - no findings - x' }])).toBe(false));
});

describe("the critic's counts", () => {
  test('are read from its line, with room for blanks', () => {
    expect(criticCounts('critic_findings written — Critical=1, Major=2, Minor=30')).toEqual({ critical: 1, major: 2, minor: 30 });
    expect(criticCounts('I am done.\n  critic_findings written —Critical = 0 ,Major=0,  Minor = 2  \n\n')).toEqual({
      critical: 0,
      major: 0,
      minor: 2,
    });
  });

  test.each([
    '',
    'critic_findings written — Critical=1, Major=2',
    'critic_findings written - Critical=1, Major=2, Minor=3',
    'critic_findings written — Critical=one, Major=2, Minor=3',
    'critic_findings written — Major=2, Critical=1, Minor=3',
    'critic_findings written — Critical=1, Major=2, Minor=3 and more',
    'critic_findings written — Critical=-1, Major=2, Minor=3',
    'critic_findings written — Critical=1,\nMajor=2, Minor=3',
  ])('are unknown for %j', (reply) => expect(criticCounts(reply)).toBeNull());

  test('of an older session come from the ids in its findings', () => {
    expect(countIds('[C1] a, see [C1]\n[M1] b\n[M2] c\n[m1] d')).toEqual({ critical: 1, major: 2, minor: 1 });
  });
});

describe('routing', () => {
  test.each([
    ['Refactor the login module', 'improve'],
    ['Please fix the crash on start', 'improve'],
    ['Implement the spec in docs/spec.md', 'implement'],
    ['Explain how the existing code works', 'understand'],
    ['How does the scheduler work?', 'understand'],
    ['Refaktoriere die Anmeldung', 'improve'],
    ['Setze die Spezifikation um', 'implement'],
    ['Explica cómo funciona el código', 'understand'],
    ['로그인 버그를 고쳐 주세요', 'improve'],
    ['仕様書に従って実装してください', 'implement'],
    ['解释这段代码的架构', 'understand'],
  ])('%j is a case for another command', (task, signal) => expect(routingSignal(task)).toBe(signal));

  test.each([
    'A tool that explains legacy code to newcomers',
    'Order export as CSV for the back office',
    'An app to review recipes',
    'CSV-Export für Bestellungen hinzufügen',
    '주문을 CSV로 내보내는 기능',
    '注文をCSVで書き出す機能',
    '把订单导出为 CSV',
    'Exportar pedidos en CSV',
    'improve onboarding for new customers',
  ])('%j is a wish', (task) => expect(routingSignal(task)).toBeNull());
});
