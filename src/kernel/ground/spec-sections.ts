/**
 * The seven sections of a spec, by their headings in six languages. Pure.
 *
 * 1. The first heading of a language is the one that agents are asked to write; the others are accepted as well.
 * 2. English headings count in every language. In a language without a table, seven headings of the second level count as the seven sections.
 */

export const SECTIONS = ['goal', 'background', 'scope', 'outOfScope', 'edgeCases', 'acceptance', 'risks'] as const;
export type Section = (typeof SECTIONS)[number];

type Headings = Readonly<Record<Section, readonly string[]>>;

const HEADINGS: Readonly<Record<string, Headings>> = {
  en: {
    goal: ['Goal', 'Goals', 'Objective'],
    background: ['Background & Decisions', 'Background and Decisions', 'Background'],
    scope: ['Scope', 'In Scope'],
    outOfScope: ['Out of Scope', 'Non-Goals'],
    edgeCases: ['Edge Cases'],
    acceptance: ['Acceptance Criteria'],
    risks: ['Risks', 'Risks & Mitigations'],
  },
  ko: {
    goal: ['목표', '목적'],
    background: ['배경 및 결정 사항', '배경과 결정 사항', '배경 및 결정', '배경'],
    scope: ['범위', '포함 범위'],
    outOfScope: ['범위 외', '제외 범위', '범위 밖', '범위 제외'],
    edgeCases: ['예외 상황', '엣지 케이스', '경계 사례', '예외 사례'],
    acceptance: ['인수 조건', '인수 기준', '수용 기준', '승인 기준'],
    risks: ['위험', '리스크', '위험 요소'],
  },
  ja: {
    goal: ['目標', '目的', 'ゴール'],
    background: ['背景と決定事項', '背景・決定事項', '背景および決定事項', '背景'],
    scope: ['範囲', 'スコープ', '対象範囲'],
    outOfScope: ['範囲外', 'スコープ外', '対象外'],
    edgeCases: ['エッジケース', '例外ケース', '境界ケース'],
    acceptance: ['受け入れ基準', '受け入れ条件', '受入基準', '受入条件'],
    risks: ['リスク'],
  },
  zh: {
    goal: ['目标', '目標'],
    background: ['背景与决策', '背景和决策', '背景与决定', '背景'],
    scope: ['范围', '範圍'],
    outOfScope: ['范围之外', '不在范围内', '超出范围', '範圍之外'],
    edgeCases: ['边界情况', '边缘情况', '邊界情況'],
    acceptance: ['验收标准', '验收条件', '驗收標準'],
    risks: ['风险', '風險'],
  },
  es: {
    goal: ['Objetivo', 'Meta', 'Objetivos'],
    background: ['Contexto y decisiones', 'Antecedentes y decisiones', 'Contexto', 'Antecedentes'],
    scope: ['Alcance', 'Dentro del alcance'],
    outOfScope: ['Fuera de alcance', 'Fuera del alcance'],
    edgeCases: ['Casos límite', 'Casos extremos', 'Casos borde'],
    acceptance: ['Criterios de aceptación'],
    risks: ['Riesgos'],
  },
  de: {
    goal: ['Ziel', 'Ziele'],
    background: ['Hintergrund und Entscheidungen', 'Hintergrund & Entscheidungen', 'Hintergrund'],
    scope: ['Umfang', 'Im Umfang'],
    outOfScope: ['Nicht im Umfang', 'Außerhalb des Umfangs', 'Nicht enthalten'],
    edgeCases: ['Randfälle', 'Grenzfälle', 'Sonderfälle'],
    acceptance: ['Akzeptanzkriterien', 'Abnahmekriterien'],
    risks: ['Risiken'],
  },
};

/** What agents are asked to write, in order; null in a language without a table. */
export function sectionHeadings(language: string): readonly string[] | null {
  const headings = HEADINGS[language];
  return headings === undefined ? null : SECTIONS.map((section) => headings[section][0]!);
}

/** Sections that a document lacks, by their headings in its language. */
export function missingSections(text: string, language: string): string[] {
  const headings = headingsOf(text);
  const found = new Set(headings.map((heading) => sectionNamed(heading.title)));
  const missing = SECTIONS.filter((section) => !found.has(section));
  if (HEADINGS[language] === undefined && headings.filter((heading) => heading.level === 2).length >= SECTIONS.length) return [];
  return missing.map((section) => (HEADINGS[language] ?? HEADINGS['en']!)[section][0]!);
}

/** The lines below a section's heading, up to the next heading of the same level or above; null where the section is missing. */
export function sectionText(text: string, section: Section): string | null {
  const lines = text.split('\n');
  const headings = headingsOf(text);
  const start = headings.findIndex((heading) => sectionNamed(heading.title) === section);
  if (start === -1) return null;
  const { level, line } = headings[start]!;
  const next = headings.slice(start + 1).find((heading) => heading.level <= level);
  return lines.slice(line + 1, next?.line ?? lines.length).join('\n');
}

/** The heading of a section as the document has it; the English one where it has none. */
export function titleOf(text: string, section: Section): string {
  return headingsOf(text).find((heading) => sectionNamed(heading.title) === section)?.title ?? HEADINGS['en']![section][0]!;
}

interface Heading {
  level: number;
  title: string;
  line: number;
}

function headingsOf(text: string): Heading[] {
  const found: Heading[] = [];
  let fence: string | null = null;
  for (const [line, content] of text.split('\n').entries()) {
    const bar = /^ {0,3}(`{3,}|~{3,})/.exec(content)?.[1];
    if (bar !== undefined && (fence === null || (bar[0] === fence[0] && bar.length >= fence.length))) fence = fence === null ? bar : null;
    if (fence !== null) continue;
    const match = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(content);
    if (match !== null) found.push({ level: match[1]!.length, title: match[2]!, line });
  }
  return found;
}

function sectionNamed(title: string): Section | null {
  return BY_TITLE.get(plain(title)) ?? null;
}

function plain(title: string): string {
  return title
    .normalize('NFC')
    .replace(/[*_`]/g, '')
    .replace(/^\d+[.)]\s*/, '')
    .replace(/[:：]\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

const BY_TITLE: ReadonlyMap<string, Section> = new Map(
  Object.values(HEADINGS).flatMap((headings) =>
    SECTIONS.flatMap((section) => headings[section].map((heading): [string, Section] => [plain(heading), section])),
  ),
);
