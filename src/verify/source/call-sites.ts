/**
 * New names of a change, and where they are used. Pure, over what the parsers read.
 *
 * 1. A use is a place in code, outside of the name's own declaration and of imports: strings and comments use nothing.
 * 2. In another file it counts where that file imports the module, under whichever name it takes it.
 */
import { posix } from 'node:path';
import { pythonImports, resolveModule } from './imports.ts';
import { maskSource } from './mask.ts';
import type { Range, SourceReading } from './source.ts';
import { lineAt } from './tokens.ts';
import { allGroups, groupOf } from '../../domain/text-parts.ts';

export interface ReadFile {
  path: string;
  text: string;
  reading: SourceReading;
}

export interface DeclaredName {
  name: string;
  path: string;
  /** `path:line` of the places that use it; empty: nobody does. */
  uses: string[];
}

/** Names that a file declares or exports at its top and did not before. */
export function newNames(after: SourceReading, before: SourceReading | null): string[] {
  const old = new Set(before === null ? [] : topNames(before));
  return topNames(after).filter((name) => !old.has(name));
}

function topNames(reading: SourceReading): string[] {
  const imported = new Set(reading.statements.filter((one) => one.kind === 'import').flatMap((one) => one.names));
  const declared = reading.statements.filter((one) => one.kind === 'declaration').flatMap((one) => one.names);
  const names = [...reading.exports.filter((name) => name !== '*' && !imported.has(name)), ...declared];
  return [...new Set(names)].filter((name) => name !== '' && !/^__\w+__$/.test(name));
}

const MOST_USES = 5;

export function usesOf(name: string, from: ReadFile, files: readonly ReadFile[], paths: { has(path: string): boolean }): string[] {
  const modules = handingOn(from.path, files, paths);
  const names = [name, ...(name === 'default' ? [] : handedOutAs(from, name))];
  const uses = name === 'default' ? [] : placesOf(from, [name], ownRanges(from, name));
  for (const file of files) {
    if (uses.length >= MOST_USES) break;
    if (file.path === from.path) continue;
    const taken = modules.flatMap((module) => names.flatMap((one) => takenAs(one, module, file, paths) ?? []));
    if (taken.length > 0) uses.push(...placesOf(file, taken, importRanges(file)));
  }
  return uses.slice(0, MOST_USES);
}

/** The module, and those that hand its names on. */
function handingOn(module: string, files: readonly ReadFile[], paths: { has(path: string): boolean }): string[] {
  const modules = [module];
  for (const one of modules)
    for (const file of files) if (!modules.includes(file.path) && handsOn(file, one, paths)) modules.push(file.path);
  return modules;
}

function handsOn(file: ReadFile, module: string, paths: { has(path: string): boolean }): boolean {
  if (file.reading.language === 'python')
    return file.path.endsWith('__init__.py') && pythonImports(file.text, file.path, paths).includes(module);
  return file.reading.imports.some(
    (one) => /^export\b/.test(file.text.slice(one.start, one.end)) && isModule(one.specifier, module, file.path, paths),
  );
}

/** Other names under which a module hands out one of its own. */
function handedOutAs({ text }: ReadFile, name: string): string[] {
  const word = name.replaceAll('$', String.raw`\$`);
  const isDefault = new RegExp(
    String.raw`\bexport\s+default\s+(?:async\s+)?(?:function\s*\*?\s+|class\s+)?${word}(?![\w$])|\bmodule\.exports\s*=\s*${word}\s*(?:;|$)`,
    'm',
  ).test(text);
  const handed = [...text.matchAll(/\bexport\s*\{[^}]*\}|\b(?:module\.)?exports\s*=\s*\{[^}]*\}/g)].map(([part]) => part);
  const others = handed.flatMap((part) => [
    ...renamed(part, name),
    ...allGroups(part, new RegExp(String.raw`([\w$]+)\s*:\s*${word}(?![\w$])`, 'g'), 1),
  ]);
  return [...others, ...(isDefault ? ['default'] : [])];
}

