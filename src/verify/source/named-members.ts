/** What a test file names of the project's constants: members of what it imports (`Status.OPEN`), and constants that it imports by themselves. Pure. */
import { maskSource } from './mask.ts';
import type { SourceImport, SourceReading } from './source.ts';

const CONSTANT = /^[A-Z][A-Z\d_]*$/;

/** From a name to its members that the file names; the empty name has constants that were imported by themselves. */
export function namedMembers(text: string, { language }: SourceReading, imports: readonly SourceImport[]): Record<string, string[]> {
  const mask = maskSource(text, language);
  const locals = new Set(imports.flatMap((one) => (one.isType ? [] : one.locals)));
  const found: Record<string, string[]> = {};
  for (const [, of = '', member = ''] of mask.matchAll(/(?<![\w$.])([A-Za-z_]\w*)\.([A-Za-z_]\w*)(?![\w$]|\s*\()/g))
    if (locals.has(of) && found[of]?.includes(member) !== true) (found[of] ??= []).push(member);
  const alone = [...locals].filter((name) => CONSTANT.test(name) && !Object.hasOwn(found, name));
  return alone.length < 2 ? found : { ...found, '': alone };
}
