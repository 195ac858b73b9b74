/**
 * `harness init --features FILE`: adopt an existing repository. No agent runs.
 *
 * 1. Everything is checked before anything is written.
 * 2. Existing files stay byte-identical (the one line in `.gitignore` aside); what is missing is created and committed in one commit.
 * 3. Running it again changes nothing but the baseline.
 */
import { basename, join, resolve } from 'node:path';
import { detectProject, type Detected } from '../../../config/detect.ts';
import { loadConfig } from '../../../config/read-config.ts';
import { renderConfig } from '../../../config/render-config.ts';
import { DEFAULT_BACKEND, isBackend } from '../../../agents/registry.ts';
import type { Config } from '../../../config/schema.ts';
import { HarnessError, usageError } from '../../../domain/errors.ts';
import type { Emit } from '../../../domain/event.ts';
import { namesOfFiles, testFilesOf } from '../../../domain/test-files.ts';
import { HARNESS_VERSION } from '../../../domain/version.ts';
import { tryGit } from '../../../platform/git.ts';
import { isoNow, type Platform } from '../../../platform/platform.ts';
import { withLock } from '../../../store/lock.ts';
import { fileOf } from '../../../verify/memory/baseline.ts';
import { runSuite } from '../../../verify/run/suite.ts';
import { measureSizes } from '../../../verify/memory/sizes.ts';
import { commitFiles, finishCommit, hasPendingCommit, type FileToCommit } from '../../../workspace/commit-files.ts';
import { openHome, readHead, treeOf, type Home } from '../../../workspace/home.ts';
import { dropIndexLock } from '../../../workspace/index-lock.ts';
import { sanityChecks, storeBaseline } from '../../../kernel/flight/baseline.ts';
import { runContext } from '../../../kernel/flight/run-context.ts';
import { clearLeftovers } from '../../../kernel/flight/leftovers.ts';
import { initialState } from '../machine/document.ts';
import { checkFeatureList, openProject, settingsFrom, type LoadedList, type Project } from '../project.ts';
import { progressFileText, scriptText, withStateIgnored } from './scaffold.ts';
import { writeSizes } from '../../../kernel/flight/memory-files.ts';
import { readState, STATE_FILE, writeState } from '../state-files.ts';

export interface InitOptions {
  file: string;
  agent: string | null;
  agentCommand: string | null;
  emit: Emit;
  command: string;
}

export interface InitReport {
  created: string[];
  commit: string | null;
  features: number;
  passing: number;
  tests: number;
  runner: string;
}

export async function initFromFeatures(platform: Platform, root: string, options: InitOptions): Promise<InitReport> {
  const home = await openRepository(platform, root);
  const source = resolve(root, options.file);
  const text = await platform.files.readTextIfExists(source).catch(() => null);
  if (text === null)
    throw usageError(`${options.file}: there is no such file.`, 'Name the feature list: harness init --features features.json');
  const existing = await platform.files.exists(join(root, '.harness.yaml'));
  const configText = existing ? null : await newConfig(platform, home, nameIn(text) ?? basename(root), options);
  const { config } = configText === null ? await loadConfig(platform, root) : await settingsFrom(platform, root, configText);
  if (existing) warnOfOtherAgent(config, options);
  const loaded = checkFeatureList({ config }, text, options.file);
  const missing = async (): Promise<FileToCommit[]> => [
    ...(configText === null || (await platform.files.exists(join(root, '.harness.yaml')))
      ? await untracked(platform, home, ['.harness.yaml'])
      : [{ path: '.harness.yaml', content: configText }]),
    ...(await missingFiles(platform, home, config, source, text)),
  ];
  const planned = await missing();
  await platform.files.mkdir(join(root, config.paths.state_dir));
  return await withLock(platform, join(root, config.paths.state_dir, 'lock'), options.command, async () => {
    let commit: string | null = null;
    if (await hasPendingCommit(platform, home)) await dropIndexLock(platform, home);
    const files = (await finishCommit(platform, home)) === null ? planned : await missing();
    if (files.length > 0) {
      const result = await commitFiles(platform, home, {
        files,
        message: 'Set up the harness\n\nFeature list, settings and scripts for verified agent sessions.',
      });
      if (result.kind === 'moved') throw usageError('The branch moved while the files were being committed.', 'Run the command again.');
      commit = result.kind === 'committed' ? result.commit : null;
    }
    const project = await openProject(platform, root, { emit: options.emit, journal: true });
    await clearLeftovers(project);
    return { created: files.map((file) => file.path), commit, ...(await firstBaseline(project, loaded)) };
  });
}

