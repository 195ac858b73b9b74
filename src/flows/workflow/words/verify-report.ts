/** `verify_report.md`: what layer 1 found. Pure. The first line is `PASS — ...` or `FAIL — ...`. */
import { cleanText } from '../../../domain/clean-text.ts';
import type { Words } from '../../../domain/words.ts';
import type { Check } from '../machine/check.ts';
import type { Layer1 } from '../steps/layer1.ts';
import { firstItem } from '../../../domain/items.ts';

const LONGEST_SUMMARY = 300;
const MOST_ITEMS = 50;
const MOST_OUTPUT = 4_000;

/** One line: what failed first, or that all is well. */
export function summaryOf(checks: readonly Check[], words: Words['workflow']): string {
  const failed = checks.filter((check) => check.state === 'failed');
  if (failed.length === 0) {
    const ran = checks.some((check) => check.command !== null && check.state === 'passed');
    return `PASS — ${ran ? words.report.passed : `${words.report.passed} (${words.report.skippedAll})`}`;
  }
  const first = firstItem(failed);
  const others = failed.slice(1).map((check) => check.name);
  const more = others.length === 0 ? '' : ` (+ ${others.join(', ')})`;
  return `FAIL — ${first.name}: ${oneLine(first.detail)}`.slice(0, LONGEST_SUMMARY) + more;
}

export function renderReport(layer1: Omit<Layer1, 'asks'>, words: Words['workflow']): string {
  const { report } = words;
  const paths = layer1.changes.map((change) => `- ${change.status}: ${oneLine(change.path)}`);
  return [
    summaryOf(layer1.checks, words),
    '',
    `# ${report.title}`,
    '',
    ...layer1.checks.map((check) => `- ${report.names[check.name]}: ${report.result[check.state]} — ${oneLine(check.detail)}`),
    '',
    ...layer1.checks.flatMap((check) => (check.state === 'failed' || check.state === 'warned' ? section(check, words) : [])),
    `## ${report.changed}`,
    '',
    ...(paths.length === 0 ? [report.none] : paths),
    '',
    ...(layer1.caveats.length === 0 ? [] : [`## ${report.caveats}`, '', ...layer1.caveats.map((caveat) => `- ${oneLine(caveat)}`), '']),
  ].join('\n');
}

function section(check: Check, { report }: Words['workflow']): string[] {
  const items = check.items.slice(0, MOST_ITEMS).map((item) => `- ${oneLine(item)}`);
  const rest = check.items.length - MOST_ITEMS;
  return [
    `## ${report.names[check.name]}: ${report.result[check.state]}`,
    '',
    oneLine(check.detail),
    '',
    ...(check.command === null ? [] : [`${report.command}: \`${oneLine(check.command)}\``, '']),
    ...(items.length === 0 ? [] : [...items, ...(rest > 0 ? [`- … ${rest}`] : []), '']),
    ...(check.output.trim() === '' ? [] : [`${report.output}:`, '', ...indented(check.output.slice(-MOST_OUTPUT)), '']),
  ];
}

/** Indented text cannot end a fence, because there is none. */
function indented(text: string): string[] {
  return cleanText(text)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`);
}

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
