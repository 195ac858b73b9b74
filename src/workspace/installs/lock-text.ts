/**
 * What a lockfile says about where packages come from. Pure.
 *
 * 1. A lockfile counts only in the form in which its manager writes it. npm also reads conflict markers, pnpm and yarn read keys in any
 *    notation of YAML: an address in such a form would not be found here and be used there.
 * 2. Managers see the text returned here. Of npm and pnpm it is written again from what was read.
 *
 * Why: docs/decisions/2026-11-19-lockfiles-as-written.md
 */
import { createHash } from 'node:crypto';
import { parseAllDocuments, stringify } from 'yaml';
import { firstItem } from '../../domain/items.ts';
import { groupOf } from '../../domain/text-parts.ts';

export interface LockText {
  text: string;
  /** Versions, paths and addresses of packages, as they are written. */
  specs: readonly string[];
  /** Names of packages, which npm puts in front of the version. */
  names: readonly string[];
}

const MOST_KEPT = 8;
const kept = new Map<string, LockText | null>();

/** Null: it is not as its manager writes it. Kept, because a lockfile of a megabyte takes a second. */
export function readLock(path: string, text: string): LockText | null {
  const key = createHash('sha256').update(`${path}\0${text}`).digest('hex');
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found = read(path, text);
  kept.set(key, found);
  if (kept.size > MOST_KEPT) kept.delete(firstItem([...kept.keys()]));
  return found;
}

function read(path: string, text: string): LockText | null {
  try {
    if (path.endsWith('.json')) return npmLock(text);
    if (path === 'pnpm-lock.yaml') return pnpmLock(text);
    if (path === 'bun.lock') return bunLock(text);
    if (path === 'yarn.lock') return /^__metadata:/m.test(text) ? newYarnLock(text) : oldYarnLock(text);
    return { text, specs: addressesIn(text), names: [] };
  } catch {
    return null;
  }
}

