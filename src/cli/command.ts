/**
 * What a command is, and what it is given.
 *
 * 1. A row describes a command completely: parsing, help and docs come from it alone.
 * 2. A command returns its result; it never sets exit codes and never writes to a stream itself.
 * 3. For `output: 'stream'` the caller prints the closing `end` line from the result, exactly once.
 */
import type { Emit, HarnessEvent } from '../domain/event.ts';
import type { Gate, GateAnswer } from '../domain/gate.ts';
import type { ExitCode, Outcome, Reason } from '../domain/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import type { DocumentStore } from '../store/shelf.ts';
import type { Paint } from './paint.ts';

export type OptionValue = string | number | boolean | string[] | undefined;
export type OptionValues = Readonly<Record<string, OptionValue>>;

export interface OptionRow {
  /** As commander reads it: `--feature <N>`, `--dry-run`, `--no-cache`. */
  flags: string;
  description: string;
  kind: 'flag' | 'text' | 'number' | 'list';
  choices?: readonly string[];
  /** Of a number; 1 where nothing else is said. */
  least?: number;
  required?: boolean;
}

export interface ArgumentRow {
  /** `<ID>` is required, `[TASK]` is not, `<TEXT...>` takes the rest. */
  name: string;
  description: string;
}

export interface CommandRow {
  /** One word, or two for a group: `log query`. */
  name: string;
  summary: string;
  arguments: readonly ArgumentRow[];
  options: readonly OptionRow[];
  /** Takes `--yes`, `--answers` and `--approve`. */
  canAsk: boolean;
  output: 'object' | 'stream';
  /** With this option it goes on and tells what happens meanwhile. */
  streamsWith?: string;
  /** Its one answer is JSON with or without `--json`, and nothing else is on stdout. */
  answersInJson?: true;
  /** Works on the directory itself even when a directory above it holds a project. */
  startsProject?: boolean;
  /** Its text is data, a patch for example: cleaned on a terminal only. */
  exact?: true;
  /** Works without the state of a project: it runs also where that is not the harness's own. */
  stateless?: true;
  /** What its group does when it is named alone: `harness log` is `harness log tail`. */
  standsForGroup?: true;
  load: () => Promise<{ run: Command }>;
}

export interface Output {
  readonly json: boolean;
  /** One event: a calm line, or a line of JSON. */
  emit: Emit;
  /** An event for the status line of a terminal alone: nothing is printed. */
  watch(event: HarnessEvent): void;
  /** As this output colours its text. */
  paint: Paint;
  /** The whole answer of a look command: the value under `--json`, else the text. */
  object(value: unknown, text: string): void;
  /** One value as a line of JSON under `--json`, else the text: for answers without an end, such as a followed log. */
  line(value: unknown, text: string): void;
  /** A line for the person; never on a stdout that carries data, nothing under `--quiet`. */
  note(text: string): void;
  /** The same on stderr, whatever stdout carries. */
  aside(text: string): void;
  /** What the status line on a terminal measures money against. */
  setBudget(dollars: number | null): void;
  /** Waits while the readers of the output are behind; null when they are not. */
  drained(): Promise<void> | null;
}

export interface CommandAsker {
  /** `record` keeps the question and its answer before they are shown. */
  ask(gate: Omit<Gate, 'asked_at'>, record?: Emit): Promise<GateAnswer | 'pending'>;
  /** The same without waiting for anybody at the terminal. */
  leave(gate: Omit<Gate, 'asked_at'>, record?: Emit): Promise<GateAnswer | 'pending'>;
  /** Whether someone is there to answer: at the terminal, or with an answer given beforehand. */
  expects(id: string): Promise<boolean>;
  /** Whether an answer was given beforehand. */
  answered(id: string): Promise<boolean>;
  /** What would be answered without asking anybody; nothing is used up by it. */
  foresee(gate: Omit<Gate, 'asked_at'>): Promise<GateAnswer | null>;
}

export interface CommandContext {
  platform: Platform;
  /** The directory the user named or stands in, absolute. */
  cwd: string;
  /** The project's root: the nearest directory from `cwd` upwards with a `.harness.yaml`, inside its repository; else `cwd`. */
  root: string;
  /** Where the project keeps its state: `<root>/.harness`, unless its settings name another place. */
  stateDir: string;
  /** The documents there. */
  store: DocumentStore;
  options: OptionValues;
  args: readonly string[];
  output: Output;
  /** Asks for the project at `root`. */
  asker: CommandAsker;
  /** Aborted when the user interrupts. */
  signal: AbortSignal;
  /** Whether a person sits at a terminal that can be asked. */
  interactive: boolean;
  /** Everything that comes in on stdin. */
  input(): Promise<string>;
  /** Every command there is. */
  table: readonly CommandRow[];
}

export interface CommandResult {
  exitCode: ExitCode;
  outcome?: Outcome;
  reasons?: Reason[];
  session?: number;
  feature?: number | null;
  commit?: string;
  message?: string;
}

export type Command = (context: CommandContext) => Promise<CommandResult>;
