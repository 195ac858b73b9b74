// Finds phrases of english.md's list. In text that people read (pages, messages, prompts, words) there may be none; in comments the
// number may only go down: `scripts/english/comments.json` holds it. `--list` prints every place, comments too; `--write` records a lower number.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { PHRASES } from './english/phrases.mjs';

const here = fileURLToPath(new URL('..', import.meta.url));
const {
  root = here,
  list = false,
  write = false,
} = parseArgs({ options: { root: { type: 'string' }, list: { type: 'boolean' }, write: { type: 'boolean' } } }).values;
const record = join(here, 'scripts', 'english', 'comments.json');
const patterns = PHRASES.map(([phrase, better]) => ({
  phrase,
  better,
  pattern: new RegExp(`\\b${phrase.replaceAll(' ', '\\s+')}\\b`, 'giu'),
}));

const [messages, comments] = [[], []];
let read = 0;
for (const name of files(
  ['.', 'docs', 'plugin', 'src/prompts', 'words'].filter((folder) => existsSync(join(root, folder))),
  /\.md$|(?:^|\/)en[^/]*\.json$/,
))
  readPage(name);
for (const name of files(['src'], /\.tsx?$/)) readSource(name);

const kept = JSON.parse(readFileSync(record, 'utf8'));
for (const { place, phrase, better } of list ? [...messages, ...comments] : messages)
  console.error(`${place}: "${phrase}" (write: ${better})`);
console.log(`${read} files, ${messages.length} phrases in text for people, ${comments.length} in comments (${kept.comments} recorded)`);
if (read < 100) console.error('So few files were read that the check itself is broken.');
if (comments.length > kept.comments)
  console.error('More denied phrases in comments than recorded. Find them with: node scripts/english.mjs --list');
if (comments.length < kept.comments && write) writeFileSync(record, `{ "comments": ${comments.length} }\n`);
if (messages.length > 0 || comments.length > kept.comments || read < 100) process.exitCode = 1;

/** Decisions are dated records and keep their words. */
function files(folders, pattern) {
  return folders
    .flatMap((folder) => namesIn(folder))
    .filter((name) => pattern.test(name) && !name.startsWith('docs/decisions/') && !/\.test\.tsx?$|\/test-support/.test(name))
    .toSorted();
}

/** Of the project's root only its own files. */
function namesIn(folder) {
  const found = readdirSync(join(root, folder), { recursive: folder !== '.', withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** String literals and comments of one source. Patterns in regular expressions are no text for people. */
function readSource(name) {
  const text = readFileSync(join(root, name), 'utf8');
  read += 1;
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node) ||
      ts.isJsxText?.(node)
    )
      find(messages, name, lineAt(node.getStart(source)), node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const seen = new Set();
  const visitComments = (node) => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) {
      if (seen.has(range.pos)) continue;
      seen.add(range.pos);
      find(comments, name, lineAt(range.pos), text.slice(range.pos, range.end).replaceAll(/\n\s*\*/g, '\n'));
    }
    node.getChildren(source).forEach(visitComments);
  };
  visitComments(source);
}

function readPage(name) {
  read += 1;
  find(messages, name, 1, readFileSync(join(root, name), 'utf8'));
}

function find(found, name, line, text) {
  for (const { phrase, better, pattern } of patterns)
    for (const match of text.matchAll(pattern))
      found.push({ place: `${name}:${line + text.slice(0, match.index).split('\n').length - 1}`, phrase, better });
}
