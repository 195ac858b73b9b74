/**
 * What a `harness.toml` of the origin says about workers: the keys `worker.self_review` and `tdd.enforce.enabled`, in a section, dotted or in
 * braces. Pure.
 *
 * Names in a list are rules without a command; `name = "command"` and tables with `rule` and `command` are rules with one.
 */
import { groupOf } from '../../../domain/text-parts.ts';

/** Whether `tdd.enforce.enabled` is true. */
export function enforcesTdd(text: string): boolean {
  return entriesIn(text).some(({ key, value }) => key === 'tdd.enforce.enabled' && value === 'true');
}

export interface OwnRule {
  rule: string;
  command: string | null;
}

export function rulesInToml(text: string): OwnRule[] {
  const tables = new Map<number, OwnRule>();
  const rules: OwnRule[] = [];
  for (const { key, value, table } of entriesIn(text)) {
    if (key !== SELF_REVIEW && !key.startsWith(`${SELF_REVIEW}.`)) continue;
    const name = key.slice(SELF_REVIEW.length + 1).replace(/^rules\./, '');
    if (table !== null) {
      const rule = tables.get(table) ?? { rule: '', command: null };
      if (!tables.has(table)) rules.push(rule);
      tables.set(table, rule);
      if (['rule', 'name', 'id'].includes(name)) rule.rule = unquoted(value);
      if (name === 'command') rule.command = unquoted(value);
    } else if (value.startsWith('['))
      rules.push(...[...value.matchAll(STRING)].map((match) => ({ rule: unquoted(match[0]), command: null })));
    else if (/^["']/.test(value)) rules.push({ rule: name, command: unquoted(value) });
    else if (value === 'true') rules.push({ rule: name, command: null });
  }
  return rules.filter(({ rule }) => rule !== '');
}

const SELF_REVIEW = 'worker.self_review';

interface Entry {
  /** With the section that it is in. */
  key: string;
  value: string;
  /** Which table of a list it is in. */
  table: number | null;
}

/** Every key with its value as it is written; those of a table in braces one by one. */
function entriesIn(text: string): Entry[] {
  const entries: Entry[] = [];
  let [section, table, tables] = ['', null as number | null, 0];
  const add = (key: string, value: string, at: number | null): void => {
    if (!value.startsWith('{')) return void entries.push({ key, value, table: at });
    for (const pair of value.slice(1, -1).matchAll(PAIRS)) add(`${key}.${unquoted(groupOf(pair, 1))}`, groupOf(pair, 2).trim(), at);
  };
  for (const line of joined(text)) {
    const header = /^\[\[?\s*([\w.-]+)\s*\]\]?$/.exec(line);
    if (header !== null) {
      section = groupOf(header, 1);
      table = line.startsWith('[[') ? (tables += 1) : null;
      continue;
    }
    const pair = /^("[^"]*"|[\w.-]+)\s*=\s*(.*)$/.exec(line);
    if (pair === null) continue;
    const key = [section, unquoted(groupOf(pair, 1))].filter((part) => part !== '').join('.');
    const listed = /^\[\s*(\{.*\})\s*,?\s*\]$/.exec(groupOf(pair, 2))?.[1];
    if (listed === undefined) add(key, groupOf(pair, 2).trim(), table);
    else for (const one of listed.match(/\{[^{}]*\}/g) ?? []) add(key, one, (tables += 1));
  }
  return entries;
}

const PAIRS = /("[^"]*"|[\w.-]+)\s*=\s*("(?:\\.|[^"\\])*"|'[^']*'|\[[^\]]*\]|\{[^{}]*\}|[^,{}]+)/g;
const STRING = /"(?:\\.|[^"\\])*"|'[^']*'/g;

/** Lines without comments; a list over several lines is one. */
function joined(text: string): string[] {
  const lines: string[] = [];
  let open = '';
  for (const raw of text.split(/\r?\n/)) {
    const line = `${open} ${raw.replace(/^((?:"(?:\\.|[^"\\])*"|'[^']*'|[^"'#])*)#.*$/, '$1')}`.trim();
    const isOpen = /=\s*\[/.test(line) && !/\]\s*$/.test(line);
    open = isOpen ? line : '';
    if (!isOpen && line !== '') lines.push(line);
  }
  return lines;
}

function unquoted(text: string): string {
  const plain = text.trim();
  if (/^".*"$/.test(plain)) return plain.slice(1, -1).replace(/\\(["\\])/g, '$1');
  return /^'.*'$/.test(plain) ? plain.slice(1, -1) : plain;
}
