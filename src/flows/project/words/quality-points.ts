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
  next: Pick<Feature, 'id' | 'description'> | null;
  /** `found`: null where the linter was not run. Null: there is no linter, or it finds nothing. */
  lint: { command: string; found: { count: LintCount; rules: readonly RuleCount[] } | null } | null;
}

const FAST_GROWTH = 50;

export function qualityPoints({ sizes, limit, next, lint }: QualityFacts): string[] {
  return [
    ...(next === null ? [] : [`Before work on feature #${next.id} (${next.description}) begins:`]),
    ...(sizes === null ? [] : [...largeFiles(sizes, limit), ...growingFiles(sizes)]),
    ...(lint === null ? [] : lintPoints(lint)),
    '- info: code that nothing uses: unused imports, functions, files',
    '- info: public functions whose purpose is not clear from name and signature: document them',
  ];
}

function largeFiles({ files }: NonNullable<QualityFacts['sizes']>, limit: number): string[] {
  return Object.entries(files)
    .filter(([, info]) => info.lines > limit)
    .toSorted(([, a], [, b]) => b.lines - a.lines)
    .slice(0, 20)
    .map(([path, info]) => `- warning: ${path}: ${info.lines} lines (limit ${limit}): ${splitHint(path)}`);
}

function growingFiles({ session, files }: NonNullable<QualityFacts['sizes']>): string[] {
  return Object.entries(files)
    .filter(([, info]) => session > info.session_added)
    .map(([path, info]) => ({ path, lines: info.lines - info.lines_at_start, sessions: session - info.session_added }))
    .filter(({ lines, sessions }) => lines / sessions > FAST_GROWTH)
    .slice(0, 10)
    .map(({ path, lines, sessions }) => `- info: ${path}: grew by ${lines} lines in ${counted(sessions, 'session')}`);
}

/** By what the file seems to hold. */
export function splitHint(path: string): string {
  if (/(^|[/._-])(?:test|tests|spec|specs)([/._-]|$)/i.test(path)) return 'split it by what is tested';
  if (/(^|[/._-])(?:api|route|routes|router|controller|controllers|handler|handlers|view|views)([/._-]|$)/i.test(path))
    return 'split it by resource';
  if (/(^|[/._-])(?:util|utils|helper|helpers|common|lib|service|services)([/._-]|$)/i.test(path))
    return 'take helpers out by what they serve';
  if (/(^|[/._-])(?:model|models|schema|schemas|type|types)([/._-]|$)/i.test(path)) return 'split it by model';
  return 'split it by responsibility';
}

function lintPoints({ command, found }: NonNullable<QualityFacts['lint']>): string[] {
  if (found === null) return [`- warning: run \`${command}\` and fix what it reports`];
  const { count, rules } = found;
  const total = `${counted(count.errors, 'error')}, ${counted(count.warnings, 'warning')}`;
  return [
    `- ${count.errors > 0 ? 'error' : 'warning'}: \`${command}\` reports ${total}: fix them${rules.length === 0 ? '' : ', by rule:'}`,
    ...rules.map((one) => `    ${one.rule}: ${one.count}`),
  ];
}
