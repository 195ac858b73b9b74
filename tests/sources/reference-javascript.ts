/** JavaScript and TypeScript by the compiler's own parser. */
import ts from 'typescript';
import { place, type Facts } from './facts.ts';

/** Null: the compiler finds mistakes in the syntax, or breaks down over the text. */
export function referenceJavascript(path: string, text: string): Facts | null {
  try {
    return look(path, text);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function look(path: string, text: string): Facts | null {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  if ((source as unknown as { parseDiagnostics: readonly unknown[] }).parseDiagnostics.length > 0) return null;
  const facts: Facts = { imports: [], functions: [], tests: [], texts: [] };
  visit(source, { facts, source, isInTest: false });
  return {
    imports: facts.imports.toSorted(),
    functions: facts.functions.toSorted(),
    tests: facts.tests.toSorted(),
    texts: facts.texts.toSorted(),
  };
}

interface Place {
  facts: Facts;
  source: ts.SourceFile;
  isInTest: boolean;
}

function visit(node: ts.Node, at: Place): void {
  const { facts, source } = at;
  const where = place(node.getStart(source), node.getEnd());
  if (
    (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
    node.moduleSpecifier !== undefined &&
    ts.isStringLiteral(node.moduleSpecifier)
  )
    facts.imports.push(node.moduleSpecifier.text);
  if (ts.isStringLiteral(node) && !ts.isJsxAttribute(node.parent) && !ts.isLiteralTypeNode(node.parent)) facts.texts.push(node.text);
  if (
    !at.isInTest &&
    (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) &&
    node.body !== undefined &&
    node.name !== undefined
  )
    facts.functions.push(`${node.name.getText(source)} ${place(startOf(node, source), node.getEnd())}`);
  const isTest = ts.isCallExpression(node) && isTestCall(node);
  if (isTest) facts.tests.push(`${titleOf(node)} ${where}`);
  ts.forEachChild(node, (child) => visit(child, { ...at, isInTest: at.isInTest || isTest }));
}

/** `export` and `default` belong to the statement around the function. */
function startOf(node: ts.FunctionDeclaration | ts.MethodDeclaration, source: ts.SourceFile): number {
  const outer = (node.modifiers ?? []).filter(({ kind }) => kind === ts.SyntaxKind.ExportKeyword || kind === ts.SyntaxKind.DefaultKeyword);
  const last = outer.at(-1);
  return last === undefined ? node.getStart(source) : last.getEnd() + /^\s*/.exec(source.text.slice(last.getEnd()))![0].length;
}

function isTestCall({ expression, arguments: given }: ts.CallExpression): boolean {
  if (given.length < 2) return false;
  if (ts.isIdentifier(expression)) return expression.text === 'test' || expression.text === 'it';
  const table = ts.isCallExpression(expression) ? expression.expression : null;
  return table !== null && ts.isPropertyAccessExpression(table) && table.getText() === 'test.each';
}

function titleOf({ expression, arguments: [first] }: ts.CallExpression): string {
  return ts.isIdentifier(expression) && first !== undefined && ts.isStringLiteralLike(first) ? first.text : '';
}
