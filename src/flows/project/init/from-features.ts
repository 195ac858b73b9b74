/**
 * `harness init --features FILE`: adopt an existing repository. No agent runs.
 *
 * 1. Everything is checked before anything is written.
 * 2. Existing files stay byte-identical (the one line in `.gitignore` aside); what is missing is created and committed in one commit.
 * 3. Running it again changes nothing but the baseline.
 */
import { basename, join, resolve } from 'node:path';
import { usageError, type HarnessError } from '../../../domain/errors.ts';
import type { Emit } from '../../../domain/event.ts';
import { namesOfFiles, testFilesOf } from '../../../domain/test-files.ts';
import { fileOf } from '../../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../../domain/version.ts';
import { finishPendingCommit } from '../../../kernel/flight/leftovers.ts';
import { makeAhead } from '../../../kernel/founding/make-ahead.ts';
import { lockToCommit, madeLockLine } from '../../../kernel/founding/made-lock.ts';
import { grantCommand, requireInstalled } from '../../../kernel/founding/install-consent.ts';
import { lookFirst, type FirstLook } from '../../../kernel/founding/first-look.ts';
import { commitMissing, missingFiles } from '../../../kernel/founding/missing-files.ts';
import { draftSettings, settingsForRepository, type NewSettings } from '../../../kernel/founding/new-settings.ts';
import { trialsAt, trialsOf, type Trials } from '../../../kernel/founding/trials.ts';
import { adoptRepository, requireCommitted } from '../../../kernel/founding/repository.ts';
import { committedHead, inTheWay } from '../../../kernel/ground/head.ts';
import { holdPlace } from '../../../kernel/hold-place.ts';
import { placeSettings, type AgentChoice } from '../../../kernel/place-settings.ts';
import { askBeforeRunning } from './before-running.ts';
import type { Asker } from '../people/asker.ts';
import { askAboutLargeFeatures, leaveLargeFeatures } from '../people/large-features.ts';
import { initialState } from '../machine/document.ts';
import { checkFeatureList, openProject, type LoadedList, type Project } from '../project.ts';
import { readState } from '../state-files.ts';
import { mustHave } from '../../../domain/must-have.ts';

export interface InitOptions extends AgentChoice {
  file: string;
  /** Instead of the one that is found; for settings that are not there yet. */
  testCommand?: string | null;
  emit: Emit;
  command: string;
  /** Put the lockfile that was made into the set-up commit. */
  commitLock?: boolean;
  /** Asked about features that are too large, where somebody is there to say. */
  asker?: Asker;
}

export interface InitReport {
  created: string[];
  commit: string | null;
  features: number;
  passing: number;
  tests: number;
  runner: string;
  look: FirstLook;
  trials: Trials;
  /** Tracked files with changes: the first run needs them committed. */
  modified: string[];
  /** Says which lockfile was made; null: the project has one, or needs none. */
  lock?: string | null;
  /** The question that waits. */
  waiting_for?: string | null;
}

export async function initFromFeatures(platform: Project['platform'], root: string, options: InitOptions): Promise<InitReport> {
  const home = await adoptRepository(platform, root);
  const source = resolve(root, options.file);
  const text = await platform.files.readTextIfExists(source).catch(() => null);
  if (text === null) throw noList(options.file);
  const existing = await platform.files.exists(join(root, '.harness.yaml'));
  const draft = existing ? null : await draftSettings(platform, home.root, nameIn(text) ?? basename(root), options);
  const { config } = await placeSettings(platform, root, askedWith(draft?.text ?? null));
  if (existing) warnOfOtherAgent(config, options);
  const loaded = checkFeatureList({ config }, text, options.file);
  if (source === join(home.root, config.paths.features)) await requireCommitted(platform, home, config.paths.features);
  options.emit({ type: 'progress', message: 'installing dependencies' });
  const installed = options.asker === undefined ? null : await askBeforeRunning(platform, root, options.asker);
  await requireInstalled(platform, root, installed, options.emit);
  const unwritten = openTestFiles(loaded);
  const found = draft === null ? null : await settingsForRepository(platform, home.root, draft, { ...options, unwritten });
  const settings = found?.text ?? null;
  const lock = async () => (options.commitLock === true ? await lockToCommit(platform, root) : []);
  const missing = async () => [...(await missingFiles({ platform, home, config }, settings, { source, text })), ...(await lock())];
  const planned = await missing();
  const { emit, command } = options;
  return await holdPlace(platform, root, { ...askedWith(settings), emit, command, quick: true }, async (place) => {
    const completed = await commitMissing({ platform, home }, planned, missing);
    if (!existing) await grantCommand(platform, root, options.agentCommand);
    const project = await openProject(platform, root, { emit, journal: place });
    await finishPendingCommit(project);
    const report = await firstBaseline(project, loaded, found).catch((error: unknown) => {
      if (completed.commit !== null) emit({ type: 'warning', message: committedAlready(completed) });
      throw error;
    });
    const { asker } = options;
    const made = await madeLockLine(platform, root);
    const isExpected = asker !== undefined && (await asker.expects?.('project.large-feature')) === true;
    if (!isExpected) await leaveLargeFeatures(project, loaded);
    return { ...completed, ...report, lock: made, waiting_for: isExpected ? await askAboutLargeFeatures(project, loaded, asker) : null };
  });
}

