/**
 * `harness init --spec FILE`: an agent turns a document into features, scripts and test stubs; the harness checks, completes and commits them.
 *
 * 1. Nothing reaches the project before the list is valid.
 * 2. The harness writes `.harness.yaml` itself; what the agent put there is not taken.
 * 3. An agent that can be answered gets the problems of its list back, twice at most.
 */
import { basename, join, resolve } from 'node:path';
import { detectProject } from '../../config/detect.ts';
import type { Config } from '../../config/schema.ts';
import { loadSettings } from '../../config/user-settings.ts';
import { HarnessError, usageError } from '../../domain/errors.ts';
import type { Emit } from '../../domain/event.ts';
import { EXIT, exitCodeFor, type Outcome, type Reason } from '../../domain/reasons.ts';
import type { Capture, TreeEdit } from '../../domain/tree.ts';
import { git, tryGit } from '../../platform/git.ts';
import type { Platform } from '../../platform/platform.ts';
import { fence } from '../../prompts/fence.ts';
import { loadRole } from '../../prompts/load-role.ts';
import { renderPrompt } from '../../prompts/role.ts';
import { recordSession } from '../../store/costs.ts';
import { withLock } from '../../store/lock.ts';
import type { Session, TurnResult } from '../../session/contract.ts';
import { createEvidenceCollector } from '../../verify/evidence.ts';
import { prepareWorkspace, type AgentCopy } from '../../workspace/agent-copy.ts';
import { pinTree } from '../../workspace/capture.ts';
import { commitFiles, finishCommit, notePending, type FileToCommit } from '../../workspace/commit-files.ts';
import { openHome, readHead, treeOf } from '../../workspace/home.ts';
import { finishLanding, makeCommit } from '../../workspace/land.ts';
import { makeAgentPlace } from '../common/agent-place.ts';
import { readScenarios, renderScenarios } from '../common/acceptance.ts';
import { endLeftovers } from '../common/agent-processes.ts';
import { captureAgentWork } from '../common/agent-session.ts';
import { openProjectSession, requirePrice } from './agent-step.ts';
import type { Asker } from './asker.ts';
import { cycleEscalation, tellOnly } from './escalate.ts';
import { parseFeatureList, type ParsedList } from './feature-list.ts';
import { setPasses } from './feature-text.ts';
import { firstBaseline, freshConfig, type InitReport } from './init-features.ts';
import { askAboutLargeFeatures } from './large-features.ts';
import { flushing } from '../common/flushing.ts';
import { clearLeftovers } from './leftovers.ts';
import { checkFeatureList, openProject, settingsFrom, type Project } from './project.ts';
import { progressFileText, scriptText, withStateIgnored } from './scaffold.ts';
import { readCosts, writeCosts } from '../common/costs-file.ts';
import { STATE_FILE } from './state-files.ts';

export interface SpecOptions {
  spec: string;
  agent: string | null;
  agentCommand: string | null;
  emit: Emit;
  signal: AbortSignal;
  command: string;
  /** Absent: nobody is asked anything. */
  asker?: Asker;
}

export interface SpecReport extends InitReport {
  cost_usd: number | null;
  /** The question that waits for a person, if any. */
  waiting_for: string | null;
}

export async function initFromSpec(platform: Platform, root: string, options: SpecOptions): Promise<SpecReport> {
  const spec = await platform.files.readTextIfExists(resolve(root, options.spec)).catch(() => null);
  if (spec === null)
    throw usageError(`${options.spec}: there is no such file.`, 'Name the document that describes the project: harness init --spec FILE');
  if (spec.trim() === '') throw usageError(`${options.spec} is empty.`, 'Describe in it what is to be built.');
  await ensureRepository(platform, root);
  const { config, configText } = await provisionalSettings(platform, root, options);
  return await withLock(platform, join(root, config.paths.state_dir, 'lock'), options.command, async () => {
    const project = await openProject(platform, root, {
      emit: options.emit,
      journal: true,
      ...(configText === null ? {} : { configText }),
    });
    return await flushing(project, async () => {
      await clearLeftovers(project);
      await endLeftovers(project);
      await project.journal?.flush();
      if (await isHalfSetUp(project)) return await complete(project, options);
      if (await platform.files.exists(join(root, config.paths.features))) {
        throw usageError(
          `${config.paths.features} exists already: this project is set up.`,
          'Adopt the existing list with harness init --features, or go on with harness run.',
        );
      }
      requirePrice(project, 'initializer');
      return await initialise(project, spec, options);
    });
  });
}

/** The initializer's commit is there, and the harness was cut off before it had looked at it. */
async function isHalfSetUp(project: Project): Promise<boolean> {
  const log = await tryGit(project.platform, ['log', '-1', '--format=%(trailers:key=Harness-Session,valueonly)', '--'], {
    cwd: project.root,
  });
  return (
    log.code === 0 &&
    log.stdout.toString('utf8').trim() === '0' &&
    !(await project.platform.files.exists(join(project.stateDir, STATE_FILE)))
  );
}

