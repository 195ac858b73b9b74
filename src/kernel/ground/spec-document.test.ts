import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readScenarios, renderScenarios } from '../flight/acceptance.ts';
import { missingSections, sectionHeadings, sectionText } from './spec-sections.ts';

const LANGUAGES = ['en', 'ko', 'ja', 'zh', 'es', 'de'];
const spec = (language: string, acceptance = '- x'): string =>
  sectionHeadings(language)!
    .map((heading, at) => `## ${heading}\n\n${at === 5 ? acceptance : 'words'}\n`)
    .join('\n');

describe('the seven sections', () => {
  test.each(LANGUAGES)('are found by their %s headings', (language) => expect(missingSections(spec(language), language)).toEqual([]));

  test('a missing one is named in the language of the spec', () => {
    expect(missingSections(spec('de').replace('## Risiken', '## Anhang'), 'de')).toEqual(['Risiken']);
    expect(missingSections('', 'ja')).toHaveLength(7);
  });

  test('headings may be numbered, emphasised or of another level', () => {
    expect(missingSections(spec('en').replace('## Goal', '# 1. **Goal**:'), 'en')).toEqual([]);
  });

  test('a heading inside a code block is no section', () => {
    expect(missingSections(spec('en').replace('## Goal', '```\n## Goal\n```'), 'en')).toEqual(['Goal']);
  });

  test('English headings count in every language', () => expect(missingSections(spec('en'), 'ko')).toEqual([]));

  test('in a language without a table seven headings count', () => {
    const french = ['Objectif', 'Contexte', 'Périmètre', 'Hors périmètre', 'Cas limites', "Critères d'acceptation", 'Risques'];
    expect(missingSections(french.map((heading) => `## ${heading}\n`).join('\n'), 'fr')).toEqual([]);
    expect(missingSections('## Objectif\n', 'fr')).toHaveLength(7);
  });

  test('the text of a section ends at the next heading of its level', () => {
    expect(sectionText('## Scope\na\n### more\nb\n## Risks\nc', 'scope')).toBe('a\n### more\nb');
    expect(sectionText('## Scope\na', 'risks')).toBeNull();
  });
});

describe('scenarios', () => {
  const CANONICAL =
    '- **Scenario: Export**\n  - Given: three orders\n  - When: the user exports\n  - And: waits\n  - Then: a file holds three lines';

  test.each(LANGUAGES)('are read from the canonical form under %s headings', (language) => {
    expect(readScenarios(spec(language, CANONICAL))).toEqual([
      { name: 'Export', given: ['three orders'], when: ['the user exports', 'waits'], outcome: ['a file holds three lines'] },
    ]);
  });

  test.each([
    ['ko', '- **시나리오: 내보내기**\n  - 조건: 주문 세 건\n  - 만일: 내보내면\n  - 그러면: 세 줄이 있다'],
    ['ja', '- **シナリオ：書き出し**\n  - 前提：注文が三件\n  - もし：書き出す\n  - ならば：三行ある'],
    ['zh', '- **场景：导出**\n  - 假如：三个订单\n  - 当：用户导出\n  - 那么：有三行'],
    ['es', '- **Escenario: exportar**\n  - Dado: tres pedidos\n  - Cuando: exporta\n  - Entonces: hay tres líneas'],
    ['de', '- **Szenario: Export**\n  - Angenommen: drei Bestellungen\n  - Wenn: exportiert wird\n  - Dann: stehen drei Zeilen da'],
  ])('are read with the words of %s', (language, text) => {
    const [scenario, ...others] = readScenarios(spec(language, text));
    expect(others).toEqual([]);
    expect([scenario?.given, scenario?.when, scenario?.outcome].map((steps) => steps?.length)).toEqual([1, 1, 1]);
  });

  test('a criterion without a result is no scenario', () => {
    expect(readScenarios(spec('en', '- It is fast\n- **Scenario: half**\n  - Given: a thing'))).toEqual([]);
  });

  test('sentences without names are told apart at each Given', () => {
    const found = readScenarios(spec('en', '- Given a\n- When b\n- Then c\n- Given d\n- When e\n- Then f'));
    expect(found.map((scenario) => scenario.name)).toEqual(['c', 'f']);
    expect(renderScenarios(found)).toBe('1. c\n   - Given: a\n   - When: b\n   - Then: c\n2. f\n   - Given: d\n   - When: e\n   - Then: f');
  });

  test('no text breaks the reader', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const scenario of readScenarios(`## Acceptance Criteria\n${text}`)) expect(scenario.outcome.length).toBeGreaterThan(0);
      }),
    );
  });
});
