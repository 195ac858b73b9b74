/** What each rule of the report is worth, from what the harness saw. Pure: no word of an agent comes in here. */
import { counted } from '../../../domain/counted.ts';
import type { Finding } from '../../../domain/verdict.ts';
import type { TaskInput } from '../contract.ts';
import type { OwnRule } from './origin-rules.ts';
import type { MarkerChange } from './plan-markers.ts';
import { TDD_RULE, type ShippedRule } from './rules.ts';
import type { Ground, Rule } from './state.ts';

export interface LookFacts {
  code: readonly string[];
  clones: readonly { at: string; of: string; what: string }[];
  compared: number;
  names: readonly { name: string; path: string; uses: readonly string[] }[];
  unread: readonly string[];
}

export interface RunFacts {
  verdict: { id: string; decision: string; keptGreen: number; total: number; runner: string };
  /** How many tests passed on the base. */
  baseline: number;
  /** Accepted tests that the task changes. */
  mayChange: readonly string[];
  findings: readonly (Finding & { line: string })[];
  redToGreen: readonly string[];
  /** New tests that failed on the base, each with what it said. */
  red: readonly string[];
}

export interface CommandResult {
  command: string;
  exitCode: number | null;
  output: string;
}

export function dryRule(look: LookFacts): Rule {
  if (look.code.length === 0) return proved('dry-violation-none', 'no code was changed');
  if (look.clones.length > 0) {
    const lines = look.clones.map((clone) => `${clone.at} repeats ${clone.of} (${clone.what})`);
    return missing('dry-violation-none', `code that is there already was written again: ${lines.join('; ')}`);
  }
  return proved('dry-violation-none', `${listed(look.code)} compared with ${look.compared} files of the project: no copy found`);
}

/** A worker may set the mark of its own task, where its mode says so; in breezing no mark is its own. */
export function markerRule(changes: readonly MarkerChange[], input: Pick<TaskInput, 'mode' | 'task_id'>): Rule {
  const others = input.mode === 'breezing' ? changes : changes.filter((change) => !change.isOwn);
  if (others.length > 0)
    return missing('plans-cc-markers-untouched', `changed marker lines: ${listed(others.map((one) => one.line.trim()))}`);
  if (changes.length > 0)
    return proved(
      'plans-cc-markers-untouched',
      `only the marker of task ${input.task_id} was changed, which mode ${input.mode} allows: ${listed(changes.map((one) => one.line.trim()))}`,
    );
  return proved('plans-cc-markers-untouched', 'the diff of the plan has no changed marker line');
}

export function callRule(look: LookFacts): Rule {
  if (look.code.length === 0) return proved('all-declared-symbols-called', 'no code was changed');
  if (look.unread.length > 0)
    return undecided(
      'all-declared-symbols-called',
      `no parser of the harness reads ${listed(look.unread)}: which names they declare cannot be told`,
    );
  const idle = look.names.filter((one) => one.uses.length === 0);
  if (idle.length > 0)
    return missing('all-declared-symbols-called', `no call site: ${listed(idle.map((one) => `${one.name} (${one.path})`))}`);
  if (look.names.length === 0) return proved('all-declared-symbols-called', `${listed(look.code)} declare no new name`);
  return proved(
    'all-declared-symbols-called',
    listed(look.names.map((one) => `${one.name} (${one.path}): used in ${one.uses.slice(0, 2).join(', ')}`)),
  );
}

/** Without a definition of done, the validation commands are it. */
export function dodRule({ dod, validation }: Ground, runs: readonly CommandResult[]): Rule {
  const rule = 'dod-items-verified-with-evidence';
  const items = dod.length > 0 ? dod : validation.map(({ command }) => ({ item: 'validation', command }));
  if (items.length === 0)
    return undecided(rule, 'there is no definition of done and no validation command: name one in validation_commands');
  const lines = items.map(({ item, command }) => ({ item, run: runs.find((run) => run.command === command) ?? null }));
  const open = lines.filter(({ run }) => run === null || run.exitCode !== 0);
  const text = lines
    .map(
      ({ item, run }) => `${item}: ${run === null ? 'no command proves it; give it a command in the contract or in dod' : outputOf(run)}`,
    )
    .join('\n');
  if (open.length === 0) return proved(rule, text);
  return open.every(({ run }) => run === null) ? undecided(rule, text) : missing(rule, text);
}

