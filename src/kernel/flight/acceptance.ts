/**
 * Scenarios out of a spec's acceptance criteria: Given, When, Then. Pure.
 *
 * 1. The canonical words are English; the usual ones of Korean, Japanese, Chinese, Spanish and German are read as well.
 * 2. A criterion without these words is no scenario and is left out; nothing is guessed.
 */
import { sectionText } from '../ground/spec-sections.ts';
import { firstItem } from '../../domain/items.ts';

export interface Scenario {
  name: string;
  given: string[];
  when: string[];
  outcome: string[];
}

type Part = 'given' | 'when' | 'outcome';

const SCENARIO = /^(?:scenario|시나리오|シナリオ|场景|場景|情景|escenario|szenario)(?:\s*\d+)?\s*[:：.)\-–—]\s*(\S.*)$/iu;
const PARTS: readonly (readonly [Part, RegExp])[] = [
  [
    'given',
    part(
      'given|조건|전제|주어진 조건|주어진 상황|前提|前提条件|假如|假设|假定|给定|前置条件|dado|dada|dados|dadas|angenommen|gegeben|gegeben sei|gegeben seien',
    ),
  ],
  ['when', part('when|만일|만약|언제|동작|행동|もし|操作|とき|当|當|操作|cuando|wenn')],
  ['outcome', part('then|그러면|결과|ならば|結果|那么|那麼|则|結果|结果|entonces|dann')],
];
const AND = part('and|but|그리고|하지만|かつ|しかし|而且|并且|但是|y|pero|und|aber');

export function readScenarios(spec: string): Scenario[] {
  const text = sectionText(spec, 'acceptance');
  if (text === null) return [];
  const found: Scenario[] = [];
  let current: Scenario | null = null;
  let last: Part | null = null;
  for (const line of text.split('\n').map(bare)) {
    const name = SCENARIO.exec(line)?.[1];
    if (name !== undefined) {
      current = { name: name.trim(), given: [], when: [], outcome: [] };
      found.push(current);
      last = null;
      continue;
    }
    const step = readStep(line, last);
    if (step === null) continue;
    if (current === null || (step.part === 'given' && current.outcome.length > 0)) {
      current = { name: '', given: [], when: [], outcome: [] };
      found.push(current);
    }
    current[step.part].push(step.text);
    last = step.part;
  }
  return found
    .filter((scenario) => scenario.outcome.length > 0)
    .map((scenario) => ({ ...scenario, name: scenario.name || firstItem(scenario.outcome) }));
}

/** Each scenario as the feature it could become: what a user can do, and how to check it. */
export function renderScenarios(scenarios: readonly Scenario[]): string {
  return scenarios
    .map((scenario, index) =>
      [
        `${index + 1}. ${scenario.name}`,
        ...scenario.given.map((step) => `   - Given: ${step}`),
        ...scenario.when.map((step) => `   - When: ${step}`),
        ...scenario.outcome.map((step) => `   - Then: ${step}`),
      ].join('\n'),
    )
    .join('\n');
}

function part(words: string): RegExp {
  const longestFirst = words.split('|').toSorted((a, b) => b.length - a.length);
  return new RegExp(`^(?:${longestFirst.join('|')})(?:\\s*[:：,，、]\\s*|\\s+)(\\S.*)$`, 'iu');
}

function readStep(line: string, last: Part | null): { part: Part; text: string } | null {
  for (const [name, pattern] of PARTS) {
    const text = pattern.exec(line)?.[1];
    if (text !== undefined) return { part: name, text: text.trim() };
  }
  const more = AND.exec(line)?.[1];
  return last === null || more === undefined ? null : { part: last, text: more.trim() };
}

/** Without list marks, headings and emphasis. */
function bare(line: string): string {
  return line
    .replace(/^\s*(?:[-*+]|\d+[.)]|#{1,6}|>)\s+(?:\[[ xX]\]\s+)?/, '')
    .replaceAll('**', '')
    .replaceAll('__', '')
    .trim();
}