/** The binary format of bun: strings without anything between them, so hosts alone. */
function addressesIn(text: string): string[] {
  return [...text.matchAll(/(?:https?|git\+\w+|git|ssh):\/\/(?:[^/@\s"]*@)?[\w.:[\]-]+\//g)].map(([address]) => address);
}

function npmLock(text: string): LockText {
  const lock = asRecord(JSON.parse(text.replace(/^\ufeff/, '')));
  const [specs, names]: [string[], string[]] = [[], []];
  for (const [key, value] of Object.entries(asRecord(lock['packages'] ?? {}))) {
    const { name, version, resolved, link } = asRecord(value);
    specs.push(`file:${key}`);
    const inside = /^(?:.*\/)?node_modules\/(.*)$/.exec(key)?.[1];
    for (const one of [inside, name]) if (typeof one === 'string' && key !== '') names.push(one);
    if (typeof version === 'string' && key !== '') specs.push(version);
    if (typeof resolved === 'string') specs.push(link === true && !resolved.startsWith('file:') ? `file:${resolved}` : resolved);
  }
  const visit = (dependencies: unknown): void => {
    for (const [name, value] of Object.entries(asRecord(dependencies ?? {}))) {
      const { resolved, version, dependencies: more } = asRecord(value);
      names.push(name);
      for (const spec of [resolved, version]) if (typeof spec === 'string') specs.push(spec);
      visit(more);
    }
  };
  visit(lock['dependencies']);
  return { text: `${JSON.stringify(lock, null, 2)}\n`, specs, names };
}

const PNPM_STYLE = { lineWidth: 0, singleQuote: true, nullStr: '', defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN' } as const;
/** Of `resolution`, what is no address. */
const PLAIN_PARTS: ReadonlySet<string> = new Set(['integrity', 'commit', 'type', 'path', 'gitHosted', 'version']);

/** Newer versions write a document about pnpm itself in front. Hooks of the project are not run, so their checksum goes. */
function pnpmLock(text: string): LockText | null {
  const documents = parseAllDocuments(text, { uniqueKeys: true, prettyErrors: false, logLevel: 'error' });
  if (!Array.isArray(documents)) return null;
  const document = documents.at(-1);
  if (document === undefined || document.errors.length > 0) return null;
  const { pnpmfileChecksum: _hooks, ...lock } = asRecord(document.toJS({ maxAliasCount: 0 }));
  const resolutions = Object.values(asRecord(lock['packages'] ?? {})).map((one) => asRecord(one ?? {})['resolution'] ?? {});
  const patches = stringsIn(lock['patchedDependencies']).filter((one) => /[./]/.test(one));
  const specs = [...resolutions.flatMap((one) => pnpmSpecs(one)), ...patches.map((one) => `file:${one}`)];
  return { text: stringify(lock, PNPM_STYLE), specs, names: [] };
}

function pnpmSpecs(resolution: unknown): string[] {
  return Object.entries(asRecord(resolution)).flatMap(([key, value]) => {
    if (PLAIN_PARTS.has(key)) return [];
    if (typeof value !== 'string') return typeof value === 'object' ? Object.values(asRecord(value)).flatMap((one) => stringsIn(one)) : [];
    if (key === 'directory') return [`file:${value}`];
    if (key === 'repo') return [/^[a-z+]+:/.test(value) ? `git+${value.replace(/^git\+/, '')}` : value];
    // Below the registry.
    return key === 'tarball' && !/^[/\\.]|:/.test(value) ? [] : [value];
  });
}

const QUOTED = '"[^"\\\\]*"';

/** `name "value"`, indented by two, four for what it depends on. */
function oldYarnLock(text: string): LockText | null {
  const word = `(?:${QUOTED}|[^\\s:",#\\\\][^\\s:",\\\\]*)`;
  const [header, field, dependency] = [
    new RegExp(`^(${word}(?:, ${word})*):$`),
    new RegExp(`^ {2}([A-Za-z]+) (${QUOTED}|[^\\s":#\\\\][^\\s"\\\\]*)$`),
    new RegExp(`^ {4}(${word}) (${word})$`),
  ];
  const specs: string[] = [];
  for (const line of linesOf(text)) {
    const of = header.exec(line)?.[1];
    const [, key, value = ''] = field.exec(line) ?? [];
    if (of !== undefined) specs.push(...wordsOf(of).map(rangeOf));
    else if (key !== undefined) specs.push(...(['resolved', 'version'].includes(key) ? [plain(value)] : []));
    else if (!dependency.test(line) && !/^ {2}[A-Za-z]+:$/.test(line)) return null;
  }
  return { text, specs, names: [] };
}

/** What yarn itself leaves without quotes; anything with a colon is quoted. */
const BARE = '(?![-?:,\\][{}#&*!|>\'"%@` ]).(?: *(?![,\\][{}:# ]).)*';

function newYarnLock(text: string): LockText | null {
  const line = new RegExp(`^( {0,6})(${QUOTED}|${BARE}):(?: (${QUOTED}|${BARE}))?$`);
  const specs: string[] = [];
  for (const one of linesOf(text)) {
    const long = new RegExp(`^\\? (${QUOTED})$`).exec(one)?.[1];
    if (one === ':') continue;
    const [, indent, key, value] = long === undefined ? (line.exec(one) ?? []) : [one, '', long, undefined];
    if (key === undefined) return null;
    if (indent === '' && key !== '__metadata') specs.push(...plain(key).split(', ').map(rangeOf));
    if (indent === '  ' && plain(key) === 'resolution' && value !== undefined) specs.push(rangeOf(plain(value)));
  }
  return { text, specs, names: [] };
}

/** Without blank lines and comments. The older yarn's format in the newer one's place is told by a comment. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const isMixed = /^__metadata:/m.test(text) && lines.some((line) => /^#.*yarn lockfile v1/i.test(line));
  return isMixed ? ['mixed'] : lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function wordsOf(header: string): string[] {
  return [...header.matchAll(new RegExp(`(${QUOTED}|[^\\s",]+)(?:, |$)`, 'g'))].map((match) => plain(groupOf(match, 1)));
}

function plain(word: string): string {
  return word.replace(/^"(.*)"$/, '$1');
}

/** What follows the name: `^1.0.0` of `@scope/name@^1.0.0`. */
function rangeOf(descriptor: string): string {
  return /^(?:@[^/@]*\/)?[^/@]*@(.*)$/.exec(descriptor)?.[1] ?? descriptor;
}

/** JSON with commas behind the last entry, and nothing else that JSON does not have. */
function bunLock(text: string): LockText | null {
  const tokens = text.match(/"(?:[^"\\\n]|\\.)*"|[{}[\],:]|[-+.\w]+|\s+|[^]/g) ?? [];
  const words = tokens.filter((token) => token.trim() !== '');
  const strict = words.filter((word, index) => word !== ',' || !['}', ']'].includes(words[index + 1] ?? ''));
  const lock = asRecord(JSON.parse(strict.join(' ')));
  const specs = Object.values(asRecord(lock['packages'] ?? {})).flatMap((entry) => {
    if (!Array.isArray(entry)) return [];
    const [first, second] = entry as unknown[];
    const range = typeof first === 'string' ? [rangeOf(first)] : [];
    return [...range, ...(typeof second === 'string' && /[:/]/.test(second) ? [second] : [])].filter((spec) => spec !== 'root:');
  });
  return { text, specs, names: [] };
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((one) => stringsIn(one)) : [];
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('not an object');
  return { ...value };
}
