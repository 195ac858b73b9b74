/**
 * What a `harness.toml` of the origin says about workers: `[worker.self_review]` and `[tdd.enforce]`. Pure; the part of TOML that such a section is written in.
 *
 * Names in a list are rules without a command; `name = "command"` and tables with `rule` and `command` are rules with one.
 */
/** Whether `[tdd.enforce]` says `enabled = true`. */
export function enforcesTdd(text: string): boolean {
  let section = '';
  for (const line of joined(text)) {
    section = /^\[\s*([\w.-]+)\s*\]$/.exec(line)?.[1] ?? section;
    const key = /^([\w.-]+)\s*=\s*true$/.exec(line)?.[1];
    if (key !== undefined && [section, key].filter((part) => part !== '').join('.') === 'tdd.enforce.enabled') return true;
  }
  return false;
}

export interface OwnRule {
  rule: string;
  command: string | null;
}

export function rulesInToml(text: string): OwnRule[] {
  const rules: OwnRule[] = [];
  let [section, table] = ['', null as OwnRule | null];
  for (const line of joined(text)) {
    const header = /^\[\[?\s*([\w.-]+)\s*\]\]?$/.exec(line);
    if (header !== null) {
      section = header[1]!;
      table = line.startsWith('[[') && section.startsWith('worker.self_review') ? { rule: '', command: null } : null;
      if (table !== null) rules.push(table);
      continue;
    }
    const pair = /^("[^"]*"|[\w.-]+)\s*=\s*(.*)$/.exec(line);
    if (pair === null || !section.startsWith('worker.self_review')) continue;
    const [name, value] = [unquoted(pair[1]!), pair[2]!];
    if (table !== null) {
      if (['rule', 'name', 'id'].includes(name)) table.rule = unquoted(value);
      if (name === 'command') table.command = unquoted(value);
    } else if (value.startsWith('['))
      rules.push(...[...value.matchAll(STRING)].map((match) => ({ rule: unquoted(match[0]), command: null })));
    else if (/^["']/.test(value)) rules.push({ rule: name, command: unquoted(value) });
    else if (value === 'true') rules.push({ rule: name, command: null });
  }
  return rules.filter(({ rule }) => rule !== '');
}

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