async function complete(project: Project, options: SpecOptions): Promise<SpecReport> {
  const { head } = await readHead(project.platform, project.home);
  project.emit({ type: 'state.recovered', what: 'the set-up of this project, which was cut off after its commit', action: 'completed' });
  return { created: [], commit: head, cost_usd: null, ...(await lookAtResult(project, options)) };
}

async function ensureRepository(platform: Platform, root: string): Promise<void> {
  const inside = await tryGit(platform, ['rev-parse', '--show-toplevel'], { cwd: root });
  if (inside.code !== 0) await git(platform, ['init', '-q', '-b', 'main'], { cwd: root });
  else if (inside.stdout.toString('utf8').trim() !== (await platform.files.realpath(root))) {
    throw usageError(
      `${root} lies inside another repository.`,
      'Run the command at the top of the project, or make it a repository of its own: git init',
    );
  }
  const { branch, head } = await readHead(platform, await openHome(platform, root));
  if (head !== null && branch === null) throw usageError('HEAD is detached.', 'Check out a branch first: git switch BRANCH');
}

/** Settings before the project has any: the user's file if there is one, else defaults with the agent that was asked for. */
async function provisionalSettings(
  platform: Platform,
  root: string,
  options: SpecOptions,
): Promise<{ config: Config; configText: string | null }> {
  const present = await platform.files.exists(join(root, '.harness.yaml'));
  const configText = present ? null : freshConfig(basename(root), { test: 'true', lint: null, type_check: null }, options);
  const { config } = configText === null ? await loadSettings(platform, root) : await settingsFrom(platform, root, configText);
  return { config, configText };
}

async function initialise(project: Project, spec: string, options: SpecOptions): Promise<SpecReport> {
  const { platform, home } = project;
  const begin = platform.clock.monotonic();
  const base = await startingPoint(project);
  const copy = await prepareWorkspace(platform, {
    home,
    store: project.trees,
    harnessHome: project.harnessHome,
    base: base.commit,
    branch: base.branch,
    tree: base.tree,
  });
  const session = await openInitializer(project, copy, options);
  let outcome: { capture: Capture; parsed: ParsedList };
  try {
    outcome = await converse(project, session, copy, base.tree, await firstPrompt(project, spec, options));
  } finally {
    await session.close();
    const totals = session.totals();
    const record = {
      session: 0,
      feature: null,
      started: new Date(platform.clock.now()).toISOString(),
      usage: totals.usage,
      cost_usd: totals.cost_usd,
    };
    await writeCosts(project, recordSession(await readCosts(project, { writer: true }), record));
  }
  const files = await finalFiles(project, outcome, options);
  const commit = await place(project, base, outcome.capture.tree, files);
  await project.journal?.flush();
  const report = await lookAtResult(project, options);
  const cost = session.totals().cost_usd;
  project.emit({
    type: 'session.end',
    session: 0,
    feature: null,
    outcome: 'verified',
    reasons: [],
    duration_ms: Math.round(platform.clock.monotonic() - begin),
    cost_usd: cost,
    commit,
  });
  return { created: files.map((edit) => edit.path), commit, ...report, cost_usd: cost };
}

/** Baseline, sizes, first state, and the question about features that are too large. */
async function lookAtResult(project: Project, options: SpecOptions): Promise<Omit<SpecReport, 'created' | 'commit' | 'cost_usd'>> {
  const { platform, root } = project;
  const ready = await openProject(platform, root, { emit: options.emit, journal: project });
  const loaded = checkFeatureList(ready, await platform.files.readText(join(root, ready.config.paths.features)));
  const report = await firstBaseline(ready, loaded);
  const waiting =
    options.asker === undefined ? null : await askAboutLargeFeatures(ready, loaded, { asker: options.asker, signal: options.signal });
  await ready.journal?.flush();
  return { ...report, waiting_for: waiting };
}

interface StartingPoint {
  commit: string;
  tree: string;
  branch: string;
  /** The repository has no commit yet. */
  unborn: boolean;
}

async function startingPoint(project: Project): Promise<StartingPoint> {
  const { platform, home } = project;
  const { branch, head } = await readHead(platform, home);
  if (head !== null) return { commit: head, tree: await treeOf(platform, home, head), branch: branch!, unborn: false };
  const tree = (await git(platform, ['hash-object', '-w', '-t', 'tree', '--stdin'], { cwd: home.root, stdin: '' })).toString('utf8').trim();
  const commit = await pinTree(platform, home, { tree, parent: null, ref: 'refs/harness/start', message: 'Start of the project' });
  return { commit, tree, branch: branch ?? 'main', unborn: true };
}

