/** A verdict on a change in the forms that people and machines read: text, Markdown and JUnit. What a repository named is cleaned or escaped. */
import { cleanLine, cleanText } from '../domain/clean-text.ts';
import { describeChange, openChanges } from '../domain/changed-results.ts';
import type { Finding } from '../domain/verdict.ts';
import type { ChangeReport } from '../kernel/change/change-record.ts';

const WORDS: Readonly<Record<Finding['weight'], string>> = { reject: 'rejected', ask: 'needs review', warn: 'note' };
const SUBJECTS_SHOWN = 10;
const MESSAGE_LINES = 12;

export function textReport(report: ChangeReport): string {
  const { base, head } = report;
  const lines =
    base === null || head === null
      ? []
      : [`${cleanLine(headName(report))} against ${cleanLine(base.revision)} (${base.commit.slice(0, 12)})`];
  const width = Math.max(0, ...report.checks.map(({ name }) => name.length));
  lines.push(
    ...report.checks.map(({ name, state, detail }) => `  ${name.padEnd(width)}  ${state}${detail === '' ? '' : `: ${cleanLine(detail)}`}`),
  );
  for (const finding of report.findings)
    lines.push('', `${WORDS[finding.weight]}: ${cleanLine(finding.message)} [${finding.reason}]`, ...evidence(finding));
  const changed = openChanges(report).slice(0, SUBJECTS_SHOWN);
  if (changed.length > 0) lines.push('', 'changed results:', ...changed.map((one) => `  ${cleanLine(describeChange(one))}`));
  if (report.caveats.length > 0) lines.push('', ...report.caveats.map((caveat) => `note: ${cleanLine(caveat)}`));
  return [...lines, '', cleanLine(report.message)].join('\n').trim();
}

function headName({ head }: ChangeReport): string {
  return head?.revision ?? 'working tree';
}

function evidence({ failures = [], subjects }: Finding): string[] {
  const told = failures.slice(0, SUBJECTS_SHOWN).flatMap(({ test, message }) => [`  ${cleanLine(test)}`, ...indented(message)]);
  const named = subjects.filter((subject) => !failures.some(({ test }) => subject.startsWith(test))).slice(0, SUBJECTS_SHOWN);
  return [...told, ...named.map((subject) => `  ${cleanLine(subject)}`)];
}

function indented(message: string): string[] {
  const lines = cleanText(message).split('\n').slice(0, MESSAGE_LINES);
  return lines.filter((line) => line.trim() !== '').map((line) => `    ${line}`);
}

export function markdownReport(report: ChangeReport): string {
  const { base } = report;
  const title = `## ${report.verdict.replaceAll('_', ' ')}`;
  const about =
    base === null ? [] : [`\`${inCode(headName(report))}\` against \`${inCode(base.revision)}\` (\`${base.commit.slice(0, 12)}\`)`];
  const findings = report.findings.flatMap((finding) => [
    `- **${WORDS[finding.weight]}** ${escaped(finding.message)} (\`${finding.reason}\`)`,
    ...finding.subjects.slice(0, SUBJECTS_SHOWN).map((subject) => `  - \`${inCode(subject)}\``),
  ]);
  const rows = report.checks.map(({ name, state, detail }) => `| ${name} | ${state} | ${escaped(detail).replaceAll('|', '\\|')} |`);
  const table = rows.length === 0 ? [] : ['| check | result | detail |', '| --- | --- | --- |', ...rows];
  const changed = openChanges(report).slice(0, SUBJECTS_SHOWN);
  const notes = [...report.caveats, ...changed.map(describeChange)].map((note) => `- ${escaped(note)}`);
  return [title, escaped(report.message), ...about, findings.join('\n'), table.join('\n'), notes.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** As plain words: no markup, link, mention or HTML of a repository takes effect. */
function escaped(text: string): string {
  return cleanLine(text)
    .replace(/[\\`*_{}[\]<>()#+!~|-]/g, (sign) => `\\${sign}`)
    .replaceAll('@', '@\u200b')
    .replaceAll('&', '&amp;');
}

function inCode(text: string): string {
  return cleanLine(text).replaceAll('`', "'").replaceAll('|', '¦');
}

/** One test case for each check; what decides against the change is a failure. */
export function junitReport(report: ChangeReport): string {
  const cases = report.checks.map(({ name, state, detail, duration_ms }) => {
    const found = report.findings.filter(({ check, weight }) => check === name && weight !== 'warn');
    const head = `<testcase classname="harness" name="${xml(name)}" time="${(duration_ms / 1_000).toFixed(3)}">`;
    const failures = found.map(
      (one) => `<failure type="${xml(one.reason)}" message="${xml(one.message)}">${xml(evidence(one).join('\n'))}</failure>`,
    );
    const skipped = state === 'skipped' ? [`<skipped message="${xml(detail)}"/>`] : [];
    return `    ${head}${[...failures, ...skipped].join('')}</testcase>`;
  });
  const failed = report.checks.filter(({ name }) =>
    report.findings.some(({ check, weight }) => check === name && weight !== 'warn'),
  ).length;
  const isUndecided = report.verdict === 'not_judged';
  const verdict = `    <testcase classname="harness" name="verdict">${isUndecided ? `<error message="${xml(report.message)}"/>` : ''}</testcase>`;
  const tests = cases.length + 1;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${tests}" failures="${failed}" errors="${isUndecided ? 1 : 0}">`,
    `  <testsuite name="harness judge" tests="${tests}" failures="${failed}" errors="${isUndecided ? 1 : 0}">`,
    ...cases,
    verdict,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function xml(text: string): string {
  const plain = cleanText(text).replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD]/g, ' ');
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