/** Where a name is made or handed out. */
function ownRanges({ text, reading }: ReadFile, name: string): Range[] {
  return reading.statements.filter(
    (one) =>
      one.kind === 'import' ||
      (one.kind === 'declaration' && one.names.includes(name)) ||
      /^(?:export\s*\{|export\s+default\s+\w+\s*;?$|module\.exports\b|exports\.|__all__\b)/.test(text.slice(one.start, one.end)),
  );
}

function importRanges({ text, reading }: ReadFile): Range[] {
  const taken = reading.statements.filter((one) =>
    /^(?:(?:const|let|var)\s[^=]*=\s*(?:await\s+)?(?:require|import)\s*\(|export\s*\{)/.test(text.slice(one.start, one.end)),
  );
  return [...reading.imports, ...taken, ...reading.statements.filter((one) => one.kind === 'import')];
}

/** Under which names a file takes one of a module; null: it does not import the module. */
function takenAs(name: string, module: string, file: ReadFile, paths: { has(path: string): boolean }): string[] | null {
  if (file.reading.language === 'python')
    return pythonImports(file.text, file.path, paths).includes(module) ? [name, ...renamed(file.text, name)] : null;
  const found = file.reading.imports.filter((one) => isModule(one.specifier, module, file.path, paths));
  if (found.length === 0) return null;
  const statements = file.reading.statements.map((one) => ({ ...one, text: file.text.slice(one.start, one.end) }));
  const around = found.map((one) => statements.find((other) => other.start <= one.start && other.end >= one.end)?.text ?? '');
  const texts = [...around, ...found.map((one) => file.text.slice(one.start, one.end))];
  if (name === 'default') return texts.flatMap(defaultNames);
  return [name, ...texts.flatMap((text) => renamed(text, name))];
}

function isModule(specifier: string, module: string, importer: string, paths: { has(path: string): boolean }): boolean {
  if (/^\.{1,2}(?:\/|$)/.test(specifier)) return resolveModule(posix.join(posix.dirname(importer), specifier), paths) === module;
  const tail = specifier.split('/').at(-1) ?? '';
  const plain = (path: string): string => path.replace(/\.[cm]?[jt]sx?$/, '');
  const own = plain(module).replace(/\/index$/, '');
  return specifier.includes('/') && own.split('/').at(-1) === plain(tail);
}

function renamed(text: string, name: string): string[] {
  const word = name.replaceAll('$', String.raw`\$`);
  return allGroups(text, new RegExp(String.raw`(?<![\w$.])${word}\s*(?:\bas\s+|:\s*)([\w$]+)`, 'g'), 1);
}

function defaultNames(text: string): string[] {
  const match =
    /^import\s+(?:type\s+)?([\w$]+)/.exec(text) ??
    /^(?:const|let|var)\s+([\w$]+)\s*=/.exec(text) ??
    /default\s*(?:as|:)\s*([\w$]+)/.exec(text);
  return match === null ? [] : [groupOf(match, 1)];
}

function placesOf({ path, text, reading }: ReadFile, names: readonly string[], without: readonly Range[]): string[] {
  const mask = withTemplates(text, maskSource(text, reading.language));
  const found: string[] = [];
  for (const match of mask.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    if (!names.includes(match[0]) || without.some((range) => match.index >= range.start && match.index < range.end)) continue;
    found.push(`${path}:${lineAt(text, match.index)}`);
    if (found.length >= MOST_USES) break;
  }
  return [...new Set(found)];
}

/** What stands in the expressions of templates is code. */
function withTemplates(text: string, mask: string): string {
  const parts: string[] = [];
  let [kept, ticks, at] = [0, 0, 0];
  for (const match of text.matchAll(/\$\{([^{}]*)\}/g)) {
    for (; at < match.index; at += 1) if (mask[at] === '`') ticks += 1;
    if (ticks % 2 === 0) continue;
    parts.push(mask.slice(kept, match.index), match[0]);
    kept = match.index + match[0].length;
  }
  return parts.join('') + mask.slice(kept);
}
