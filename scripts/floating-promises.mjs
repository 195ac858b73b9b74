// Finds promises that nobody awaits, returns, voids or catches: an error in one would end the process, or be lost.
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(`${root}tsconfig.json`));
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();
const sources = program.getSourceFiles().filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/'));

let statements = 0;
const found = [];
for (const source of sources) visit(source, source);
for (const place of found) console.error(`${place}: this promise is neither awaited nor handled`);
console.log(`${statements} statements in ${sources.length} files, ${found.length} floating promises`);
if (statements === 0 || found.length > 0) process.exitCode = 1;

function visit(node, source) {
  if (ts.isExpressionStatement(node)) {
    statements += 1;
    if (floats(node.expression)) {
      const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${relative(root, source.fileName)}:${line + 1}:${character + 1}`);
    }
  }
  ts.forEachChild(node, (child) => visit(child, source));
}

function floats(expression) {
  if (ts.isParenthesizedExpression(expression)) return floats(expression.expression);
  if (ts.isAwaitExpression(expression) || ts.isVoidExpression(expression)) return false;
  if (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    expression.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  )
    return false;
  return isPromise(checker.getTypeAtLocation(expression)) && !isHandled(expression);
}

function isPromise(type) {
  if (type.isUnion()) return type.types.some(isPromise);
  const then = checker.getPropertyOfType(type, 'then');
  return then !== undefined && checker.getSignaturesOfType(checker.getTypeOfSymbol(then), ts.SignatureKind.Call).length > 0;
}

function isHandled(expression) {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
  const method = expression.expression.name.text;
  if (method === 'finally') return isHandled(expression.expression.expression);
  return (method === 'catch' && expression.arguments.length > 0) || (method === 'then' && expression.arguments.length > 1);
}
