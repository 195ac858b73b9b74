/**
 * Earlier versions of modules that stand beside the new ones, under another name, for those who are to have them: everybody else has the new ones.
 *
 * Twins lead to each other as the modules did. Imports that no parser reads, and Python's package files, are left as they are.
 */
import { posix } from 'node:path';
import type { TreeEdit } from '../../domain/tree.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput } from '../contract.ts';
import { moduleCandidates, pythonCandidates } from '../source/imports.ts';
import { readSources } from '../source/read-source.ts';
import { applyEdits, type SourceImport, type SourceReading, type TextEdit } from '../source/source.ts';
import { matched } from '../../domain/text-parts.ts';

export interface TwinRequest {
  /** Files that are to have the twins, as they were. */
  readers: readonly string[];
  modules: ReadonlySet<string>;
  suffix: string;
  /** What a twin is, where it is not the module as it was. */
  turned?: (path: string, text: string, reading: SourceReading) => string;
}

export async function twinEdits(
  platform: Platform,
  { trees, base }: Pick<JudgeInput, 'trees' | 'base'>,
  { readers, modules, suffix, turned }: TwinRequest,
): Promise<TreeEdit[]> {
  const named = [...modules].filter((path) => !path.endsWith('__init__.py'));
  const paths = [...new Set([...readers, ...named])];
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: (await trees.read(base.tree, path))?.toString('utf8') ?? '' })));
  const readings = await readSources(platform, texts);
  return texts.flatMap(({ path, text }, index): TreeEdit[] => {
    const reading = readings[index] ?? null;
    if (reading === null) return [];
    const own = turned === undefined || readers.includes(path) ? text : turned(path, text, reading);
    const content = own === text ? applyEdits(text, ledToTwins(text, path, reading, { modules: new Set(named), suffix })) : own;
    const isRead = readers.includes(path) && content !== text;
    return [
      ...(isRead ? [{ path, kind: 'write' as const, content }] : []),
      ...(named.includes(path) ? [{ path: twinPath(path, suffix), kind: 'write' as const, content }] : []),
    ];
  });
}

function twinPath(path: string, suffix: string): string {
  return path.replace(/(\.[cm]?[jt]sx?|\.py)$/, `_${suffix}$1`);
}

function ledToTwins(
  text: string,
  path: string,
  { imports, language }: SourceReading,
  { modules, suffix }: { modules: ReadonlySet<string>; suffix: string },
): TextEdit[] {
  return imports.flatMap((one) => {
    const words = text.slice(one.start, one.end);
    const other =
      language === 'python' ? otherPython(words, one, path, { modules, suffix }) : otherJavascript(words, one, path, { modules, suffix });
    return other === words ? [] : [{ at: one.start, length: words.length, text: other }];
  });
}

function otherJavascript(
  words: string,
  { specifier }: SourceImport,
  path: string,
  { modules, suffix }: { modules: ReadonlySet<string>; suffix: string },
): string {
  const file = filesNamed(specifier, path).find((one) => modules.has(one));
  if (file === undefined) return words;
  const isFolder = /\/index\.[^./]+$/.test(file) && !/\/index(?:\.[^./]+)?$/.test(specifier);
  const other = isFolder
    ? `${specifier.replace(/\/$/, '')}/index_${suffix}${posix.extname(file)}`
    : specifier.replace(/((?:\.[cm]?[jt]sx?)?)$/, `_${suffix}$1`);
  return words.replace(specifier, other);
}

/** `from a.b import c` takes a name from a module, or a module from a package. */
function otherPython(
  words: string,
  one: SourceImport,
  path: string,
  { modules, suffix }: { modules: ReadonlySet<string>; suffix: string },
): string {
  const leads = (specifier: string): boolean => filesNamed(specifier, path).some((file) => modules.has(file));
  if (one.names.length === 0) return words;
  if (leads(one.specifier)) return words.replace(one.specifier, `${one.specifier}_${suffix}`);
  const joint = one.specifier.endsWith('.') ? '' : '.';
  const at = words.indexOf('import') + 'import'.length;
  return one.names
    .filter((name) => leads(`${one.specifier}${joint}${name}`))
    .reduce(
      (said, name) =>
        said.slice(0, at) +
        said.slice(at).replace(new RegExp(`\\b${name}\\b(\\s+as\\b)?`), (_all, as?: string) => `${name}_${suffix}${as ?? ` as ${name}`}`),
      words,
    );
}

/** Every file that an import of the file at `path` can mean. */
export function filesNamed(specifier: string, path: string): string[] {
  const folder = posix.dirname(path);
  if (!path.endsWith('.py')) return specifier.startsWith('.') ? moduleCandidates(posix.join(folder, specifier)) : [];
  const dots = matched(/^\.*/, specifier).length;
  if (dots === 0) return pythonCandidates({ specifier, names: [] }, path).at(-1) ?? [];
  const above = Array.from({ length: dots - 1 }, () => '..');
  const place = posix.join(folder, ...above, ...specifier.slice(dots).split('.'));
  return [`${place}.py`, `${place}/__init__.py`];
}
