/** The whole flow in each language: every word of the harness is in it, and what programs rely on stays English. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sectionHeadings } from '../../kernel/ground/spec-sections.ts';
import { wordsIn } from '../../domain/words.ts';
import { sayIn } from './words/say.ts';
import { openStage, SCRIPT, specText, type Played, type Stage } from './test-support.ts';

let stage: Stage;
beforeEach(() => {
  stage = openStage();
});
afterEach(() => stage.dispose());

const TASKS: readonly (readonly [string, string, string])[] = [
  ['ko', '백오피스에서 주문을 CSV로 내보내는 기능을 만들어 주세요', '1. 백오피스 직원\n2. 잘 모르겠어요'],
  ['ja', 'バックオフィスから注文をCSVで書き出す機能を作ってください', '1. 事務の担当者\n2. わかりません'],
  ['zh', '为后台增加把订单导出为 CSV 的功能', '1. 后台员工\n2. 不清楚'],
  ['es', 'Añadir una exportación de los pedidos en CSV para la oficina', '1. La oficina de pedidos\n2. no sé'],
  ['de', 'CSV-Export für Bestellungen im Büro hinzufügen', '1. Das Büro\n2. keine Ahnung'],
];

/** Everything the harness said: lines, phases, questions with their options, the last word. */
function saidIn({ events, gates, report }: Played): string[] {
  return [
    ...events.flatMap((event) =>
      event.type === 'progress' || event.type === 'warning' ? [event.message] : event.type === 'flow.phase' ? [event.label] : [],
    ),
    ...gates.flatMap((gate) => [
      gate.header,
      gate.question,
      ...gate.options.flatMap((option) => [option.shown ?? option.label, option.description]),
    ]),
    report.message,
  ];
}

const MARKS = new Proxy({}, { get: () => '\u0000' });

/** Texts of a catalogue, with marks in the places of what is filled in. */
function textsOf(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  if (typeof words === 'function') return [String((words as (given: unknown) => string)(MARKS))];
  return Object.values(words as object).flatMap(textsOf);
}

/** Pieces of English text that are long enough to be no accident. */
const ENGLISH = [...textsOf(wordsIn('en').common), ...textsOf(sayIn('en'))]
  .flatMap((text) => text.split(/[\u0000\n]/))
  .filter((piece) => /[a-z]+ [a-z]+ [a-z]+/.test(piece));

describe.each(TASKS)('a task in %s', (language, task, answers) => {
  const script = { ...SCRIPT, 'questions-1': { option: 'Answer inline', text: answers } };
  const synthesis = { 'spec/synthesis': () => ({ output: specText('x', language) }) };

  test('is spoken to in its language from the first word to the last', async () => {
    const critic = { 'spec/critic': () => ({ output: '[C1] x\n', reply: 'critic_findings written — Critical=1, Major=0, Minor=0' }) };
    const played = await stage.play({ task, script: { ...script, 'critic-second': 'Approve as-is' }, cast: { ...synthesis, ...critic } });
    expect(played.report.exitCode, JSON.stringify(played.report)).toBe(0);
    const said = saidIn(played);
    expect(said.length).toBeGreaterThan(60);
    for (const text of said) for (const piece of ENGLISH) expect(text, `"${piece}" in "${text}"`).not.toContain(piece);
    for (const gate of played.gates) expect(gate.language).toBe(language);
  });

  test('keeps labels, severity words, ids and sentinels English, and its headings are translated', async () => {
    const words = sayIn(language);
    const marked = { 'spec/synthesis': () => ({ output: `${specText('x', language)}\n${words.unconfirmed}, [unconfirmed]\n` }) };
    const played = await stage.play({ task, script: { ...script, critic: 'Approve as-is', approval: [] }, cast: marked });
    const gate = (id: string) => played.gates.find((asked) => asked.id === id)!;
    expect(gate('spec.mode').options.map((option) => option.label)).toEqual(['quick', 'deep']);
    expect(gate('spec.critic').options.map((option) => option.label)).toEqual(['Auto-revise', 'Modify', 'Approve as-is']);
    expect(gate('spec.critic').question).toMatch(/Critical[\s\S]*Major[\s\S]*Minor/);
    expect(stage.read('.harness/spec/qa_notes.md')).toContain('A: [unconfirmed]');
    const { headings, unconfirmed } = played.calls.find(({ role }) => role === 'spec/synthesis')!.variables;
    expect(headings!.split('\n')).toEqual(sectionHeadings(language)!.map((heading) => `## ${heading}`));
    expect(unconfirmed).not.toBe('[unconfirmed]');
    expect(words.approval.unconfirmed({ count: 2 })).toContain(unconfirmed);
    expect(JSON.stringify(gate('spec.approval'))).toContain(JSON.stringify(words.approval.unconfirmed({ count: 2 })).slice(1, -1));
    expect(stage.state()).toMatchObject({ user_lang: language, phase: 'spec_ready', harness: { missing_sections: [] } });
    expect(String(stage.state()!['docs_path'])).toMatch(/^docs\/harness\/[a-z0-9_-]+\/$/);
  });

  test('that goes wrong is told so in its language', async () => {
    const nobody = {
      'spec/risk-auditor': () => ({}),
      'spec/critic': () => ({}),
      'spec/synthesis': () => ({}),
      'spec/discovery-analyst': () => ({}),
    };
    const failed = await stage.play({ task, script, cast: nobody });
    expect(failed.report.exitCode).toBe(3);
    const halted = await stage.play({
      task,
      script: { ...script, 'critic-parse': 'Stop' },
      cast: { ...synthesis, 'spec/critic': () => ({ output: 'x', reply: 'x' }) },
    });
    expect(halted.report.exitCode).toBe(3);
    const texts = [...saidIn(failed), ...saidIn(halted), stage.read('.harness/escalation.md')!];
    for (const text of texts) for (const piece of ENGLISH) expect(text, `"${piece}" in "${text}"`).not.toContain(piece);
  });
});

test('the language follows the person from answer to answer', async () => {
  const text = '1. Nur die Leute aus der Buchhaltung sollen das benutzen\n2. Alle Spalten, die auch auf der Rechnung stehen';
  const played = await stage.play({ script: { ...SCRIPT, 'questions-1': { option: 'Answer inline', text }, critic: [] } });
  expect(played.gates.find((gate) => gate.id === 'spec.questions-1')!.language).toBe('en');
  expect(played.gates.at(-1)).toMatchObject({ id: 'spec.critic', language: 'de', header: 'Kritik' });
});

test('every catalogue says something of its own for every key', () => {
  const english = textsOf(sayIn('en'));
  for (const language of ['ko', 'ja', 'zh', 'es', 'de']) {
    const own = textsOf(sayIn(language));
    expect(own).toHaveLength(english.length);
    const same = own.filter((text, at) => text === english[at]);
    expect(same, language).toEqual([]);
  }
});

test('another language is spoken to in English, and agents still write in it', async () => {
  const played = await stage.play({
    task: 'Ajouter un export des commandes au format CSV pour le bureau',
    script: { ...SCRIPT, mode: 'quick', 'questions-1': 'Skip — use best judgment', approval: [] },
  });
  expect(played.gates.at(-1)!.question).toContain('Please read the spec');
  expect(played.calls.find(({ role }) => role === 'spec/synthesis')!.variables['language']).toBe('French (fr)');
});
