/**
 * `harness init --spec FILE`: an agent turns a document into features, scripts and test stubs; the harness checks, completes and commits them.
 *
 * 1. Nothing reaches the project before the list is valid.
 * 2. The harness writes `.harness.yaml` itself; what the agent put there is not taken.
 * 3. The session stands in the books (costs, sessions) as session 0, whatever ended it.
 * 4. An agent that can be answered gets the problems of its list, and of the stubs and the linter, back, twice at most.
 * 5. Stubs are run before the commit: one that passes is refused. A person who is there sees the list and says whether it is taken.
 */
import { basename, join } from 'node:path';
import { HarnessError, usageError } from '../../../domain/errors.ts';
import type { Emit } from '../../../domain/event.ts';
import { EXIT } from '../../../domain/reasons.ts';
import type { RoleEnd } from '../../../kernel/books/role-record.ts';
import type { Spent } from '../../../kernel/books/spent.ts';
import { finishPendingCommit } from '../../../kernel/flight/leftovers.ts';
import { requirePrice } from '../../../kernel/flight/project-agent.ts';
import { landedSetUp, SET_UP_SESSION } from '../../../kernel/founding/landed-set-up.ts';
import { freshSettings } from '../../../kernel/founding/new-settings.ts';
import { ensureRepository, isHalfSetUp } from '../../../kernel/founding/repository.ts';
import { grantCommand } from '../../../kernel/founding/install-consent.ts';
import { commitSetUp, startingPoint } from '../../../kernel/founding/set-up-commit.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import { readNamedFile } from '../../../kernel/ground/way-to.ts';
import { rememberSpecification } from '../../../kernel/ground/specification.ts';
import { holdPlace } from '../../../kernel/hold-place.ts';
import type { AgentChoice } from '../../../kernel/place-settings.ts';
import type { RoleSession } from '../../../kernel/roles/role-session.ts';
import { askBeforeRunning } from './before-running.ts';
import type { Asker } from '../people/asker.ts';
import { askAboutLargeFeatures } from '../people/large-features.ts';
import { asProject, checkFeatureList, openProject, type Project } from '../project.ts';
import { firstBaseline, type InitReport } from './from-features.ts';
import { finalFiles } from './initializer-files.ts';
import { remarkOn } from './remarks.ts';
import { converse, firstPrompt, openInitializer, type InitializerWork } from './initializer-session.ts';
import { fence } from '../../../domain/fence.ts';
import type { RefusedSetUp } from '../../../kernel/documents/refused-set-up.ts';
import { capturedTree } from '../../../kernel/flight/agent-session.ts';