export function regressionRule(ground: Ground, { verdict, baseline, mayChange, findings }: RunFacts): Rule {
  const rule = 'no-existing-test-regression';
  const against = findings.filter((finding) => finding.weight !== 'warn' && finding.reason !== 'test.not_red');
  if (against.length > 0) {
    const isAsked = against.every((finding) => finding.weight === 'ask' && !finding.reason.startsWith('tamper.'));
    const text = `verdict ${verdict.id} is ${verdict.decision}: ${against.map((finding) => finding.line).join('; ')}`;
    return isAsked ? undecided(rule, text) : missing(rule, text);
  }
  if (ground.test === null) return proved(rule, `the project has no tests that could be lost (verdict ${verdict.id})`);
  const ran = `${counted(verdict.total, 'test')} ran (${verdict.runner}: ${ground.test})`;
  return proved(rule, `verdict ${verdict.id}: ${keptWords(verdict.keptGreen, baseline, mayChange)}; ${ran}`);
}

function keptWords(kept: number, before: number, mayChange: readonly string[]): string {
  if (before === 0) return 'no test passed before';
  if (kept === before)
    return before === 1 ? 'the test that passed before still passes' : `all ${before} tests that passed before still pass`;
  const changed = before - kept;
  if (mayChange.length === 0) return `${kept} of ${before} tests that passed before still pass as they were`;
  const which = `the task allows it to change tests (may_change: ${listed(mayChange)})`;
  return kept === 0
    ? `${before === 1 ? 'the test' : `all ${before} tests`} that passed before ${before === 1 ? 'was' : 'were'} changed, and ${which}`
    : `${kept} of ${before} tests that passed before still pass as they were, ${changed} ${changed === 1 ? 'was' : 'were'} changed, and ${which}`;
}

export function redRule({ tdd }: Ground, { findings, redToGreen, red }: RunFacts, tests: readonly string[]): Rule {
  if (!tdd.required)
    return proved(
      TDD_RULE,
      tdd.skipped === null
        ? `not required: ${tdd.note ?? 'the contract does not ask for it'}`
        : `skipped, with the reason: ${tdd.skipped}${tdd.note === null ? '' : ` (${tdd.note})`}`,
    );
  const note = tdd.note === null ? '' : ` (${tdd.note})`;
  const against = findings.filter((finding) => finding.reason === 'test.not_red' && finding.weight !== 'warn');
  if (against.length > 0 || redToGreen.length === 0)
    return missing(
      TDD_RULE,
      `${against.map((finding) => finding.line).join('; ') || `no test of ${listed(tests)} was seen failing on the base and passing now`}${note}`,
    );
  return proved(TDD_RULE, `run by the harness on the base: ${listed(red)}; passing now: ${listed(redToGreen)}`);
}

/** A change that has to bring a test and brings none needs no run to be told so. */
export function noTestRule({ tdd }: Ground): Rule {
  return missing(
    TDD_RULE,
    `the change brings no new test, so nothing was seen failing on the base${tdd.note === null ? '' : ` (${tdd.note})`}`,
  );
}

export function ownRules(rules: readonly OwnRule[], runs: readonly CommandResult[]): Rule[] {
  return rules.map(({ rule, command }) => {
    const run = runs.find((one) => one.command === command);
    if (command === null || run === undefined) return undecided(rule, 'no command proves this rule: give it one in worker.self_review');
    return run.exitCode === 0 ? proved(rule, outputOf(run)) : missing(rule, outputOf(run));
  });
}

function outputOf({ command, exitCode, output }: CommandResult): string {
  const tail = output.trim().split('\n').slice(-10).join(' | ').slice(-500);
  return `\`${command}\` ended with ${exitCode ?? 'no status'}${tail === '' ? '' : `: ${tail}`}`;
}

type RuleName = ShippedRule | (string & {});

function proved(rule: RuleName, evidence: string): Rule {
  return { rule, verified: true, evidence, mendable: true };
}

function missing(rule: RuleName, evidence: string): Rule {
  return { rule, verified: false, evidence, mendable: true };
}

/** No agent can do anything about it. */
function undecided(rule: RuleName, evidence: string): Rule {
  return { rule, verified: false, evidence, mendable: false };
}

const MOST = 15;

function listed(items: readonly string[]): string {
  return `${items.slice(0, MOST).join('; ')}${items.length > MOST ? `; and ${items.length - MOST} more` : ''}`;
}
