/**
 * `harness init --spec FILE`: an agent turns a document into features, scripts and test stubs; the harness checks, completes and commits them.
 *
 * 1. Nothing reaches the project before the list is valid.
 * 2. The harness writes `.harness.yaml` itself; what the agent put there is not taken.
 * 3. The session stands in the books (costs, sessions) as session 0, whatever ended it.
 * 4. An agent that can be answered gets the problems of its list back, twice at most.
 */
import { basename, join, resolve } from 'node:path';
import type { Config } from '../../../config/schema.ts';
import { loadSettings } from '../../../config/user-settings.ts';
import { HarnessError, usageError } from '../../../domain/errors.ts';
import type { Emit } from '../../../domain/event.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { git, tryGit } from '../../../platform/git.ts';
import { isoNow, type Platform } from '../../../platform/platform.ts';
import { beginSession, recordSession, type RunningSession } from '../../../store/costs.ts';
import { withLock } from '../../../store/lock.ts';
import type { Session } from '../../../session/contract.ts';
import { prepareWorkspace, type AgentCopy } from '../../../workspace/agent-copy.ts';
import { openHome, readHead } from '../../../workspace/home.ts';
import { readCosts, writeCosts } from '../../../kernel/books/costs-file.ts';
import { flushing } from '../../../kernel/flushing.ts';
import { tellRoleEnd, type RoleEnd } from '../../../kernel/books/role-record.ts';
import type { Spent } from '../../../kernel/books/spent.ts';
import { modelFor, requirePrice } from '../../../kernel/flight/project-agent.ts';
import type { Asker } from '../people/asker.ts';
import { firstBaseline, freshConfig, type InitReport } from './from-features.ts';
import { commitSetUp, startingPoint } from './initializer-commit.ts';
import { finalFiles } from './initializer-files.ts';
import { converse, firstPrompt, openInitializer, type InitializerWork } from './initializer-session.ts';
import { noteRefusedSetUp, refusedSetUpWords, setUpToRepair } from './refused-set-up.ts';
import { askAboutLargeFeatures } from '../people/large-features.ts';
import { clearLeftovers } from '../../../kernel/flight/leftovers.ts';
import { checkFeatureList, openProject, settingsFrom, type Project } from '../project.ts';
import { STATE_FILE } from '../state-files.ts';
import { rememberSpecification } from '../../../kernel/ground/specification.ts';

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
  const base = await startingPoint(project);
  const refused = await project.documents.read('refused-set-up', { writer: true });
  const kept = await setUpToRepair(project, refused);
  const copy = await prepareWorkspace(platform, {
    home,
    store: project.trees,
    harnessHome: project.harnessHome,
    base: base.commit,
    branch: base.branch,
    tree: kept ?? base.tree,
  });
  const running: RunningSession = {
    session_id: 0,
    role: 'project/initializer',
    started: isoNow(platform.clock),
    model: modelFor(project, 'initializer'),
  };
  const costs = await readCosts(project, { writer: true });
  const session = await openInitializer(project, copy, { spent: costs.cumulative.total_cost_usd, signal: options.signal });
  await writeCosts(project, beginSession(costs, running));
  let end: Omit<RoleEnd, keyof Spent> = BROKEN_OFF;
  try {
    const first = await firstPrompt(project, options.spec, spec);
    const prompt = refused === null ? first : `${first}\n\n${refusedSetUpWords(refused, kept !== null)}`;
    const { work, files } = await setUp(project, session, copy, base.tree, prompt, options).catch(async (error: unknown) => {
      await noteRefusedSetUp(project, error, refused);
      throw error;
    });
    const commit = await commitSetUp(project, base, work.capture.tree, files);
    await project.documents.remove('refused-set-up');
    await rememberSpecification(project, options.spec);
    await project.journal?.flush();
    end = { outcome: 'verified', reasons: [], message: null, commit };
    const report = await lookAtResult(project, options);
    return { created: files.map((edit) => edit.path), commit, ...report, cost_usd: session.totals().cost_usd };
  } catch (error) {
    if (end === BROKEN_OFF) end = endOf(error);
    throw error;
  } finally {
    await session.close();
    await settleInitializer(project, running, { usage: session.totals().usage, cost_usd: session.totals().cost_usd, ...end });
  }
}

/** What the initializer has to answer for: a list that is valid, and a project whose tests can be run. */
async function setUp(
  project: Project,
  session: Session,
  copy: AgentCopy,
  baseTree: string,
  prompt: string,
  options: SpecOptions,
): Promise<{ work: InitializerWork; files: Awaited<ReturnType<typeof finalFiles>> }> {
  const work = await converse(project, session, copy, baseTree, prompt);
  await session.close();
  return { work, files: await finalFiles(project, work, options) };
}

const BROKEN_OFF: Omit<RoleEnd, keyof Spent> = { outcome: 'error', reasons: [], message: 'the session broke off' };

function endOf(error: unknown): Omit<RoleEnd, keyof Spent> {
  if (!(error instanceof HarnessError)) return BROKEN_OFF;
  const { exitCode, reasons, message } = error;
  if (exitCode === EXIT.usage) return { outcome: 'rejected', reasons: ['features.invalid'], message };
  return { outcome: exitCode === EXIT.rejected ? 'rejected' : 'partial', reasons: [...reasons], message };
}

/** Record and end before the cost, as for every session that stands under `running`. */
async function settleInitializer(project: Project, running: RunningSession, end: RoleEnd): Promise<void> {
  await tellRoleEnd(project, running, end);
  const { session_id: session, started } = running;
  const cost = { session, feature: null, started, usage: end.usage, cost_usd: end.cost_usd };
  await writeCosts(project, recordSession(await readCosts(project, { writer: true }), cost));
}

/** Baseline, sizes, first state, and the question about features that are too large. */
async function lookAtResult(project: Project, options: SpecOptions): Promise<Omit<SpecReport, 'created' | 'commit' | 'cost_usd'>> {
  const { platform, root } = project;
  const ready = await openProject(platform, root, { emit: options.emit, journal: project });
  const loaded = checkFeatureList(ready, await platform.files.readText(join(root, ready.config.paths.features)));
  const report = await firstBaseline(ready, loaded);
  const waiting = options.asker === undefined ? null : await askAboutLargeFeatures(ready, loaded, options.asker);
  await ready.journal?.flush();
  return { ...report, waiting_for: waiting };
}
