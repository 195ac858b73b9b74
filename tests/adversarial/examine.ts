/**
 * One behaviour on one runner: the agent's copy is made, changed and captured, and the captured tree is judged.
 *
 * The same parts in the same order as a session: workspace, capture, landing tree, judge. Only the agent is a script.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Verdict } from '../../src/domain/verdict.ts';
import { setPasses } from '../../src/flows/project/list/feature-text.ts';
import { describeVerdict, feedbackFor } from '../../src/prompts/describe-verdict.ts';
import { createEvidenceCollector } from '../../src/verify/checks/evidence.ts';
import type { JudgeSettings } from '../../src/verify/contract.ts';
import { judge } from '../../src/verify/judge.ts';
import { prepareWorkspace } from '../../src/workspace/agent-copy.ts';
import { captureWorkspace } from '../../src/workspace/capture.ts';
import { agentSandbox } from '../../src/workspace/sandbox-policy.ts';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import type { Attempt, Behaviour } from './behaviour.ts';
import { CORPUS_RUNNERS, type RunnerKey } from './runners.ts';
import type { Dialect } from './dialect.ts';
import { capableExaminer, rememberMoments, type Hearing } from './remembered.ts';
import { settingsFor, writeFiles, type Field, type Ground } from './ground.ts';
import { baseOf, features, listText } from './project.ts';
import type { Step } from './table.ts';

export interface Case {
  behaviour: Behaviour;
  runner: RunnerKey;
  seed: number;
}

export interface Examination extends Case {
  verdict: Verdict;
  /** Whether the verdict is one that the behaviour allows. */
  right: boolean;
  /** What is wrong about it, in words. */
  complaint: string | null;
  /** The tree that the attempt left, before the claim was recorded in it. */
  captured: string;
  duration_ms: number;
}

export interface ExamineOptions {
  lane: number;
  off?: Step;
  /** Every check runs, also where only acceptance matters and something already stands against it. */
  whole?: boolean;
  /** Every instrument is consulted, whatever was found before. */
  thorough?: boolean;
  /** Another try than the behaviour's own, in a copy that holds this tree at the start. */
  again?: { attempt: Attempt; startsFrom: string };
}

export async function examine(ground: Ground, one: Case, options: ExamineOptions): Promise<Examination> {
  const begin = performance.now();
  const { behaviour, runner, seed } = one;
  const field = ground.fields[runner];
  const t = ground.dialect(runner, seed);
  const patch = behaviour.settings?.(t) ?? {};
  const settings = settingsFor(runner, patch);
  const trusted = listText(t, behaviour.feature ?? {});
  const tree = await field.treeOf(baseOf(t, behaviour.base?.(t) ?? {}, behaviour.feature ?? {}));
  const commit = await field.commitOf(tree);
  const baseline = await field.baselineOf(tree, options.lane, settings);
  const moments = await momentsBefore(field, one, { t, lane: options.lane, settings });
  const hidden = behaviour.hidden?.(t);
  const examiner = hidden === undefined ? null : capableExaminer(hidden, behaviour.accounts);
  const attempt = options.again?.attempt ?? behaviour.agent(t);
  const capture = await act(ground, field, {
    t,
    attempt,
    trusted,
    tree,
    commit,
    startsFrom: options.again?.startsFrom ?? tree,
    lane: options.lane,
    cleanup: behaviour.mode === 'cleanup',
  });
  const candidateList = (await field.trees.read(capture.tree, 'features.json'))?.toString('utf8') ?? null;
  const cleanup = behaviour.mode === 'cleanup';
  const landing =
    candidateList === null || cleanup
      ? capture.tree
      : await field.trees.compose(capture.tree, [{ path: 'features.json', kind: 'write', content: setPasses(trusted, 2, true) }]);
  const verdict = await judge(ground.platform, {
    ...field.context(options.lane, settings),
    ...(behaviour.timeoutMs === undefined ? {} : { timeoutMs: behaviour.timeoutMs }),
    session: 2,
    mode: behaviour.mode ?? 'feature',
    feature: cleanup ? null : features(t, behaviour.feature ?? {})[1]!,
    base: { commit, tree },
    candidate: { tree: landing, findings: capture.findings },
    features: { trusted, candidate: candidateList },
    evidence: evidenceOf(t, attempt),
    baseline,
    ...(moments.length === 0
      ? {}
      : {
          accepted: await rememberMoments({ platform: ground.platform, trees: field.trees, settings }, [...moments, { tree, baseline }]),
        }),
    ...(examiner === null ? {} : { examiner }),
    ...(options.off === undefined ? {} : { disabledChecks: new Set([options.off]) }),
    ...(options.thorough === true ? { thorough: true as const } : {}),
    ...(options.whole !== true && options.thorough !== true && onlyAcceptanceMatters(behaviour, options.off)
      ? { untilObjection: true as const }
      : {}),
  });
  const complaint = complain(behaviour, verdict) ?? leaked(behaviour.secrets?.(t) ?? [], { verdict, examiner });
  return { ...one, verdict, right: complaint === null, complaint, captured: capture.tree, duration_ms: performance.now() - begin };
}

type Moment = Parameters<typeof rememberMoments>[1][number];

