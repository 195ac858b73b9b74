/**
 * The commands of a tox environment, from its settings. Pure.
 *
 * The environment itself is never made: that would download. Its commands are run with what the judge has.
 */
import { splitWords } from './split-words.ts';
import { groupOf } from '../../domain/text-parts.ts';

interface ToxRun {
  commands: string[];
  env: Record<string, string>;
}

/** null where the settings do not say which commands test. */
export function toxCommands(words: readonly string[], recipes: Readonly<Record<string, string>>): ToxRun | null {
  const text = settingsText(recipes);
  if (text === null) return null;
  const end = words.indexOf('--');
  const options = end < 0 ? words : words.slice(0, end);
  const given = end < 0 ? null : words.slice(end + 1).join(' ');
  const sections = sectionsOf(text);
  const asked = askedEnvironments(options);
  if (asked.length > 0) return together(asked.map((name) => runOf(sections, name, given)));
  for (const name of [...environmentsOf(sections), null]) {
    const found = runOf(sections, name, given);
    if (found !== null && found.commands.some((command) => /\b(?:pytest|unittest)\b/.test(command))) return found;
  }
  return null;
}

function runOf(sections: ReadonlyMap<string, Section>, name: string | null, given: string | null): ToxRun | null {
  const section = sectionFor(sections, name);
  if (section === null) return null;
  const fill = (value: string): string => filled(value, given, name);
  const commands = linesOf(section.get('commands') ?? '', name).map((line) => fill(line).replace(/^-\s*/, ''));
  return commands.length === 0 ? null : { commands, env: environmentOf(section.get('setenv') ?? section.get('set_env') ?? '', name, fill) };
}

/** One after the other; what none of them says is not known. */
function together(runs: readonly (ToxRun | null)[]): ToxRun | null {
  const found = runs.filter((run) => run !== null);
  if (found.length === 0) return null;
  return { commands: found.flatMap((run) => run.commands), env: Object.assign({}, ...found.map((run) => run.env)) as ToxRun['env'] };
}

/** tox.ini, or what stands for it in one of the other files. */
function settingsText(recipes: Readonly<Record<string, string>>): string | null {
  if (recipes['tox.ini'] !== undefined) return recipes['tox.ini'];
  const legacy = /legacy_tox_ini\s*=\s*("""|''')([\s\S]*?)\1/.exec(recipes['pyproject.toml'] ?? '')?.[2];
  if (legacy !== undefined) return legacy;
  const config = recipes['setup.cfg'];
  if (config === undefined || !config.includes('[tox:tox]')) return null;
  return config.replace('[tox:tox]', '[tox]');
}

type Section = ReadonlyMap<string, string>;

function sectionsOf(text: string): Map<string, Section> {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  let key = '';
  for (const line of text.split('\n')) {
    const name = /^\[([^\]]+)\]/.exec(line)?.[1];
    const entry = /^([\w-]+)\s*=\s?(.*)$/.exec(line);
    if (/^\s*[#;]/.test(line)) continue;
    if (name !== undefined) {
      section = new Map();
      sections.set(name.trim(), section);
    } else if (entry !== null) section.set((key = groupOf(entry, 1)), groupOf(entry, 2).trim());
    else if (/^\s+\S/.test(line) && key !== '') section.set(key, `${section.get(key) ?? ''}\n${line.trim()}`);
  }
  return sections;
}

function askedEnvironments(options: readonly string[]): string[] {
  const at = options.findIndex((word) => word === '-e' || word === '--env');
  const joined = options.find((word) => /^-e\S|^--env=/.test(word));
  const value = at >= 0 ? options[at + 1] : joined?.replace(/^-e|^--env=/, '');
  return (value ?? '').split(',').filter((name) => name !== '');
}

function environmentsOf(sections: ReadonlyMap<string, Section>): string[] {
  const list = sections.get('tox')?.get('envlist') ?? sections.get('tox')?.get('env_list') ?? '';
  return [...list.matchAll(/(?:[^\s,{}]|\{[^{}]*\})+/g)].flatMap(([name]) => expanded(name)).slice(0, MOST_ENVIRONMENTS);
}

const MOST_ENVIRONMENTS = 100;

/** `py{310,311}-{a,b}`: each of them. */
function expanded(name: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/.exec(name);
  if (match === null) return [name];
  return groupOf(match, 2)
    .split(',')
    .flatMap((one) => expanded(`${groupOf(match, 1)}${one.trim()}${groupOf(match, 3)}`));
}

/** What an environment does not say itself, it has from `[testenv]`. */
function sectionFor(sections: ReadonlyMap<string, Section>, name: string | null): Section | null {
  const base = sections.get('testenv');
  const own = name === null ? undefined : sections.get(`testenv:${name}`);
  if (base === undefined && own === undefined) return null;
  return new Map([...(base ?? []), ...(own ?? [])]);
}

/** Lines that go on after a backslash are one; those of other environments are left out. */
function linesOf(value: string, name: string | null): string[] {
  const factors = new Set((name ?? 'py').split('-'));
  return value
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line) => {
      const match = /^([\w.,{}! -]+?):\s+(.*)$/s.exec(line);
      if (match === null || / [^,!]/.test(groupOf(match, 1))) return [line];
      return isFor(groupOf(match, 1), factors) ? [groupOf(match, 2)] : [];
    });
}

/** `py311-cov,!slow`: one of the parts holds, each of them in all its factors. */
function isFor(condition: string, factors: ReadonlySet<string>): boolean {
  const parts = [...condition.matchAll(/(?:[^\s,{}]|\{[^{}]*\})+/g)].flatMap(([part]) => expanded(part));
  return parts.some((part) => part.split('-').every((one) => (one.startsWith('!') ? !factors.has(one.slice(1)) : factors.has(one))));
}

/** From the innermost out; what is not known stays as it is. */
function filled(line: string, given: string | null, name: string | null): string {
  let text = line.replace(/\[\](?=\s|$)/g, '{posargs}');
  for (let depth = 0; depth < 5; depth += 1)
    text = text.replace(/\{([^{}]*)\}/g, (whole, inside: string) => substituted(inside, given, name) ?? whole);
  return text.trim();
}

function substituted(inside: string, given: string | null, name: string | null): string | null {
  const [, key = '', usual] = /^(posargs|env:[A-Za-z_]\w*|[\w ]+)(?::([\s\S]*))?$/.exec(inside) ?? [];
  if (key === 'posargs') return given ?? usual ?? '';
  if (key.startsWith('env:')) return usual ?? '';
  if (/^(?:envpython|env_python)$/.test(key)) return 'python3';
  if (/^(?:toxinidir|tox_root|changedir|change_dir)$/.test(key)) return '.';
  if (/^(?:envname|env_name)$/.test(key)) return name ?? 'py';
  return inside === '/' || inside === ':' ? inside : null;
}

/** Values that are worked out by tox are left out. */
function environmentOf(value: string, name: string | null, fill: (value: string) => string): Record<string, string> {
  const pairs = linesOf(value, name).flatMap((line) => {
    const match = /^([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(fill(line));
    return match === null || /[{}]/.test(groupOf(match, 2))
      ? []
      : [[groupOf(match, 1), splitWords(groupOf(match, 2))?.join(' ') ?? groupOf(match, 2)] as const];
  });
  return Object.fromEntries(pairs);
}
