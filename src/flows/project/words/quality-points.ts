/** What a cleanup session is told to look at, each point with its severity. Pure. */
import { counted } from '../../../domain/counted.ts';
import type { Feature } from '../../../domain/feature.ts';
import type { FileSizes } from '../../../kernel/flight/memory-files.ts';
import type { LintCount } from '../look/lint-count.ts';
import type { RuleCount } from '../look/lint-rules.ts';

export interface QualityFacts {
  sizes: Pick<FileSizes, 'session' | 'files'> | null;
  /** Lines that a file may have. */
  limit: number;
  /** What those that have more hold, by path. */
  texts: ReadonlyMap<string, string>;
  next: Pick<Feature, 'id' | 'description'> | null;
  /** `found`: null where the linter was not run. Null: there is no linter, or it finds nothing. */
  lint: { command: string; found: { count: LintCount; rules: readonly RuleCount[] } | null } | null;
}

const FAST_GROWTH = 50;
export const MOST_LARGE = 20;

export function qualityPoints({ sizes, limit, texts, next, lint }: QualityFacts): string[] {
  return [
    ...(next === null ? [] : [`Before work on feature #${next.id} (${next.description}) begins:`]),
    ...(sizes === null ? [] : [...largeFiles(sizes, limit, texts), ...growingFiles(sizes)]),
    ...(lint === null ? [] : lintPoints(lint)),
    '- info: code that nothing uses: unused imports, functions, files',
    '- info: public functions whose purpose is not clear from name and signature: document them',
  ];
}

function largeFiles({ files }: NonNullable<QualityFacts['sizes']>, limit: number, texts: QualityFacts['texts']): string[] {
  return Object.entries(files)
    .filter(([, info]) => info.lines > limit)
    .toSorted(([, a], [, b]) => b.lines - a.lines)
    .slice(0, MOST_LARGE)
    .map(([path, info]) => `- warning: ${path}: ${info.lines} lines (limit ${limit}): ${splitHint(path, texts.get(path) ?? null)}`);
}

function growingFiles({ session, files }: NonNullable<QualityFacts['sizes']>): string[] {
  return Object.entries(files)
    .filter(([, info]) => session > info.session_added)
    .map(([path, info]) => ({ path, lines: info.lines - info.lines_at_start, sessions: session - info.session_added }))
    .filter(({ lines, sessions }) => lines / sessions > FAST_GROWTH)
    .slice(0, 10)
    .map(({ path, lines, sessions }) => `- info: ${path}: grew by ${lines} lines in ${counted(sessions, 'session')}`);
}

/** By what the file holds; where its text says too little, by its name. */
export function splitHint(path: string, text: string | null): string {
  const held = HOLDS.map((one) => ({ ...one, count: text?.match(one.pattern)?.length ?? 0 })).find(({ count, least }) => count >= least);
  return held === undefined ? hintOf(path) : `${counted(held.count, ...held.name)}: ${held.hint}`;
}

const HOLDS: readonly { name: readonly [string, string]; pattern: RegExp; least: number; hint: string }[] = [
  {
    name: ['test', 'tests'],
    pattern: /\b(?:test|it)\s*\(\s*['"`]|^\s*(?:async )?def test_\w+|#\[test\]|^func Test\w+/gm,
    least: 3,
    hint: 'split it by what is tested',
  },
  {
    name: ['route', 'routes'],
    pattern: /(?:@\w+|\b(?:app|router|api|server|fastify|blueprint|bp))\s*\.\s*(?:get|post|put|patch|delete|route)\s*\(/g,
    least: 3,
    hint: 'split it by resource',
  },
  {
    name: ['class', 'classes'],
    pattern: /^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+\w+/gm,
    least: 2,
    hint: 'give each its own file',
  },
  {
    name: ['function', 'functions'],
    pattern: /^(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\b|def\s|const\s+\w+\s*=\s*(?:async\s*)?\()|^func\s|^(?:pub\s+)?fn\s/gm,
    least: 5,
    hint: 'move related functions to separate files',
  },
];

function hintOf(path: string): string {
  if (/(^|[/._-])(?:test|tests|spec|specs)([/._-]|$)/i.test(path)) return 'split it by what is tested';
  if (/(^|[/._-])(?:api|route|routes|router|controller|controllers|handler|handlers|view|views)([/._-]|$)/i.test(path))
    return 'split it by resource';
  if (/(^|[/._-])(?:util|utils|helper|helpers|common|lib|service|services)([/._-]|$)/i.test(path))
    return 'move related functions to separate files';
  if (/(^|[/._-])(?:model|models|schema|schemas|type|types)([/._-]|$)/i.test(path)) return 'split it by model';
  return 'split it by responsibility';
}

function lintPoints({ command, found }: NonNullable<QualityFacts['lint']>): string[] {
  if (found === null) return [`- warning: run \`${command}\` and fix what it reports`];
  const { count, rules } = found;
  const named = kindsIn(rules);
  const other = count.errors + count.warnings - named.reduce((sum, one) => sum + one.count, 0);
  const kinds = [
    ...named.map(({ kind, count: times }) => `${times} ${times === 1 ? singular(kind) : kind}`),
    ...(named.length > 0 && other > 0 ? [`${other} of other kinds`] : []),
  ];
  const total = `${counted(count.errors, 'error')}, ${counted(count.warnings, 'warning')}`;
  const all = kinds.length === 0 ? '' : `; ${count.errors + count.warnings} in all: ${kinds.join(', ')}`;
  return [`- ${count.errors > 0 ? 'error' : 'warning'}: \`${command}\` reports ${total}: fix them${all}`];
}

/** Rules that mean the same are one kind; a rule without a name of its own is called by its code. */
function kindsIn(rules: readonly RuleCount[]): { kind: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { rule, count } of rules) {
    const kind = KINDS.find(([pattern]) => pattern.test(rule))?.[1] ?? rule;
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((one, other) => other.count - one.count);
}

/** A kind is named by its plural; the code of a rule stays as it is. */
function singular(kind: string): string {
  return (
    {
      'lines too long': 'line too long',
      'imports out of order': 'import out of order',
      'names that are never reassigned': 'name that is never reassigned',
    }[kind] ?? (KINDS.some(([, name]) => name === kind) ? kind.replace(/s$/, '') : kind)
  );
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:F401|W0611|TS6192)$|unused-imports?|noUnusedImports/, 'unused imports'],
  [/^(?:F841|W0612|TS6133|TS6196)$|no-unused-vars|noUnusedVariables/, 'unused names'],
  [/^(?:E501|C0301)$|max-len/, 'lines too long'],
  [/^(?:D1\d\d|C011[456])$|require-jsdoc/, 'missing docstrings'],
  [/^(?:F821|E0602|TS2304)$|no-undef\b|noUndeclaredVariables/, 'undefined names'],
  [/^(?:I001|E402)$|import\/order|organizeImports/, 'imports out of order'],
  [/^(?:W29[13]|W391|C0303)$|no-trailing-spaces/, 'trailing white space'],
  [/^(?:TS7006|TS7031)$|no-explicit-any|noExplicitAny/, 'missing types'],
  [/prefer-const|useConst/, 'names that are never reassigned'],
  [/no-console|noConsole|^T201$/, 'leftover prints'],
];
