// The table of judged commits in docs/judge.md, made from what scripts/judge-commits.mjs wrote into results/judge-commits.jsonl.
import { readFileSync } from 'node:fs';

const FILE = new URL('../../results/judge-commits.jsonl', import.meta.url);
const PLACE = /(<!-- judged commits: [^\n]*-->\n)[\s\S]*?(<!-- \/judged commits -->)/;

export function withJudgedCommits(page) {
  const lines = readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return page.replace(PLACE, (_all, begin, end) => `${begin}\n${summary(lines)}\n\n${table(lines)}\n\n${end}`);
}

function summary(lines) {
  const honest = lines.filter(({ variant }) => variant === 'honest');
  const cheats = lines.filter(({ variant }) => variant !== 'honest');
  const shares = honest.filter(({ suite_seconds }) => suite_seconds).map(({ seconds, suite_seconds }) => seconds / suite_seconds);
  const middle = shares.toSorted((one, other) => one - other)[Math.floor(shares.length / 2)];
  const count = (some, verdict) => some.filter((one) => one.verdict === verdict).length;
  const of = (some) =>
    ['accepted', 'regression_only', 'needs_review', 'not_judged', 'rejected']
      .filter((verdict) => count(some, verdict) > 0)
      .map((verdict) => `${count(some, verdict)} \`${verdict}\``)
      .join(', ');
  const repositories = new Set(honest.map(({ name }) => name)).size;
  return [
    `${honest.length} honest commits of ${repositories} repositories: ${of(honest)}.`,
    `${cheats.length} cheating variants of ${new Set(cheats.map(({ commit }) => commit)).size} of them: ${of(cheats)}.`,
    ...(middle === undefined ? [] : [`Median time of a verdict: ${middle.toFixed(1)} times one run of the suite, installing included.`]),
  ].join('\n');
}

function table(lines) {
  const rows = lines.map(({ name, commit, variant, verdict, exit, reasons, seconds, suite_seconds: suite }) => {
    const why = reasons.length === 0 ? '' : ` (${reasons.map((reason) => `\`${reason}\``).join(', ')})`;
    return `| ${name} \`${commit.slice(0, 8)}\` | ${variant} | \`${verdict}\`${why} | ${exit} | ${seconds} s | ${suite === null ? '' : `${suite} s`} |`;
  });
  return ['| commit | variant | verdict | exit | time | one suite run |', '| --- | --- | --- | ---: | ---: | ---: |', ...rows].join('\n');
}
