/**
 * TypeScript without its types, by blanking what only a compiler reads: lines of the rest stay what they were. Pure.
 *
 * 1. What TypeScript makes code of is written as code where it is simple (enums of constants, parameters that are members). A module with more of it
 *    (namespaces, decorators, `import =`) has no answer.
 * 2. Names that are imported and used as types alone are not imported any more, as compilers do it.
 */
import { enumObject, parameterMembers } from './compiled-types.ts';
import { childrenOf, nodeAt, nodesAt, partOf, type SyntaxNode, textAt, textPartOf, walk } from './syntax-node.ts';
import { applyEdits, type Range, type TextEdit } from './source.ts';
import { lastItem } from '../../domain/items.ts';

const MADE = new Set(['TSExportAssignment', 'TSImportEqualsDeclaration', 'TSNamespaceExportDeclaration', 'Decorator']);
const TYPES = new Set([
  'TSTypeAnnotation',
  'TSTypeParameterDeclaration',
  'TSTypeParameterInstantiation',
  'TSDeclareMethod',
  'TSIndexSignature',
]);
const STATEMENTS = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSDeclareFunction']);
const MEMBERS = new Set(['ClassProperty', 'ClassMethod', 'ClassPrivateProperty', 'ClassPrivateMethod', 'ClassAccessorProperty']);
const MODIFIERS = /\b(?:public|private|protected|readonly|override|abstract|declare)\b/g;

/** `aim`: where a relative specifier leads, as it is to be written; null where the module cannot do without a compiler. */
export function eraseTypes(text: string, program: SyntaxNode, aim: (specifier: string) => string): string | null {
  const blanks: Range[] = [];
  const edits: TextEdit[] = [];
  const blank = (start: number, end: number): void => void blanks.push({ start, end });
  const statement = (node: SyntaxNode): void => {
    blank(node.start, node.end);
    edits.push({ at: node.start, length: 0, text: ';' });
  };
  const enums = enumsIn(program);
  const left = [program];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const { type } = node;
    if (MADE.has(type) || isMade(node)) return null;
    if (TYPES.has(type)) blank(node.start, node.end);
    else if (STATEMENTS.has(type) || node['declare'] === true || isTypeOnly(node)) {
      if (MEMBERS.has(type)) blank(node.start, node.end);
      else statement(node);
    } else if (type === 'TSEnumDeclaration') {
      const made = enumObject(text, node, enums);
      if (made === null) return null;
      edits.push(made);
    } else {
      const cast = castOf(text, node);
      if (cast !== null) {
        blank(cast.start, cast.end);
        left.push(partOf(node, 'expression'));
        continue;
      }
      if (MEMBERS.has(type)) for (const range of modifiersOf(text, node)) blank(range.start, range.end);
      if (node['abstract'] === true && MEMBERS.has(type)) blank(node.start, node.end);
      if (/^Class(?:Declaration|Expression)$/.test(type)) {
        for (const range of headOf(text, node)) blank(range.start, range.end);
        const made = parameterMembers(node);
        if (made === null) return null;
        edits.push(...made);
      }
      if (type === 'TSParameterProperty') blank(node.start, partOf(node, 'parameter').start);
      for (const range of markOf(text, node)) blank(range.start, range.end);
      left.push(...childrenOf(node));
    }
  }
  const plain = blanked(text, blanks);
  const imports = importEdits(plain, program, blanks, aim);
  return applyEdits(plain, [...edits, ...imports]);
}

/** What stands around an expression to give it another type; the expression may have brackets of its own. */
function castOf(text: string, node: SyntaxNode): Range | null {
  const type = nodeAt(node, 'typeAnnotation');
  if (node.type === 'TSNonNullExpression') return { start: node.end - 1, end: node.end };
  if (type === null) return null;
  if (node.type === 'TSTypeAssertion') return { start: node.start, end: text.indexOf('>', type.end) + 1 };
  const word = node.type === 'TSAsExpression' ? 'as' : node.type === 'TSSatisfiesExpression' ? 'satisfies' : null;
  return word === null ? null : { start: text.lastIndexOf(word, type.start - 1), end: node.end };
}

function isMade(node: SyntaxNode): boolean {
  if (node.type === 'TSModuleDeclaration' && node['declare'] !== true) return true;
  return nodesAt(node, 'params').some((one) => one.type === 'Identifier' && textAt(one, 'name') === 'this');
}