async function openInitializer(project: Project, copy: AgentCopy, options: SpecOptions): Promise<Session> {
  const role = await loadRole(project.platform, 'project/initializer', [
    join(project.stateDir, 'roles'),
    join(project.harnessHome, 'roles'),
  ]);
  const { per_session_usd, total_project_usd } = project.config.costs;
  const budget = { perSession: per_session_usd, perFeature: null, perProject: total_project_usd, featureSpent: 0, projectSpent: 0 };
  const place = await makeAgentPlace(project, copy);
  return await openProjectSession(
    project,
    {
      session: 0,
      feature: null,
      testFile: null,
      briefing: { role: role.role, modelRole: role.model, system: role.system },
      copy,
      evidence: createEvidenceCollector(null),
      budget,
      signal: options.signal,
    },
    place,
  );
}

async function firstPrompt(project: Project, spec: string, options: SpecOptions): Promise<string> {
  const role = await loadRole(project.platform, 'project/initializer', [
    join(project.stateDir, 'roles'),
    join(project.harnessHome, 'roles'),
  ]);
  return renderPrompt(role, {
    project: project.config.project.name,
    spec: fence(options.spec, spec),
    max_steps: String(project.config.features.max_verification_steps),
    full_command_hint: 'Choose a test runner whose command the harness can detect (npm test, pytest, go test, cargo test and the like).',
    scenarios: scenarioHint(spec),
  });
}

/** Acceptance criteria in the form of scenarios are offered as what they are: features with the steps that check them. */
function scenarioHint(spec: string): string {
  const scenarios = readScenarios(spec);
  if (scenarios.length === 0) return '';
  return [
    'The specification has acceptance criteria in the form of scenarios. Each becomes a feature (or part of one that it belongs to), its Given,',
    'When and Then its verification steps; every one of them must be covered by a feature. The harness read these:',
    '',
    fence('scenarios', renderScenarios(scenarios)),
  ].join('\n');
}

const MAX_ANSWERS = 2;

async function converse(
  project: Project,
  session: Session,
  copy: AgentCopy,
  baseTree: string,
  first: string,
): Promise<{ capture: Capture; parsed: ParsedList }> {
  let prompt = first;
  for (let answers = 0; ; answers++) {
    const turn = await session.turn(prompt);
    if (turn.stop !== null || !session.canAnswer()) await session.close();
    const capture = await captureAgentWork(project, copy, 0, baseTree);
    if (turn.stop !== null) throw stopped(turn.stop);
    const bad = capture.findings[0];
    if (bad !== undefined)
      throw new HarnessError(`The initializer left something that is not taken over: ${bad.path} (${bad.detail}).`, {
        exitCode: EXIT.rejected,
      });
    const parsed = await readList(project, capture.tree);
    if (parsed.errors.length === 0) return { capture, parsed };
    if (!session.canAnswer() || answers >= MAX_ANSWERS) {
      const circle = cycleEscalation(parsed.cycles);
      if (circle !== null) await tellOnly(project, circle);
      throw invalidList(project, parsed);
    }
    prompt = `[harness] ${project.config.paths.features} cannot be used yet:\n${parsed.errors
      .slice(0, 20)
      .map((problem) => `- ${problem.field}: ${problem.message}. Fix: ${problem.fix}.`)
      .join('\n')}\nMend it and end your turn.`;
    project.emit({ type: 'session.inject', session: 0, text: prompt, delivered: true });
  }
}

async function readList(project: Project, tree: string): Promise<ParsedList> {
  const text = (await project.trees.read(tree, project.config.paths.features))?.toString('utf8') ?? null;
  if (text === null)
    return {
      list: null,
      errors: [{ field: project.config.paths.features, message: 'the file was not written', fix: 'create it at the top of the project' }],
      flags: [],
      cycles: [],
    };
  return parseFeatureList(text, {
    maxVerificationSteps: project.config.features.max_verification_steps,
    requireTestFile: project.config.features.require_test_file,
  });
}

function invalidList(project: Project, parsed: ParsedList): HarnessError {
  return usageError(
    `The initializer's ${project.config.paths.features} is not valid; nothing was changed in the project.`,
    ...parsed.errors.slice(0, 20).map((problem) => `${problem.field}: ${problem.message}. Fix: ${problem.fix}.`),
    'Run harness init again, or write the list by hand and adopt it with harness init --features.',
  );
}

function stopped(stop: NonNullable<TurnResult['stop']>): HarnessError {
  const reasons: Reason[] = [stop.reason];
  const outcome: Outcome = stop.reason === 'api.auth' ? 'error' : 'partial';
  return new HarnessError(`The initializer session ended early (${stop.reason}): ${stop.message}. Nothing was changed in the project.`, {
    exitCode: exitCodeFor(outcome, reasons),
    details: ['Run harness init again.'],
  });
}