function noList(file: string): HarnessError {
  return usageError(
    `${file}: no such file.`,
    'A feature list says what is to be built, for example:',
    '  { "project": "shop", "features": [',
    '    { "id": 1, "description": "A user can empty the cart", "test_file": "test/cart.test.js" }',
    '  ] }',
    'Write one and commit it, or let an agent write it: harness init --spec FILE, with what you want in words.',
  );
}

function committedAlready({ created, commit }: Pick<InitReport, 'created' | 'commit'>): string {
  return `settings were committed (${mustHave(commit, 'what was set up is committed').slice(0, 12)}: ${created.join(', ')}), but setup is not finished. Fix the problem below, then run harness init again.`;
}

/** A settings file that is there stays as it is, also against the options. */
function warnOfOtherAgent(config: Project['config'], options: InitOptions): void {
  const wanted = { backend: options.agent ?? config.agent.backend, command: options.agentCommand ?? config.agent.command };
  if (wanted.backend === config.agent.backend && wanted.command === config.agent.command) return;
  const command = wanted.command === null ? '' : ` and agent.command: ${wanted.command}`;
  options.emit({
    type: 'warning',
    message: `.harness.yaml already exists and was not changed; its agent is ${config.agent.backend}. To use the one you named, set agent.backend: ${wanted.backend}${command} in it and commit.`,
  });
}

/** What the list calls the project; a list that cannot be read is told later, as that. */
function nameIn(list: string): string | null {
  try {
    const { project } = JSON.parse(list) as { project?: unknown };
    return typeof project === 'string' && project.trim() !== '' ? project : null;
  } catch {
    return null;
  }
}

function askedWith(settings: string | null): { needs: 'project'; configText?: string } {
  return { needs: 'project', ...(settings === null ? {} : { configText: settings }) };
}

/** Of features that are still open: what fails there is no news. */
function openTestFiles({ list }: LoadedList): ReadonlySet<string> {
  return new Set(list.features.filter(({ passes }) => !passes).flatMap(testFilesOf));
}

/** What passes now, how large the files are, and the first state document. */
export async function firstBaseline(
  project: Project,
  loaded: LoadedList,
  found: NewSettings | null = null,
): Promise<Pick<InitReport, 'features' | 'passing' | 'tests' | 'runner' | 'look' | 'trials' | 'modified'>> {
  for (const flag of loaded.flags) project.emit({ type: 'warning', message: `feature #${flag.feature} ${flag.message}` });
  const first = !(await project.documents.has('state'));
  const state = first ? initialState(HARNESS_VERSION, project.now()) : await readState(project, { writer: true });
  const open = openTestFiles(loaded);
  const head = await committedHead(project);
  const look = await lookFirst(project, head, state.last_session, { unwritten: open, known: found?.run ?? null });
  const { baseline } = look;
  const trials = found === null ? await trialsAt(project, head, { run: look.run, unwritten: open }) : await trialsOf(project, head, found);
  await makeAhead(project, head);
  if (first) await project.documents.write('state', state);
  const green = new Set(baseline.passing_tests.map(fileOf));
  for (const feature of loaded.list.features.filter(({ passes }) => passes)) {
    const untested = testFilesOf(feature).filter((file) => !green.has(file));
    if (untested.length > 0)
      project.emit({
        type: 'warning',
        message: `feature #${feature.id} is marked as passing, but no test of ${namesOfFiles(untested)} passes`,
      });
  }
  await project.journal?.flush();
  const { total_passing, total_tests, runner } = baseline;
  const modified = await inTheWay(project);
  return { features: loaded.list.features.length, passing: total_passing, tests: total_tests, runner, look, trials, modified };
}
