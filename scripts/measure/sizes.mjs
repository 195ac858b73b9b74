// Sizes of a copy. Sources are the .ts files of src without tests and their support; lines are lines of text, blank ones among them.
//
// A function is anything with a body that TypeScript's parser calls one: declared, assigned, a method, an accessor. Its length runs
// from its first line to its last. Importers of a file are other sources; tests are no users, and so are not counted.
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { readSources } from './sources.mjs';

export const SIZES = [
  ['files', 'files'],
  ['lines', 'lines'],
  ['median', 'median file'],
  ['longest', 'longest file'],
  ['longestFunction', 'longest function'],
  ['longFunctions', 'functions over 60 lines'],
  ['manyParameters', 'functions with more than four parameters'],
  ['programs', 'programs in strings'],
  ['programLines', '… their lines'],
  ['programsInVerify', '… of them in src/verify'],
  ['nonNull', 'non-null assertions'],
  ['nonNullInVerify', '… of them in src/verify'],
  ['oneImporter', 'files with one importer'],
  ['smallOneImporter', '… of them under 60 lines'],
  ['testLines', 'test lines per source line'],
];
const MOST_PARAMETERS = 4;
const LONG_LINES = 60;
const IN_VERIFY = /(?:^|\/)verify\//;
const PROGRAM_LINES = 6;
/** A line that only a program has: SQL is told by how it begins, and help has none. */
const STATEMENT = /^\s*(?:import|from \S+ import|const|let|def|class|export|function|if|for|while|try|return|complete|local)\b/m;
const SQL = /^\s*(?:create|select|insert|update|delete|with)\s/i;

export function measureSizes(copy) {
  const { sources, tests } = readSources(copy);
  const lengths = sources.map((file) => linesOf(file.text)).toSorted((a, b) => a - b);
  const lines = lengths.reduce((sum, length) => sum + length, 0);
  const functions = sources.flatMap(functionsOf);
  const nonNull = sources.map(({ path, text }) => ({ path, count: countNonNull(path, text) }));
  const single = withOneImporter(sources);
  const programs = sources.flatMap(programsOf);
  const sum = (counts) => counts.reduce((all, { count }) => all + count, 0);
  return {
    files: sources.length,
    lines,
    median: lengths[lengths.length >> 1],
    longest: lengths.at(-1),
    longestFunction: Math.max(...functions.map((one) => one.lines)),
    longFunctions: functions.filter((one) => one.lines > LONG_LINES).length,
    manyParameters: functions.filter((one) => one.parameters > MOST_PARAMETERS).length,
    programs: programs.length,
    programLines: programs.reduce((all, one) => all + one.lines, 0),
    programsInVerify: programs.filter(({ path }) => IN_VERIFY.test(path)).length,
    nonNull: sum(nonNull),
    nonNullInVerify: sum(nonNull.filter(({ path }) => IN_VERIFY.test(path))),
    oneImporter: single.length,
    smallOneImporter: single.filter(({ text }) => linesOf(text) < LONG_LINES).length,
    testLines: (tests.reduce((sum, file) => sum + linesOf(file.text), 0) / lines).toFixed(2),
  };
}

function linesOf(text) {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function functionsOf({ path, text }) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const at = (position) => source.getLineAndCharacterOfPosition(position).line;
      found.push({ lines: at(node.end) - at(node.getStart(source)) + 1, parameters: node.parameters.length });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Templates of several lines that hold a program: neither types, linter nor formatter see it. */
function programsOf({ path, text }) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (!ts.isTemplateExpression(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return ts.forEachChild(node, visit);
    const at = (position) => source.getLineAndCharacterOfPosition(position).line;
    const lines = at(node.end) - at(node.getStart(source)) + 1;
    const content = node.getText(source).slice(1);
    if (lines >= PROGRAM_LINES && STATEMENT.test(content) && !SQL.test(content)) found.push({ path, lines });
  };
  visit(source);
  return found;
}

function countNonNull(path, text) {
  let count = 0;
  const visit = (node) => {
    if (ts.isNonNullExpression(node)) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return count;
}

function withOneImporter(sources) {
  const importers = new Map(sources.map((file) => [file.path, 0]));
  for (const { path, text } of sources) {
    const named = ts.preProcessFile(text, true, true).importedFiles.map((one) => one.fileName);
    const targets = new Set(named.filter((name) => name.startsWith('.')).map((name) => normalize(join(dirname(path), name))));
    for (const target of targets) if (importers.has(target)) importers.set(target, importers.get(target) + 1);
  }
  return sources.filter(({ path }) => importers.get(path) === 1);
}