/** A settings file that is there stays as it is, also against the options. */
function warnOfOtherAgent(config: Config, options: InitOptions): void {
  const wanted = { backend: options.agent ?? config.agent.backend, command: options.agentCommand ?? config.agent.command };
  if (wanted.backend === config.agent.backend && wanted.command === config.agent.command) return;
  const command = wanted.command === null ? '' : ` and agent.command: ${wanted.command}`;
  options.emit({
    type: 'warning',
    message: `.harness.yaml is there already and was not changed: its agent is ${config.agent.backend}. For the one you named, set agent.backend: ${wanted.backend}${command} in it and commit.`,
  });
}

async function openRepository(platform: Platform, root: string): Promise<Home> {
  const home = await openHome(platform, root);
  if (home.root !== (await platform.files.realpath(root)))
    throw usageError(`${root} lies inside the repository ${home.root}.`, `Run the command at its top: harness init --cwd ${home.root} ...`);
  if (home.head === null)
    throw usageError('The repository has no commit yet.', 'Commit your files first: git add -A && git commit -m "Start"');
  if (home.branch === null)
    throw usageError('HEAD is detached.', 'Check out the branch that the harness should work on: git switch BRANCH');
  return home;
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

async function newConfig(platform: Platform, home: Home, name: string, options: InitOptions): Promise<string> {
  const { root } = home;
  const found = await detectProject(platform, root);
  if (found.test === null) {
    throw usageError(
      `No test command could be detected in ${root}.`,
      'Write a .harness.yaml first, with at least:',
      '  project:',
      `    name: ${name}`,
      '  testing:',
      '    full: <the command that runs all tests>',
    );
  }
  const text = freshConfig(name, found, options);
  if (found.type_check === null || (await sanityHolds(platform, home, text))) return text;
  options.emit({
    type: 'warning',
    message: `"${found.type_check}" does not succeed on this commit, so no session is made to wait for it. Once it does, set testing.sanity.type_check in .harness.yaml.`,
  });
  return freshConfig(name, { ...found, type_check: null }, options);
}

/** Whether a session could start with these settings. What cannot be tried, such as an install that fails, is told where it is needed. */
async function sanityHolds(platform: Platform, home: Home, configText: string): Promise<boolean> {
  const project = await openProject(platform, home.root, { emit: () => {}, journal: false, configText });
  try {
    const reports = await sanityChecks(project, { tree: await treeOf(platform, home, home.head!) }, { noCache: false });
    return reports.every((report) => report.state !== 'failed');
  } catch (error) {
    if (error instanceof HarnessError) return true;
    throw error;
  } finally {
    await project.rooms.dispose();
  }
}

/** The settings file of a new project: what was detected, and the agent that was asked for. */
export function freshConfig(
  name: string,
  found: Pick<Detected, 'test' | 'lint' | 'type_check'>,
  options: { agent: string | null; agentCommand: string | null },
): string {
  const backend = isBackend(options.agent) ? options.agent : DEFAULT_BACKEND;
  return renderConfig({ name, testing: found.test ?? 'true', detected: found, agent: { backend, command: options.agentCommand } });
}

/** The harness's files that the repository does not have yet, with what they will say. */
async function missingFiles(platform: Platform, home: Home, config: Config, source: string, listText: string): Promise<FileToCommit[]> {
  const files: FileToCommit[] = [];
  const { root } = home;
  const list = config.paths.features;
  if (source !== join(root, list)) {
    const present = await platform.files.readTextIfExists(join(root, list));
    if (present !== null && present !== listText)
      throw usageError(
        `${list} exists already and differs from the file given.`,
        `Adopt it with: harness init --features ${list}, or remove it first.`,
      );
    if (present === null) files.push({ path: list, content: listText });
  }
  files.push(...(await untracked(platform, home, [list])).filter((file) => !files.some((other) => other.path === file.path)));
  const wanted: FileToCommit[] = [{ path: config.paths.progress, content: progressFileText(config.project.name) }];
  if (usesScript(config.environment.init, 'init')) wanted.push({ path: 'init.sh', content: scriptText('init'), executable: true });
  if (usesScript(config.environment.reset, 'reset')) wanted.push({ path: 'reset.sh', content: scriptText('reset'), executable: true });
  for (const file of wanted) {
    if (!(await platform.files.exists(join(root, file.path)))) files.push(file);
    else files.push(...(await untracked(platform, home, [file.path])));
  }
  const ignored = await tryGit(platform, ['check-ignore', '-q', '--no-index', `${config.paths.state_dir}/x`], { cwd: root });
  if (ignored.code !== 0)
    files.push({
      path: '.gitignore',
      content: withStateIgnored(await platform.files.readTextIfExists(join(root, '.gitignore')), config.paths.state_dir),
    });
  return files;
}

/** A script is made where the settings leave the step to it or name it. */
function usesScript(command: string | null, kind: 'init' | 'reset'): boolean {
  return command === null || command === `./${kind}.sh`;
}

async function untracked(platform: Platform, home: Home, paths: readonly string[]): Promise<FileToCommit[]> {
  const files: FileToCommit[] = [];
  for (const path of paths) {
    const known = await tryGit(platform, ['ls-files', '--error-unmatch', '--', path], { cwd: home.root });
    if (known.code !== 0 && (await platform.files.exists(join(home.root, path)))) files.push({ path });
  }
  return files;
}

/** What passes now, how large the files are, and the first state document. */
export async function firstBaseline(
  project: Project,
  loaded: LoadedList,
): Promise<Pick<InitReport, 'features' | 'passing' | 'tests' | 'runner'>> {
  const { platform } = project;
  for (const flag of loaded.flags) project.emit({ type: 'warning', message: `feature #${flag.feature} ${flag.message}` });
  const { head } = await readHead(platform, project.home);
  const tree = await treeOf(platform, project.home, head!);
  const run = await runSuite(platform, { ...runContext(project, { noCache: false }), tree });
  for (const problem of run.problems) project.emit({ type: 'warning', message: `test run: ${problem}` });
  if (run.runner === 'exit-code' && project.config.verification.require_evidence)
    project.emit({
      type: 'warning',
      message:
        'the test command is read by its exit status alone. Where it prints no summary of a known test runner, no claim can show evidence: set verification.require_evidence: false then',
    });
  const first = !(await platform.files.exists(join(project.stateDir, STATE_FILE)));
  const state = first ? initialState(HARNESS_VERSION, isoNow(platform.clock)) : await readState(project, { writer: true });
  const baseline = await storeBaseline(project, { commit: head!, tree }, state.last_session, run);
  const sizes = await measureSizes(project.trees, tree, {
    session: state.last_session,
    previous: {},
    maxLines: project.config.quality.max_file_lines,
  });
  await writeSizes(project, { session: state.last_session, tree, files: sizes.files });
  if (first) await writeState(platform, project.stateDir, state);
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
  return { features: loaded.list.features.length, passing: baseline.total_passing, tests: baseline.total_tests, runner: run.runner };
}