/** What the harness adds to the agent's tree. */
async function finalFiles(
  project: Project,
  outcome: { capture: Capture; parsed: ParsedList },
  options: SpecOptions,
): Promise<(TreeEdit & { kind: 'write' })[]> {
  const { trees, config } = project;
  const tree = outcome.capture.tree;
  const read = async (path: string): Promise<string | null> => (await trees.read(tree, path))?.toString('utf8') ?? null;
  const edits: (TreeEdit & { kind: 'write' })[] = [];
  const scripts = await Promise.all((['init', 'reset'] as const).map(async (kind) => ({ kind, text: await read(`${kind}.sh`) })));
  for (const { kind, text } of scripts)
    edits.push({ path: `${kind}.sh`, kind: 'write', content: text ?? scriptText(kind), mode: '100755' });
  if ((await read(config.paths.progress)) === null)
    edits.push({ path: config.paths.progress, kind: 'write', content: progressFileText(config.project.name) });
  const list = outcome.parsed.list!;
  let text = (await read(config.paths.features))!;
  for (const feature of list.features) {
    if (!feature.passes) continue;
    text = setPasses(text, feature.id, false);
    project.emit({ type: 'warning', message: `feature #${feature.id} came marked as passing; nothing is built yet, so it is open` });
  }
  edits.push({ path: config.paths.features, kind: 'write', content: text });
  const paths = new Set((await trees.list(tree)).map((entry) => entry.path));
  const withoutStub = list.features.filter((feature) => feature.test_file !== undefined && !paths.has(feature.test_file));
  if (withoutStub.length > 0)
    project.emit({
      type: 'warning',
      message: `no test stub for feature${withoutStub.length === 1 ? '' : 's'} ${withoutStub
        .slice(0, 10)
        .map((feature) => `#${feature.id}`)
        .join(', ')}`,
    });
  const ignore = await read('.gitignore');
  if (ignore === null || !ignore.split('\n').some((line) => /^\/?\.harness\/?$/.test(line.trim())))
    edits.push({ path: '.gitignore', kind: 'write', content: withStateIgnored(ignore, config.paths.state_dir) });
  if (!(await project.platform.files.exists(join(project.root, '.harness.yaml'))))
    edits.push({ path: '.harness.yaml', kind: 'write', content: await detectedConfig(project, tree, options) });
  return edits;
}

async function detectedConfig(project: Project, tree: string, options: SpecOptions): Promise<string> {
  const room = await project.rooms.prepare(tree, { name: 'detect' });
  const found = await detectProject(project.platform, room.path);
  if (found.test === null)
    throw usageError(
      'No test command could be detected in what the initializer made; nothing was changed in the project.',
      'Write a .harness.yaml with testing.full first, then run harness init again.',
    );
  return freshConfig(project.config.project.name, found, options);
}

/** Puts the first commit on the branch. */
async function place(
  project: Project,
  base: StartingPoint,
  tree: string,
  edits: readonly (TreeEdit & { kind: 'write' })[],
): Promise<string> {
  const { platform, home, trees } = project;
  const final = await trees.compose(tree, edits);
  const message =
    'Set up the project\n\nFeature list, scripts and test stubs by the initializer; settings by the harness.\n\nHarness-Session: 0\n';
  if (!base.unborn) {
    const commit = await makeCommit(platform, { home, base: base.commit, tree: final, message });
    await notePending(platform, home, commit);
    const landed = await finishLanding(platform, { home, branch: base.branch, base: base.commit, commit });
    await finishCommit(platform, home);
    if (landed.kind === 'landed') return commit;
    throw usageError(
      landed.kind === 'moved'
        ? `Branch ${base.branch} moved during the session.`
        : `Files in the working tree are in the way: ${landed.paths.slice(0, 5).join(', ')}.`,
      'Move them away and run harness init again.',
    );
  }
  const files: FileToCommit[] = [];
  for (const entry of await trees.list(final)) {
    const content = await trees.readBlob(entry.oid);
    const present = await platform.files.read(join(home.root, entry.path)).catch(() => null);
    if (present !== null && !present.equals(content))
      throw usageError(
        `${entry.path} exists already and differs from what the initializer made.`,
        'Move it away and run harness init again.',
      );
    if (entry.mode === '120000')
      throw usageError(
        `The initializer made a symbolic link (${entry.path}) in an empty repository.`,
        'Make a first commit by hand, then run harness init again.',
      );
    files.push({ path: entry.path, content, executable: entry.mode === '100755' });
  }
  const result = await commitFiles(platform, home, { files, message });
  if (result.kind !== 'committed')
    throw usageError('The first commit could not be made, because the branch moved.', 'Run harness init again.');
  return result.commit;
}