/** Their names, one for each declaration that leaves code behind. */
function enumsIn(program: SyntaxNode): string[] {
  const found: string[] = [];
  walk(program, (node) => {
    if (node.type === 'TSEnumDeclaration' && node['declare'] !== true) found.push(textPartOf(partOf(node, 'id'), 'name'));
    return true;
  });
  return found;
}

/** `import type`, `export type`, and exports of what is only a type. */
function isTypeOnly(node: SyntaxNode): boolean {
  if (node.type === 'ImportDeclaration') return node['importKind'] === 'type';
  if (!/^Export(?:Named|All|Default)Declaration$/.test(node.type)) return false;
  const declared = nodeAt(node, 'declaration');
  return node['exportKind'] === 'type' || (declared !== null && (STATEMENTS.has(declared.type) || declared['declare'] === true));
}

/** Words in front of a member's name that only say who may use it. */
function modifiersOf(text: string, node: SyntaxNode): Range[] {
  const key = nodeAt(node, 'key');
  const before = key === null ? '' : text.slice(node.start, key.start);
  return [...before.matchAll(MODIFIERS)].map((match) => ({
    start: node.start + match.index,
    end: node.start + match.index + match[0].length,
  }));
}

function headOf(text: string, node: SyntaxNode): Range[] {
  const found: Range[] = [];
  const body = partOf(node, 'body');
  const word = text.slice(node.start, body.start).indexOf('class');
  if (node['abstract'] === true) found.push({ start: node.start, end: node.start + word });
  const [first] = nodesAt(node, 'implements');
  const at = first === undefined ? -1 : text.slice(0, first.start).lastIndexOf('implements');
  if (at >= 0) found.push({ start: at, end: body.start });
  return found;
}

/** `?` and `!` behind the name of a parameter, a variable or a member. */
function markOf(text: string, node: SyntaxNode): Range[] {
  if (node['optional'] !== true && node['definite'] !== true) return [];
  const named = node.type === 'Identifier' ? node : (nodeAt(node, 'key') ?? nodeAt(node, 'id'));
  if (named === null || /Call|MemberExpression/.test(node.type)) return [];
  const from = named.type === 'Identifier' ? named.start + (textAt(named, 'name') ?? '').length : named.end;
  const at = /^[\s\]]*[?!]/.exec(text.slice(from));
  return at === null ? [] : [{ start: from + at[0].length - 1, end: from + at[0].length }];
}

function blanked(text: string, blanks: readonly Range[]): string {
  return applyEdits(
    text,
    outermost(blanks).map(({ start, end }) => ({
      at: start,
      length: end - start,
      text: text.slice(start, end).replaceAll(/[^\s]/g, ' '),
    })),
  );
}

function outermost(ranges: readonly Range[]): Range[] {
  const found: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (found.length === 0 || range.start >= lastItem(found).end) found.push(range);
  return found;
}

/** Imports without names that are types, and with paths that lead somewhere without a compiler. */
function importEdits(plain: string, program: SyntaxNode, blanks: readonly Range[], aim: (specifier: string) => string): TextEdit[] {
  const statements = nodesAt(program, 'body');
  const imports = statements.filter((one) => one.type === 'ImportDeclaration' && !isTypeOnly(one));
  const rest = blanked(plain, imports);
  const isUsed = (local: string): boolean => new RegExp(`(?<![\\w$.])${local.replaceAll('$', '\\$')}(?![\\w$])`).test(rest);
  return statements.flatMap((node): TextEdit[] => {
    const source = nodeAt(node, 'source');
    if (source === null || blanks.some((one) => one.start === node.start)) return [];
    const specifier = textAt(source, 'value') ?? '';
    const path = {
      at: source.start,
      length: source.end - source.start,
      text: JSON.stringify(specifier.startsWith('.') ? aim(specifier) : specifier),
    };
    const names = nodesAt(node, 'specifiers');
    if (node.type !== 'ImportDeclaration' || names.length === 0) return [path];
    const kept = names.filter((one) => one['importKind'] !== 'type' && isUsed(textAt(partOf(one, 'local'), 'name') ?? ''));
    const whole = { at: node.start, length: node.end - node.start };
    if (kept.length === 0) return [{ ...whole, text: ';' }];
    const words = (type: string): string[] => kept.filter((one) => one.type === type).map((one) => plain.slice(one.start, one.end));
    const braced = words('ImportSpecifier');
    const bound = [
      ...words('ImportDefaultSpecifier'),
      ...words('ImportNamespaceSpecifier'),
      ...(braced.length === 0 ? [] : [`{ ${braced.join(', ')} }`]),
    ];
    return [{ ...whole, text: `import ${bound.join(', ')} from ${path.text};` }];
  });
}
