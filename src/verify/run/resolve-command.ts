/**
 * From the test command of the settings to the program behind it, so that the harness can start it itself.
 *
 * 1. Scripts and recipes come from the tree that is run, whose protected parts are trusted.
 * 2. Of `a && runner && b` and npm's `pre` and `post` scripts, one step is the tests: the first that a known runner runs, else the last. The
 *    others become steps before it, or checks of the project's own. Any other shell syntax makes the command opaque.
 * 3. Opaque commands are run by a shell and believed by exit status, TAP or JUnit alone.
 */
import { TOLD_RUNNERS } from '../runners/registry.ts';
import { NO_SOURCES, type CommandSources } from './command-sources.ts';
import { innerCommand, type InnerCommand } from './inner-command.ts';
import { sortSteps } from './own-checks.ts';
import { quoteWord } from '../../domain/quote-word.ts';
import { splitSteps, splitWords } from './split-words.ts';
import { unwrap } from './unwrap.ts';

export interface ResolvedCommand {
  /** As it stands in the settings. */
  text: string;
  /** Shell commands to run before, in order. */
  before: string[];
  /** Its other steps, which run once for a verdict. */
  checks: string[];
  /** Program and arguments behind all wrappers; null: opaque. */
  words: string[] | null;
  /** Assignments in front of the command. */
  env: Record<string, string>;
  /** Programs around the tests that are not started when the harness runs them. */
  without: string[];
  /** The tool whose environment for the project it runs in: `poetry` of `poetry run`. */
  tool: string | null;
}

const MAX_DEPTH = 6;

export function resolveCommand(text: string, sources: CommandSources = NO_SOURCES): ResolvedCommand {
  const { before, after, ...rest } = resolve(text, sources, MAX_DEPTH) ?? OPAQUE;
  return { text, ...rest, ...sortSteps(before, after, sources) };
}

const OPAQUE: Parts = { before: [], after: [], words: null, env: {}, without: [], tool: null };

interface Parts extends Pick<ResolvedCommand, 'words' | 'env' | 'without' | 'tool'> {
  before: string[];
  after: string[];
}

function resolve(text: string, sources: CommandSources, depth: number): Parts | null {
  const steps = splitSteps(text);
  if (steps === null || depth === 0 || steps.some(changesShell)) return null;
  const resolved = steps.map((step) => resolveStep(step, sources, depth));
  const tests = resolved.findIndex((one) => isTests(one, sources));
  const at = tests < 0 ? steps.length - 1 : tests;
  const chosen = resolved[at];
  if (chosen === undefined || chosen === null) return null;
  return { ...chosen, before: [...steps.slice(0, at), ...chosen.before], after: [...chosen.after, ...steps.slice(at + 1)] };
}

/** Something that lives on in the same shell: steps apart from each other would not see it. */
function changesShell(step: string): boolean {
  return /^(?:cd|pushd|export|source|set|eval|unset|alias|umask|\.)(?:\s|$)/.test(step) || /^\w+=\S*$/.test(step);
}

function isTests(command: Parts | null, { packages, nodeTests }: CommandSources): boolean {
  const words = command?.words ?? null;
  return words !== null && TOLD_RUNNERS.some((runner) => runner.detect(words, packages, nodeTests) !== null);
}

/** Programs that only show what a test run prints, `tape test.js | tap-spec`: the harness reads it before they would. */
const SHOWN = /^([^|]+)\|\s*(?:npx\s+)?((?:colortape|faucet|tap-(?!parser\b)[\w-]+))(?:\s[\w\s=.-]*)?$/;

function resolveStep(text: string, sources: CommandSources, depth: number): Parts | null {
  const [, plain, shows] = SHOWN.exec(text) ?? [];
  if (plain === undefined || shows === undefined) return resolvePlain(text, sources, depth);
  const inner = resolvePlain(plain.trim(), sources, depth);
  return inner === null ? null : { ...inner, without: [...inner.without, shows] };
}

function resolvePlain(text: string, sources: CommandSources, depth: number): Parts | null {
  const split = splitWords(text);
  if (split === null || depth === 0) return null;
  const { env, words, without, tool } = unwrap(split);
  const found = innerCommand(words, sources);
  if (found === 'opaque') return null;
  if (found === null) return { before: [], after: [], words, env, without, tool };
  if (!('text' in found)) {
    const inner = resolveStep(found.words.map(quoteWord).join(' '), sources, depth - 1);
    return inner === null ? null : within({ env, without, tool }, inner);
  }
  const inner = around(found, sources, depth);
  return inner === null ? null : within({ env, without, tool }, inner);
}

function within(outer: Pick<Parts, 'env' | 'without' | 'tool'>, inner: Parts): Parts {
  return { ...inner, env: { ...outer.env, ...inner.env }, without: [...outer.without, ...inner.without], tool: inner.tool ?? outer.tool };
}

function around(found: InnerCommand, sources: CommandSources, depth: number): Parts | null {
  const inner = resolve(found.text, sources, depth - 1);
  if (inner === null || inner.words === null) return null;
  const isLast = inner.after.length === 0;
  if (found.rest.length > 0 && !isLast) return null;
  return {
    before: [...found.before, ...inner.before],
    after: [...inner.after, ...found.after],
    words: [...inner.words, ...found.rest],
    env: { ...found.env, ...inner.env },
    without: [...found.without, ...inner.without],
    tool: inner.tool,
  };
}
