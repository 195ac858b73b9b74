/**
 * The commands of a tox environment, from its settings. Pure.
 *
 * The environment itself is never made: that would download. Its commands are run with what the judge has.
 */
import { splitWords } from './split-words.ts';

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
  const asked = askedEnvironment(options);
  for (const name of [asked, ...environmentsOf(sections), null]) {
    const section = sectionFor(sections, name);
    const commands = section === null ? [] : linesOf(section.get('commands') ?? '').map((line) => filled(line, given, name));
    if (commands.length === 0 || (asked !== null && name !== asked)) continue;
    if (asked === null && !commands.some((command) => /\b(?:pytest|unittest)\b/.test(command))) continue;
    return {
      commands: commands.map((command) => command.replace(/^-\s*/, '')),
      env: environmentOf(section?.get('setenv') ?? section?.get('set_env') ?? ''),
    };
  }
  return null;
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
    } else if (entry !== null) section.set((key = entry[1]!), entry[2]!.trim());
    else if (/^\s+\S/.test(line) && key !== '') section.set(key, `${section.get(key) ?? ''}\n${line.trim()}`);
  }
  return sections;
}

function askedEnvironment(options: readonly string[]): string | null {
  const at = options.findIndex((word) => word === '-e' || word === '--env');
  const joined = options.find((word) => /^-e\S|^--env=/.test(word));
  const value = at >= 0 ? options[at + 1] : joined?.replace(/^-e|^--env=/, '');
  return value?.split(',')[0] ?? null;
}

function environmentsOf(sections: ReadonlyMap<string, Section>): string[] {
  const list = sections.get('tox')?.get('envlist') ?? sections.get('tox')?.get('env_list') ?? '';
  return list.split(/[\s,]+/).filter((name) => name !== '' && !/[{}]/.test(name));
}

/** What an environment does not say itself, it has from `[testenv]`. */
function sectionFor(sections: ReadonlyMap<string, Section>, name: string | null): Section | null {
  const base = sections.get('testenv');
  const own = name === null ? undefined : sections.get(`testenv:${name}`);
  if (base === undefined && own === undefined) return null;
  return new Map([...(base ?? []), ...(own ?? [])]);
}

/** Lines that go on after a backslash are one; those of other environments are left out. */
function linesOf(value: string): string[] {
  return value
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[\w,{}!-]+:\s/.test(line));
}

function filled(line: string, given: string | null, name: string | null): string {
  return line
    .replace(/\{posargs(?::([^{}]*))?\}|\[\]/g, (_whole, usual: string | undefined) => given ?? usual ?? '')
    .replace(/\{(?:envpython|env_python)\}/g, 'python3')
    .replace(/\{(?:toxinidir|tox_root|changedir|change_dir)\}/g, '.')
    .replace(/\{(?:envname|env_name)\}/g, name ?? 'py')
    .trim();
}

/** Values that are worked out by tox are left out. */
function environmentOf(value: string): Record<string, string> {
  const pairs = linesOf(value).flatMap((line) => {
    const match = /^([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line);
    return match === null || /[{}]/.test(match[2]!) ? [] : [[match[1]!, splitWords(match[2]!)?.join(' ') ?? match[2]!] as const];
  });
  return Object.fromEntries(pairs);
}
