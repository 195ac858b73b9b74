/** A command that stands for other commands of the project: a script of package.json, several of them, or the recipe of tox or nox. */
import type { CommandSources } from './command-sources.ts';
import { noxCommands } from './nox-commands.ts';
import { quoteWord } from '../../domain/quote-word.ts';
import { toxCommands } from './tox-commands.ts';
import { ownValue } from '../../domain/items.ts';

export interface InnerCommand {
  /** What is run in its place. */
  text: string;
  /** Words that are added to its last command. */
  rest: string[];
  before: string[];
  after: string[];
  env: Record<string, string>;
  without: string[];
}

/** null: it stands for itself. `opaque`: it stands for something that is not known here. */
export function innerCommand(words: readonly string[], sources: CommandSources): InnerCommand | { words: string[] } | 'opaque' | null {
  const [first = ''] = words;
  if (first === 'npm-run-all' || first === 'npm-run-all2' || first === 'run-s' || first === 'run-p')
    return several(words.slice(1), sources);
  const python = /(?:^|\/)python[0-9.]*$/.test(first) && words[1] === '-m' ? words.slice(2) : words;
  if (python[0] === 'tox') return fromRecipe('tox', toxCommands(python.slice(1), sources.recipes));
  if (python[0] === 'nox') return fromRecipe('nox', noxCommands(python.slice(1), sources.recipes['noxfile.py'] ?? null));
  if (first === 'node' && words[1] === '--run' && words[2] !== undefined) return scriptNamed(words[2], words.slice(3), sources) ?? 'opaque';
  return scriptCall(words, sources);
}

function fromRecipe(tool: string, found: { commands: string[]; env: Record<string, string> } | null): InnerCommand | 'opaque' {
  if (found === null || found.commands.length === 0) return 'opaque';
  return { text: found.commands.join(' && '), rest: [], before: [], after: [], env: found.env, without: [tool] };
}

const OTHER_PLACE = /^(?:-w|-ws|-r|-C|-F|--workspaces?|--recursive|--prefix|--dir|--cwd|--filter|--include-workspace-root)(?:=|$)/;
const OF_MANAGER = /^(?:-s|-q|--silent|--quiet|--if-present|--no-progress|--loglevel(?:=.*)?)$/;

function scriptCall(words: readonly string[], sources: CommandSources): InnerCommand | { words: string[] } | 'opaque' | null {
  const [manager = '', ...others] = words;
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(manager)) return null;
  const end = others.indexOf('--');
  const own = end < 0 ? others : others.slice(0, end);
  const passed = end < 0 ? [] : others.slice(end + 1);
  const at = own.findIndex((word) => !word.startsWith('-'));
  const isRun = own[at] === 'run' || own[at] === 'run-script';
  const options = at < 0 ? own : own.slice(0, at);
  const named = at < 0 ? [] : own.slice(isRun ? at + 1 : at).filter((word) => !OF_MANAGER.test(word));
  if ([...options, ...named].some((word) => OTHER_PLACE.test(word))) return 'opaque';
  const [called, ...rest] = named;
  if (called === undefined || called.startsWith('-')) return 'opaque';
  if (manager === 'bun' && !isRun) return null;
  const name = !isRun && (called === 't' || called === 'tst') ? 'test' : called;
  const given = [...(manager === 'npm' ? rest.filter((word) => !word.startsWith('-')) : rest), ...passed];
  const script = scriptNamed(name, given, sources);
  if (script !== null) return script;
  return manager === 'npm' || manager === 'bun' || /^(?:test|install|add|ci)$/.test(name) ? 'opaque' : { words: [name, ...given] };
}

function scriptNamed(name: string, rest: string[], { scripts }: CommandSources): InnerCommand | null {
  const text = ownValue(scripts, name);
  if (text === null) return null;
  return { text, rest, before: partOf(scripts, `pre${name}`), after: partOf(scripts, `post${name}`), env: {}, without: [] };
}

function partOf(scripts: CommandSources['scripts'], name: string): string[] {
  const text = ownValue(scripts, name);
  return text === null ? [] : [text];
}

/** `run-s lint test:*`: each script in the order in which it is named. */
function several(words: readonly string[], { scripts }: CommandSources): InnerCommand | 'opaque' {
  if (words.some((word) => /^(?:-c|--continue-on-error|-r|--race|--max-parallel)/.test(word) || word.includes(' '))) return 'opaque';
  const names = words.filter((word) => !word.startsWith('-')).flatMap((pattern) => matching(pattern, Object.keys(scripts)));
  if (names.length === 0) return 'opaque';
  return { text: names.map((name) => `npm run ${quoteWord(name)}`).join(' && '), rest: [], before: [], after: [], env: {}, without: [] };
}

function matching(pattern: string, names: readonly string[]): string[] {
  if (!pattern.includes('*')) return names.includes(pattern) ? [pattern] : [];
  const source = pattern
    .split(':')
    .map((part) => (part === '**' ? '.+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^:]*')));
  const fits = new RegExp(`^${source.join(':')}$`);
  return names.filter((name) => fits.test(name));
}
