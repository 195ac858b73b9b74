/**
 * JavaScript made wrong in place: the same names, members and modules, other values.
 *
 * 1. What leaves the session's code is wrong: results of its functions as others get them, and what its objects hold. Calls among
 *    themselves stay right, so that nothing falls only because it was never set up.
 * 2. `inside`: whatever they work out, assign or hand on is wrong, for programs that are told by what they do.
 * 3. `same` changes nothing and looks like the others; `thrown` and `hollow` show what is reached.
 * 4. Numbers in a text that follow from numbers that were handed over are off by one as numbers are: the same code tells, asked again with others.
 * 5. Members stay members, functions functions, promises promises. Truth is one answer in one kind and the other in the other.
 */
import program from '../../../assets/checks/wrong.cjs';
import { fill } from '../../domain/fill-program.ts';
import type { Range, SourceFunction, SourceReading } from '../source/source.ts';
import { wrapRanges, type Wrap } from '../source/wrap-ranges.ts';
import { hasNearTexts, type WrongUnits, type Wrongness } from './wrongness.ts';

export function wrongJavascript(
  { text, path, reading }: { text: string; path: string; reading: SourceReading },
  units: WrongUnits,
  wrongness: Wrongness,
): string {
  const helper = `${wrongness.name}()`;
  const isInside = wrongness.kind.startsWith('inside');
  const wraps: Wrap[] = units.functions.flatMap((one): Wrap[] => {
    if (wrongness.kind === 'thrown' && !one.isExpression)
      return [{ start: one.body.start, end: one.body.start, open: `;throw new Error('${wrongness.word}');`, close: '' }];
    if (wrongness.kind === 'apart') return apart(text, one, helper);
    if (wrongness.kind === 'hollow')
      return one.isExpression
        ? [{ ...one.body, open: '(true ? undefined : (', close: '\n))' }]
        : [{ start: one.body.start, end: one.body.start, open: ';return;', close: '' }];
    const begin = one.isAsync ? 'async () => ' : '() => ';
    if (one.isConstructor) return isInside ? [] : [{ start: one.body.end, end: one.body.end, open: `;${helper}.made(this);`, close: '' }];
    if (one.isGenerator)
      return [{ ...one.body, open: ` return yield* ${helper}.each(function* () {`, close: '\n}.apply(this, arguments)); ' }].filter(
        () => !one.isAsync,
      );
    const shift = /^(?:one|other)$/.test(wrongness.kind) && wrongness.offset === 1 ? shifted(text, one) : '';
    if (one.isExpression) return [{ ...one.body, open: `${helper}.run(${begin}(`, close: `\n)${shift})` }];
    return [{ ...one.body, open: ` return ${helper}.run(${begin}{`, close: `\n}${shift}); ` }];
  });
  const inner = (range: Range): Wrap => ({ start: range.start, end: range.end, open: `${helper}.value((`, close: '\n))' });
  if (isInside) wraps.push(...units.functions.flatMap((one) => one.handed).map(inner), ...units.values.map(inner));
  const typed = /\.[cm]?tsx?$/.test(path);
  const [before, after] = isInside ? ['', ''] : [`;${helper}.enter();`, `\n;${helper}.leave();`];
  const changed = wrapRanges(text, [{ start: reading.afterImports, end: reading.afterImports, open: before, close: '' }, ...wraps]);
  return `${typed && !text.startsWith('#!') ? '// @ts-nocheck\n' : ''}${changed}${after}\n${helperText(wrongness, typed && text.startsWith('#!'))}`;
}

/** Every plain parameter becomes a copy of what was handed over. */
function apart(text: string, one: SourceFunction, helper: string): Wrap[] {
  if (one.isExpression) return [];
  const names = plainParameters(text, one);
  const open = names.map((name) => `${name} = ${helper}.apart(${name});`).join(' ');
  return names.length === 0 ? [] : [{ start: one.body.start, end: one.body.start, open: `;${open}`, close: '' }];
}

/** Hands the parameters to whoever wants to see the same code with others. */
function shifted(text: string, one: SourceFunction): string {
  const names = plainParameters(text, one).filter((name) => name !== 'this');
  const isSure = names.length > 0 && !/[()]/.test(parametersOf(text, one));
  return isSure ? `, (by) => { ${names.map((name) => `${name} = by(${name});`).join(' ')} }` : '';
}

function parametersOf(text: string, one: SourceFunction): string {
  const head = text.slice(one.start, one.body.start).replace(/=>\s*[{(]?\s*$/, '');
  return head.slice(head.indexOf('(') + 1, head.lastIndexOf(')'));
}

function plainParameters(text: string, one: SourceFunction): string[] {
  const parameters = parametersOf(text, one);
  return /[{[]/.test(parameters) ? [] : parameters.split(',').flatMap((word) => /^\s*(?:\.\.\.)?([A-Za-z_$][\w$]*)/.exec(word)?.[1] ?? []);
}

/** A declaration, so that it is there before the first line runs. Modules share what it makes. */
function helperText(wrongness: Wrongness, typed: boolean): string {
  const { name, kind, word, offset } = wrongness;
  const helper = fill(program, { name, kind, word, near: String(hasNearTexts(wrongness)), offset: String(offset) });
  return typed ? helper.replace(`function ${name}()`, '$&: any') : helper;
}
