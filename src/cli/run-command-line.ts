/** One invocation from argument list to exit code. Everything it touches comes in, so that tests run the real thing. */
import { join, resolve } from 'node:path';
import { usageError } from '../domain/errors.ts';
import { EXIT, type ExitCode } from '../domain/reasons.ts';
import { type Platform, isoNow } from '../platform/platform.ts';
import { folderStore } from '../store/folder-store.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { openStateFolder, foreignState } from '../store/state-folder.ts';
import type { CommandAsker, CommandContext, CommandRow, OptionValues } from './command.ts';
import { failureOf } from './exit.ts';
import { flagOption, listOption, textOption } from './options.ts';
import { createOutput, type CommandOutput, type OutputSettings } from './output.ts';
import type { Telemetry } from '../kernel/telemetry/telemetry.ts';
import type { Notifications } from './notifications.ts';
import { parseCommandLine, type Parsed } from './parse.ts';
import { findProjectRoot } from './project-root.ts';
import { findStateDir } from '../reading/state-dir.ts';
import type { Terminal } from './terminal.ts';
import { homedir } from 'node:os';
import { HARNESS_VERSION } from '../domain/version.ts';

type ParsedCommand = Extract<Parsed, { kind: 'command' }>;

export interface Invocation {
  table: readonly CommandRow[];
  argv: readonly string[];
  platform: Platform;
  terminal: Terminal;
  directory: string;
  signal: AbortSignal;
  /** Rejects when the command cannot come to a result; it then fails with that error. */
  lost?: Promise<never>;
}

export async function runCommandLine(invocation: Invocation): Promise<ExitCode> {
  const { platform, terminal, argv } = invocation;
  const parsed = parseCommandLine(invocation.table, argv);
  if (parsed.kind === 'show') {
    terminal.stdout.write(parsed.text);
    return EXIT.done;
  }
  if (parsed.kind === 'misuse') {
    const options = { json: argv.includes('--json') || parsed.row?.answersInJson === true, color: !argv.includes('--no-color') };
    const hint = parsed.row === null ? 'harness --help lists the commands.' : `harness ${parsed.row.name} --help shows how it is used.`;
    const output = createOutput(platform.clock, terminal, outputSettings(platform, terminal, parsed.row?.output ?? 'object', options));
    output.fail({ message: parsed.message, details: [hint], exitCode: EXIT.usage, defect: null });
    return EXIT.usage;
  }
  return runCommand(invocation, parsed);
}

/** Flows in the language of the task. */
const SPEAKING: ReadonlySet<string> = new Set(['workflow', 'spec']);

async function runCommand(invocation: Invocation, { row, options: given, args }: ParsedCommand): Promise<ExitCode> {
  const { platform, signal } = invocation;
  const options = row.answersInJson === true ? { ...given, json: true } : given;
  const form = row.streamsWith !== undefined && flagOption(options, row.streamsWith) ? 'stream' : row.output;
  const settings = {
    ...outputSettings(platform, invocation.terminal, form, options),
    exact: row.exact === true,
    speaks: SPEAKING.has(row.name),
  };
  const { interactive } = settings;
  const shown = createOutput(platform.clock, invocation.terminal, settings);
  let notifications: Notifications | null = null;
  let telemetry: Telemetry | null = null;
  const output: CommandOutput = {
    ...shown,
    emit: (event) => {
      shown.emit(event);
      notifications?.see(event);
      telemetry?.see(event);
    },
  };
  const cwd = resolve(invocation.directory, textOption(options, 'cwd') ?? '.');
  let root = cwd;
  let stateDir: string | null = null;
  const keepPage = async (exitCode: ExitCode): Promise<void> => {
    if (stateDir === null || row.stateless === true || !(await platform.files.exists(stateDir))) return;
    const isWaiting = exitCode === EXIT.escalated || exitCode === EXIT.waiting;
    if (!isWaiting && !row.canAsk) return;
    const { listOpenQuestions } = await import('../gates/escalation.ts');
    await listOpenQuestions({ clock: platform.clock, shelf: folderStore(platform, stateDir) }, isWaiting);
  };
  const carryOut = async (): Promise<ExitCode> => {
    if (!(await isDirectory(platform, cwd))) throw usageError(`There is no directory ${cwd}.`, 'Check the path given with --cwd.');
    if (row.startsProject !== true) root = await findProjectRoot(platform, cwd);
    const named = await findStateDir(platform, root);
    if (row.stateless !== true) await openStateFolder(platform, root, named);
    stateDir = join(root, named);
    const store = folderStore(platform, stateDir);
    const asker = await createLazyAsker(platform, { options, cwd, store, interactive, output, signal });
    const command = await row.load();
    const input = invocation.terminal.input ?? (async () => '');
    const { table } = invocation;
    const context: CommandContext = {
      table,
      platform,
      cwd,
      root,
      stateDir,
      store,
      options,
      args,
      output,
      asker,
      signal,
      interactive,
      input,
    };
    if (form === 'stream' && !flagOption(options, 'dryRun')) {
      const ring = (): void => (invocation.terminal.stderr.isTTY ? invocation.terminal.stderr.write('\u0007') : undefined);
      const warn = (message: string): void => output.emit({ type: 'warning', message });
      const { openNotifications } = await import('./notifications.ts');
      notifications = await openNotifications({ platform, root, command: row.name, shelf: store, ring, warn });
      const { openTelemetryFor } = await import('./telemetry.ts');
      telemetry = await openTelemetryFor({ platform, root, command: row.name, warn });
    }
    const project = row.name.startsWith('fleet ') ? null : textOption(options, 'project');
    const result =
      project === null
        ? await command.run(context)
        : await (await import('./fleet-project.ts')).runAtFleet(context, row.name, { project, run: command.run });
    await notifications?.end(result);
    await telemetry?.end(null);
    await keepPage(result.exitCode);
    output.finish(result);
    return result.exitCode;
  };
  try {
    return await (invocation.lost === undefined ? carryOut() : Promise.race([carryOut(), invocation.lost]));
  } catch (error) {
    const failure = failureOf(error, signal.aborted);
    const file = failure.defect === null ? null : await recordDefect(platform, root, failure.defect);
    await (notifications as Notifications | null)?.end({ exitCode: failure.exitCode, message: failure.message });
    await (telemetry as Telemetry | null)?.end(failure.message);
    await keepPage(failure.exitCode).catch(() => {});
    output.fail(file === null ? failure : { ...failure, details: [`The details are in ${file}.`] });
    return failure.exitCode;
  }
}