export interface SpecOptions extends AgentChoice {
  spec: string;
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

function noFile(error: unknown): null {
  if (error instanceof HarnessError) throw error;
  return null;
}

export async function initFromSpec(platform: Project['platform'], root: string, options: SpecOptions): Promise<SpecReport> {
  const spec = await readNamedFile(platform, root, options.spec).catch(noFile);
  if (spec === null)
    throw usageError(`${options.spec}: no such file.`, 'Name the document that describes the project: harness init --spec FILE');
  if (spec.trim() === '') throw usageError(`${options.spec} is empty.`, 'Describe in it what is to be built.');
  await ensureRepository(platform, root);
  if (options.asker !== undefined) await askBeforeRunning(platform, root, options.asker);
  const { emit, command, signal } = options;
  const hold = { ...(await provisionalSettings(platform, root, options)), emit, command, signal, needs: 'project' as const, quick: true };
  return await holdPlace(platform, root, hold, async (place) => {
    const project = asProject(place);
    const { features } = project.config.paths;
    await finishPendingCommit(project);
    await project.journal?.flush();
    if (await isHalfSetUp(project)) return await complete(project, options);
    if (await platform.files.exists(join(root, features)))
      throw usageError(
        `${features} exists already: this project is set up.`,
        'Adopt the existing list with harness init --features, or go on with harness run.',
      );
    requirePrice(project, 'initializer');
    return await initialise(project, spec, options);
  });
}

async function complete(project: Project, options: SpecOptions): Promise<SpecReport> {
  const head = await headOf(project);
  project.emit({ type: 'state.recovered', what: 'the set-up of this project, which was cut off after its commit', action: 'completed' });
  return { created: [], commit: head?.commit ?? null, cost_usd: null, ...(await lookAtResult(project, options)) };
}

/** Settings before the project has any: the user's file if there is one, else defaults with the agent that was asked for. */
async function provisionalSettings(platform: Project['platform'], root: string, options: SpecOptions): Promise<{ configText?: string }> {
  if (await platform.files.exists(join(root, '.harness.yaml'))) return {};
  return { configText: freshSettings(basename(root), { test: 'true', lint: null, type_check: null }, options) };
}

type End = Omit<RoleEnd, keyof Spent>;

async function initialise(project: Project, spec: string, options: SpecOptions): Promise<SpecReport> {
  const base = await startingPoint(project);
  const refused = await project.documents.read('refused-set-up', { writer: true });
  const kept = await setUpToRepair(project, refused);
  const started = project.now();
  const session = await openInitializer(project, base, kept ?? base.tree);
  let end: End = BROKEN_OFF;
  try {
    const first = await firstPrompt(project, options.spec, spec);
    const prompt = refused === null ? first : `${first}\n\n${refusedSetUpWords(refused, kept !== null)}`;
    const { work, files } = await setUp(project, { session, prompt, base: base.tree }, options).catch(async (error: unknown) => {
      await noteRefusedSetUp(project, error, refused);
      throw error;
    });
    const commit = await commitSetUp(project, base, work.capture.tree, files);
    if (files.some(({ path }) => path === '.harness.yaml')) await grantCommand(project.platform, project.root, options.agentCommand);
    end = verified(commit);
    await project.documents.remove('refused-set-up');
    await rememberSpecification(project, options.spec);
    await project.journal?.flush();
    const report = await lookAtResult(project, options);
    return { created: files.map((edit) => edit.path), commit, ...report, cost_usd: session.spent().cost_usd };
  } catch (error) {
    if (end === BROKEN_OFF) end = await endAfter(project, started, error);
    throw error;
  } finally {
    await session.settle(end);
  }
}

/** What the initializer has to answer for: a list that is valid, and a project whose tests can be run. */
async function setUp(
  project: Project,
  { session, prompt, base }: { session: RoleSession; prompt: string; base: string },
  options: SpecOptions,
): Promise<{ work: InitializerWork; files: Awaited<ReturnType<typeof finalFiles>> }> {
  const work = await converse(project, session, prompt, (left, canAnswer) => remarkOn(project, { base, work: left, canAnswer }, options));
  await session.close();
  for (const { id } of work.list.features.filter(({ passes }) => passes))
    project.emit({ type: 'warning', message: `feature #${id} came marked as passing; nothing is built yet, so it is open` });
  return { work, files: await finalFiles(project, work, options) };
}

const BROKEN_OFF: End = { outcome: 'error', reasons: [], message: 'the session ended early' };

function verified(commit: string): End {
  return { outcome: 'verified', reasons: [], message: null, commit };
}

/** A failure while the commit was being brought to the branch does not undo it. */
async function endAfter(project: Project, started: string, error: unknown): Promise<End> {
  const commit = await landedSetUp(project, { session_id: SET_UP_SESSION, started }).catch(() => null);
  return commit === null ? endOf(error) : verified(commit);
}

function endOf(error: unknown): End {
  if (!(error instanceof HarnessError)) return BROKEN_OFF;
  const { exitCode, reasons, message } = error;
  if (exitCode === EXIT.usage) return { outcome: 'rejected', reasons: ['features.invalid'], message };
  return { outcome: exitCode === EXIT.rejected ? 'rejected' : 'partial', reasons: [...reasons], message };
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

/**
 * A set-up that was refused, for the next `harness init --spec`: why, and what the initializer had left.
 *
 * 1. It is repaired once, from where it stands; after that, and where something in it could not be taken over, the next one begins anew. What a
 *    person wants changed goes on from where it stands in any case.
 * 2. Only what the initializer is to answer for is kept: not the end of an allowance, not a branch that moved.
 */
async function noteRefusedSetUp(project: Project, error: unknown, before: RefusedSetUp | null): Promise<void> {
  if (!(error instanceof HarnessError) || (error.exitCode !== EXIT.usage && error.exitCode !== EXIT.rejected)) return;
  const wished = error.exitCode === EXIT.rejected && error.reasons.includes('features.invalid');
  const tree = await capturedTree(project, 0);
  await project.documents.write('refused-set-up', {
    schema_version: 1,
    problems: [error.message, ...error.details],
    tree: error.exitCode === EXIT.usage || wished ? tree : null,
    count: (before?.count ?? 0) + 1,
    ...(wished ? { wished: true as const } : {}),
  });
}

/** The tree to repair; null: begin anew. */
async function setUpToRepair(project: Project, before: RefusedSetUp | null): Promise<string | null> {
  if (before === null || before.tree === null) return null;
  if (before.count % 2 === 0 && before.wished !== true) return null;
  return await project.trees.resolve(before.tree);
}

function refusedSetUpWords({ problems, count }: RefusedSetUp, kept: boolean): string {
  return [
    '## Why the last attempt was not accepted',
    '',
    `This is attempt ${count + 1}. What the earlier session left was refused:`,
    fence('what the harness found', problems.join('\n')),
    '',
    kept
      ? 'Your files are as you left them. Repair what is named above, keep the rest, and check the whole list once more.'
      : 'You start over: the refused files are not in your copy. Do it again, without what was wrong with them.',
  ].join('\n');
}
