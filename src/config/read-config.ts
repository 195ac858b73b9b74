/**
 * `.harness.yaml`: read → parse → normalise → validate.
 *
 * 1. `parseConfig` is pure and returns value, warnings and errors together; a value only where there is no error.
 * 2. Every error names the file, the field, the line, what is wrong and what to do.
 * 3. A command left out that has a usual script (`./init.sh`, `./reset.sh`) means that script where it exists, else nothing.
 */
import { join } from 'node:path';
import { HarnessError, usageError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import { checkConfig, type Remark } from './check-config.ts';
import { explain } from './explain.ts';
import { parseYaml, type ParsedYaml, type Problem } from './parse-yaml.ts';
import { ConfigSchema, type Config } from './schema.ts';

export const CONFIG_FILE = '.harness.yaml';

export interface ConfigResult {
  config: Config | null;
  warnings: Problem[];
  errors: Problem[];
}

/** The project's settings alone; throws a HarnessError (exit 2) that lists every error. `loadSettings` adds the user's. */
export async function loadConfig(platform: Platform, root: string): Promise<{ config: Config; warnings: string[] }> {
  const result = await readConfig(platform, root);
  if (result === null) {
    throw usageError(
      `There is no ${CONFIG_FILE} in ${root}.`,
      'Set the project up with: harness init --spec FILE, or for an existing feature list: harness init --features FILE',
    );
  }
  if (result.config === null) throw configError(join(root, CONFIG_FILE), result.errors);
  return { config: result.config, warnings: result.warnings.map((warning) => wordProblem(CONFIG_FILE, warning)) };
}

/** `null` when there is no file. */
export async function readConfig(platform: Platform, root: string): Promise<ConfigResult | null> {
  const text = await readText(platform, join(root, CONFIG_FILE));
  if (text === null) return null;
  const scripts = await Promise.all(
    ['init.sh', 'reset.sh'].map(async (name) => ((await platform.files.exists(join(root, name))) ? [name] : [])),
  );
  const key = [...scripts.flat(), text].join('\0');
  if (last?.key !== key) last = { key, result: parseConfig(text, new Set(scripts.flat())) };
  return structuredClone(last.result);
}

/** Settings are read several times in a command, and seldom change in between. */
let last: { key: string; result: ConfigResult } | null = null;

/** `scripts` are the names of the usual scripts that exist in the project. */
export function parseConfig(text: string, scripts: ReadonlySet<string> = new Set()): ConfigResult {
  const parsed = parseYaml(text);
  if (parsed.problems.length > 0) return { config: null, warnings: [], errors: parsed.problems };
  const aliases = withMissionAliases(parsed.value);
  const checked = ConfigSchema.safeParse(normalise(aliases.value, scripts), { reportInput: true });
  if (!checked.success) return { config: null, warnings: [], errors: byLine(explain(checked.error, ConfigSchema, parsed.lineOf)) };
  const { errors, warnings } = checkConfig(checked.data);
  return {
    config: errors.length === 0 ? checked.data : null,
    errors: byLine(errors.map((remark) => locate(remark, parsed))),
    warnings: [...aliases.found.map(aliasRemark), ...warnings].map((remark) => locate(remark, parsed)),
  };
}

function aliasRemark({ alias, key }: Aliases['found'][number]): Remark {
  return {
    path: alias.split('.'),
    message: key === null ? 'it has no meaning here: every lane has its own copy' : `it is read as ${key}`,
    fix: key === null ? 'take it out' : 'write it so',
  };
}

export function configError(file: string, errors: readonly Problem[]): HarnessError {
  const count = errors.length === 1 ? 'a mistake' : `${errors.length} mistakes`;
  return new HarnessError(`The settings in ${file} have ${count}.`, {
    exitCode: EXIT.usage,
    details: errors.map((error) => wordProblem(file, error)),
  });
}

export function wordProblem(file: string, problem: Problem): string {
  const place = problem.line === null ? file : `${file}:${problem.line}`;
  return `${place}: ${problem.field === '' ? '' : `${problem.field}: `}${problem.message}; ${problem.fix}`;
}

/** A section without keys is an empty one, a kind of session without a model follows `models.default`, and usual scripts are found. */
function normalise(value: Record<string, unknown>, scripts: ReadonlySet<string>): Record<string, unknown> {
  const sections = emptySections(value);
  const models = asRecord(sections['models']);
  if (models !== null && typeof models['default'] === 'string') {
    const all = Object.fromEntries(
      ['initializer', 'coding', 'continuation', 'cleanup', 'examiner'].map((kind) => [kind, models['default']]),
    );
    sections['models'] = { ...all, ...models };
  }
  const environment = asRecord(sections['environment'] ?? {});
  if (environment !== null) {
    const found = Object.fromEntries(['init', 'reset'].filter((name) => scripts.has(`${name}.sh`)).map((name) => [name, `./${name}.sh`]));
    sections['environment'] = { ...found, ...environment };
  }
  return sections;
}

const NESTED = new Set([
  'testing.sanity',
  'context.on_limit',
  'session.on_timeout',
  'preflight.checks',
  'preflight.on_failure',
  'tools.filesystem',
  'tools.shell',
  'tools.mcp_servers',
  'mission.models',
  'mission.timeouts',
  'mission.plan_reviewer',
  'mission.checkpoints',
  'mission.branch_isolation',
  'mission.smoke_test',
  'mission.ui_qa',
  'mission.crosscheck',
  'mission.debugger',
  'mission.documenter',
]);

function emptySections(value: Record<string, unknown>, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const path = `${prefix}${key}`;
      const isSection = prefix === '' ? Object.hasOwn(ConfigSchema.shape, key) && key !== '$schema' : NESTED.has(path);
      if (inner === null && isSection) return [key, {}];
      const record = prefix === '' ? asRecord(inner) : null;
      return [key, record === null ? inner : emptySections(record, `${path}.`)];
    }),
  );
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

function locate(remark: Remark, parsed: ParsedYaml): Problem {
  return { field: remark.path.join('.'), line: parsed.lineOf(remark.path), message: remark.message, fix: remark.fix };
}

function byLine(problems: Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

async function readText(platform: Platform, path: string): Promise<string | null> {
  try {
    return await platform.files.readTextIfExists(path);
  } catch (error) {
    throw usageError(
      `The settings in ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
      'Make it a file that you can read.',
    );
  }
}

/**
 * Names of the mission's settings as its origin spells them (`branchIsolation`, `triggerOn`): read as ours, with one warning each. Pure.
 * `useWorktrees` has no meaning here: every lane has a copy of its own.
 */
interface Aliases {
  value: Record<string, unknown>;
  /** Each alias that was found, and what it was read as; null: as nothing. */
  found: { alias: string; key: string | null }[];
}

const WITHOUT_MEANING = new Set(['useWorktrees', 'use_worktrees']);

function withMissionAliases(settings: Record<string, unknown>): Aliases {
  const found: Aliases['found'] = [];
  if (!isRecord(settings['mission'])) return { value: settings, found };
  return { value: { ...settings, mission: renamed(settings['mission'], 'mission', found) }, found };
}

function renamed(value: unknown, path: string, found: Aliases['found']): unknown {
  if (Array.isArray(value)) return value.map((entry) => renamed(entry, path, found));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (WITHOUT_MEANING.has(name)) {
      found.push({ alias: `${path}.${name}`, key: null });
      return [];
    }
    const key = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (key !== name) found.push({ alias: `${path}.${name}`, key: `${path}.${key}` });
    return [[key, renamed(inner, `${path}.${key}`, found)]];
  });
  return Object.fromEntries(entries);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