interface AskerSetting {
  options: OptionValues;
  cwd: string;
  store: DocumentStore;
  interactive: boolean;
  output: CommandOutput;
  signal: AbortSignal;
}

/** The answers file is read at once, so that a broken one stops the command before it starts; the rest waits for a question. */
async function createLazyAsker(platform: Platform, setting: AskerSetting): Promise<CommandAsker> {
  const { options, store, interactive, output, signal } = setting;
  const file = textOption(options, 'answers');
  const answers = file === null ? {} : await (await import('../gates/answers-file.ts')).readAnswers(platform, resolve(setting.cwd, file));
  const [yes, approve] = [flagOption(options, 'yes'), listOption(options, 'approve')];
  let asker: CommandAsker | undefined;
  const real = async (): Promise<CommandAsker> => {
    const { createAsker } = await import('../gates/asker.ts');
    asker ??= createAsker({ platform, gates: store.in('gates'), interactive, answers, yes, approve, emit: output.emit, signal });
    return asker;
  };
  return {
    ask: async (gate, record) => (await real()).ask(gate, record),
    leave: async (gate, record) => (await real()).leave(gate, record),
    expects: async (id) => (await real()).expects(id),
    answered: async (id) => (await real()).answered(id),
    foresee: async (gate) => (await real()).foresee(gate),
  };
}

function outputSettings(platform: Platform, terminal: Terminal, form: CommandRow['output'], options: OptionValues): OutputSettings {
  const json = flagOption(options, 'json');
  const interactive = !json && terminal.stdinIsTTY && terminal.stdout.isTTY && terminal.stderr.isTTY;
  const redraws = platform.env['TERM'] !== 'dumb';
  const colour = redraws && mayColour(platform, flagOption(options, 'color'));
  return { json, quiet: flagOption(options, 'quiet'), colour, form, redraws, interactive };
}

/** https://no-color.org: any value but the empty one turns colours off. */
function mayColour(platform: Platform, wanted: boolean): boolean {
  return wanted && (platform.env['NO_COLOR'] ?? '') === '';
}

async function isDirectory(platform: Platform, path: string): Promise<boolean> {
  return platform.files.list(path).then(
    () => true,
    () => false,
  );
}

/** The file written, or null when even that failed: a defect report must not become a second defect. */
async function recordDefect(platform: Platform, root: string, stack: string): Promise<string | null> {
  try {
    const folder = join((await logHome(platform, root)) ?? harnessFolder(platform), 'logs');
    const file = join(folder, 'defects.log');
    await platform.files.mkdir(folder);
    await platform.files.append(file, `${isoNow(platform.clock)} harness ${HARNESS_VERSION} node ${process.version}\n${stack}\n\n`);
    return file;
  } catch {
    return null;
  }
}

/** Null: the project has no state of the harness's own. */
async function logHome(platform: Platform, root: string): Promise<string | null> {
  const name = await findStateDir(platform, root).catch(() => '.harness');
  const state = join(root, name);
  if (!(await platform.files.exists(join(root, '.harness.yaml'))) && !(await platform.files.exists(state))) return null;
  return (await foreignState(platform, root, name).catch((error: unknown) => error)) === null ? state : null;
}

function harnessFolder({ env }: Platform): string {
  return env['HARNESS_HOME'] || join(env['HOME'] ?? homedir(), '.harness');
}
