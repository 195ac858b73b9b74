/** Python made wrong in place, in the same ways as JavaScript: by decorators below all others, and by a few lines after the imports from the future. */
import program from '../../../assets/checks/wrong.py';
import { fill } from '../../domain/fill-program.ts';
import { wrapRanges, type Wrap } from '../source/wrap-ranges.ts';
import type { SourceReading } from '../source/source.ts';
import { hasNearTexts, type WrongUnits, type Wrongness } from './wrongness.ts';
import { matched } from '../../domain/text-parts.ts';

export function wrongPython(text: string, reading: SourceReading, units: WrongUnits, wrongness: Wrongness): string {
  const { name, kind } = wrongness;
  const wraps: Wrap[] = units.functions
    .filter((one) => !one.isConstructor || kind === 'thrown' || kind === 'hollow')
    .map((one) => ({ start: one.start, end: one.start, open: `@${name}.run\n${indentAt(text, one.start)}`, close: '' }));
  const inner = (range: { start: number; end: number }): Wrap => ({ ...range, open: `${name}.value((`, close: '))' });
  if (kind.startsWith('inside')) wraps.push(...units.functions.flatMap((one) => one.handed).map(inner), ...units.values.map(inner));
  else
    wraps.push(
      ...reading.madeClasses
        .filter((one) => units.classes.some((changed) => changed.start === one.start))
        .map((one) => ({ start: one.start, end: one.start, open: `@${name}.made\n${indentAt(text, one.start)}`, close: '' })),
    );
  const at = beginning(text, reading);
  const helper = helperText(wrongness);
  const begin = kind.startsWith('inside') ? '' : `${name}.enter()\n`;
  const end = kind.startsWith('inside') ? '' : `\n${name}.leave()\n`;
  const changed = wrapRanges(text, [{ start: at, end: at, open: `${helper}${begin}`, close: '' }, ...wraps]);
  return `${changed}${end}`;
}

/** Modules share what it makes. */
function helperText(wrongness: Wrongness): string {
  const { name, kind, word, offset } = wrongness;
  const near = hasNearTexts(wrongness) ? 'True' : 'False';
  const own = JSON.stringify(fill(program, { kind, near, word, offset: String(offset) }));
  const isMade = `if '${name}' not in ${name}.modules:\n    ${name}.modules['${name}'] = type(${name})('${name}')\n`;
  return `import sys as ${name}\n${isMade}    exec(${own}, ${name}.modules['${name}'].__dict__)\n${name} = ${name}.modules['${name}']\n`;
}

function indentAt(text: string, at: number): string {
  return matched(/[ \t]*$/, text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
}

/** Behind the documentation and imports from the future, which must come first. */
function beginning(text: string, reading: SourceReading): number {
  const future = reading.imports.findLast((one) => one.specifier === '__future__');
  const [first] = reading.statements;
  const isDocumented = first !== undefined && first.kind === 'other' && /^[rRuU]?["']/.test(text.slice(first.start, first.start + 2));
  const last = future?.end ?? (isDocumented ? first.end : null);
  if (last === null) return 0;
  const end = text.indexOf('\n', last);
  return end < 0 ? text.length : end + 1;
}