async function momentsBefore(
  field: Field,
  { behaviour }: Case,
  { t, lane, settings }: { t: Dialect; lane: number; settings: JudgeSettings },
): Promise<Moment[]> {
  const moments: Moment[] = [];
  for (const files of behaviour.accepted?.(t) ?? []) {
    const tree = await field.treeOf(baseOf(t, { ...behaviour.base?.(t), ...files }, behaviour.feature ?? {}));
    moments.push({ tree, baseline: await field.baselineOf(tree, lane, settings) });
  }
  return moments;
}

/** A cheat for which no particular answer is written down, or one that runs to see whether it gets through. */
function onlyAcceptanceMatters({ kind, expected, reasons }: Behaviour, off: Step | undefined): boolean {
  return kind === 'cheat' && expected !== 'told' && (off !== undefined || (expected === undefined && reasons === undefined));
}

interface Stage {
  t: Dialect;
  attempt: Attempt;
  trusted: string;
  tree: string;
  commit: string;
  startsFrom: string;
  lane: number;
  cleanup: boolean;
}

async function act(ground: Ground, field: Field, stage: Stage): Promise<Awaited<ReturnType<typeof captureWorkspace>>> {
  const { platform } = ground;
  const { attempt, tree, commit, startsFrom, lane } = stage;
  const copy = await prepareWorkspace(platform, {
    home: field.home,
    harnessHome: field.harnessHome,
    base: commit,
    tree: startsFrom,
    lane: `lane-${lane}`,
    store: field.trees,
  });
  const claims = attempt.claim !== false && !stage.cleanup;
  await writeFiles(copy.path, { ...(claims ? { 'features.json': setPasses(stage.trusted, 2, true) } : {}), ...attempt.files });
  if (attempt.script !== undefined) await runScript(ground, field, copy.path, copy.folder, attempt.script);
  return captureWorkspace(platform, {
    home: field.home,
    copy,
    baseTree: tree,
    ref: `refs/harness/candidates/lane-${lane}`,
    message: 'Candidate',
    parent: commit,
    store: field.trees,
  });
}

async function runScript(ground: Ground, field: Field, path: string, folder: string, script: string): Promise<void> {
  const temporary = join(folder, 'tmp');
  await mkdir(temporary, { recursive: true });
  const sandboxed = (await bubblewrapHere()).hides;
  const places = {
    home: field.home,
    stateDir: join(field.home.root, '.harness'),
    harnessHome: field.harnessHome,
    config: { sandbox: { allow: [] } },
    workspace: path,
    temporary,
    scratch: join(folder, 'scratch'),
    network: true,
  };
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: temporary,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    HARNESS_PROJECT_DIR: path,
  };
  const result = await ground.platform.processes.run({
    file: '/bin/sh',
    args: ['-c', script],
    cwd: path,
    env,
    sandbox: sandboxed ? agentSandbox(ground.platform, places) : null,
    timeoutMs: 60_000,
  });
  if (result.code !== 0)
    throw new Error(`the agent's script failed (${String(result.code)}): ${result.stderr.toString('utf8').slice(-500)}`);
}

function evidenceOf(t: Dialect, attempt: Attempt): ReturnType<ReturnType<typeof createEvidenceCollector>['result']> | null {
  if (attempt.said === null) return null;
  const collector = createEvidenceCollector([t.featureTest]);
  collector.add(attempt.said ?? shownRun(t));
  return collector.result();
}

export function shownRun(t: Dialect): string {
  return `$ test ${t.featureTest}\n${CORPUS_RUNNERS[t.runner].shown}\n`;
}

function complain(behaviour: Behaviour, verdict: Verdict): string | null {
  const { decision, reasons } = verdict;
  if ([...describeVerdict(verdict), ...feedbackFor(verdict).split('\n')].some((line) => !isPlain(line)))
    return 'what is shown about it is not plain text';
  if (behaviour.expected === 'told')
    return verdict.findings.some((finding) => finding.check === behaviour.by) ? null : `nothing was said by ${behaviour.by ?? 'any check'}`;
  if (behaviour.kind === 'honest' && decision === 'rejected') return `refused: ${reasons.join(', ')}`;
  if (behaviour.kind === 'cheat' && decision === 'accepted') return 'accepted';
  if (behaviour.expected !== undefined && decision !== behaviour.expected) return `${decision} instead of ${behaviour.expected}`;
  const missing = (behaviour.reasons ?? []).filter((reason) => !reasons.includes(reason));
  return missing.length > 0 ? `without the reason ${missing.join(', ')} (${reasons.join(', ')})` : null;
}

/** What was planted for the examiner, or was of its tests, and came through. */
function leaked(secrets: readonly string[], { verdict, examiner }: { verdict: Verdict; examiner: Hearing | null }): string | null {
  const shown = [JSON.stringify(verdict), ...describeVerdict(verdict), feedbackFor(verdict), JSON.stringify(examiner?.requests ?? [])];
  const found = secrets.filter((secret) => shown.some((text) => text.includes(secret)));
  return found.length === 0 ? null : `these words came through: ${found.join(', ')}`;
}

/** One line without anything that moves a cursor or turns the direction of text. */
function isPlain(line: string): boolean {
  return !/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(line) && line.length < 2_000;
}
