/**
 * What a change of package.json means for a verdict.
 *
 * 1. Harmless: fields that neither the runner nor the installer acts on, and scripts that no check uses.
 * 2. Added dependencies are a question; everything else that tools act on is a change of the toolchain.
 * 3. A new package file among known ones decides how their modules are found: what it says about that configures the tests.
 * 4. Names for modules may be added. One that is turned elsewhere, leads among the tests or depends on the surroundings configures the tests.
 */
import { isDeepStrictEqual } from 'node:util';
import { isTestPath } from './protected-paths.ts';
import { filesOfRunners } from '../runners/registry.ts';
import { isRecord } from '../runners/results.ts';
import { parseStrictJson } from '../strict-json.ts';

type PackageChange =
  | { kind: 'harmless' }
  | { kind: 'dependencies'; added: string[] }
  | { kind: 'scripts' | 'test-config' | 'toolchain'; keys: string[] };

const TEST_KEYS = new Set([...filesOfRunners('manifestKeys'), 'mocha', 'ava', 'tap', 'c8', 'nyc', 'babel', 'postcss']);
const SCOPE_KEYS = new Set(['type', 'main', 'module', 'browser', 'imports', 'exports']);
/** Keys on which neither a runner nor an installer nor a hook manager acts; every other one is asked about. The list is in the docs. */
export const HARMLESS_KEYS: ReadonlySet<string> = new Set([
  'name',
  'version',
  'description',
  'keywords',
  'homepage',
  'bugs',
  'license',
  'author',
  'contributors',
  'maintainers',
  'funding',
  'repository',
  'private',
  'files',
  'bin',
  'man',
  'types',
  'typings',
  'sideEffects',
]);
const MODULE_MAPS = new Set(['imports', 'exports']);
const CONDITIONS = new Set(['types', 'import', 'require', 'node', 'browser', 'default', 'deno', 'bun', 'module', 'module-sync']);
const DEPENDENCY_KEYS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
/** What npm runs by itself, and what checks run. */
const WATCHED_SCRIPT =
  /^(?:pre|post)|^(?:test|lint|type-?check|check|ci|prepare|install|uninstall|publish|pack|version|dependencies|shrinkwrap|build|compile)/;

/** `isNewScope`: it is new, and there were files around it before. */
export function classifyPackageChange(before: string | null, after: string | null, isNewScope = false): PackageChange {
  if (after === null) return { kind: 'toolchain', keys: ['package.json'] };
  const old = parse(before ?? '{}');
  const now = parse(after);
  if (old === null || now === null) return { kind: 'toolchain', keys: ['package.json'] };
  const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((key) => !isDeepStrictEqual(old[key], now[key]));
  const test = changed.filter(
    (key) => TEST_KEYS.has(key) || (isNewScope && SCOPE_KEYS.has(key)) || (MODULE_MAPS.has(key) && isBent(old[key], now[key])),
  );
  if (test.length > 0) return { kind: 'test-config', keys: test };
  const scripts = changed.includes('scripts') ? changedScripts(old['scripts'], now['scripts']) : [];
  if (scripts.length > 0) return { kind: 'scripts', keys: scripts };
  const dependencies = DEPENDENCY_KEYS.flatMap((key) => dependencyChange(old[key], now[key]));
  const tools = [...changed.filter((key) => !isKnown(key)), ...dependencies.filter((one) => !one.added).map((one) => one.name)];
  if (tools.length > 0) return { kind: 'toolchain', keys: tools };
  return dependencies.length > 0 ? { kind: 'dependencies', added: dependencies.map((one) => one.name) } : { kind: 'harmless' };
}

/** Harmless, or looked at more closely. */
function isKnown(key: string): boolean {
  return HARMLESS_KEYS.has(key) || key === 'scripts' || SCOPE_KEYS.has(key) || DEPENDENCY_KEYS.includes(key);
}

/** Whether every package that an npm lockfile held before is still there, the same. Other formats: unknown, so no. */
export function lockfileOnlyAdds(before: string | null, after: string | null): boolean {
  const old = parse(before ?? '{"packages":{}}');
  const now = parse(after ?? '');
  if (!isRecord(old?.['packages']) || !isRecord(now?.['packages'])) return false;
  const packages = now['packages'];
  return Object.entries(old['packages']).every(([path, value]) => path === '' || isDeepStrictEqual(value, packages[path]));
}

function parse(text: string): Record<string, unknown> | null {
  const parsed = parseStrictJson(text);
  return 'value' in parsed && isRecord(parsed.value) ? parsed.value : null;
}

function isBent(before: unknown, after: unknown): boolean {
  const entries = (map: unknown): [string, unknown][] =>
    isRecord(map) && Object.keys(map).every((key) => key.startsWith('#') || key.startsWith('.'))
      ? Object.entries(map)
      : map === undefined
        ? []
        : [['.', map]];
  const now = new Map(entries(after));
  const old = new Map(entries(before));
  return (
    [...old].some(([name, target]) => !isDeepStrictEqual(now.get(name), target)) ||
    [...now].some(([name, target]) => !old.has(name) && (!isPlainTarget(target) || [...old.keys()].some((known) => covers(known, name))))
  );
}

/** Whether a pattern that was there already gave this name a meaning. */
function covers(pattern: string, name: string): boolean {
  const [before = '', after] = pattern.split('*');
  return after !== undefined && name.startsWith(before) && (after === '' || name.endsWith(after));
}

function isPlainTarget(target: unknown): boolean {
  if (typeof target === 'string') return !isTestPath(target.replace(/^\.\//, ''));
  if (Array.isArray(target)) return target.every(isPlainTarget);
  if (!isRecord(target)) return target === null;
  return Object.entries(target).every(([condition, inner]) => CONDITIONS.has(condition) && isPlainTarget(inner));
}

function changedScripts(before: unknown, after: unknown): string[] {
  const old = isRecord(before) ? before : {};
  const now = isRecord(after) ? after : {};
  const changed = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => old[name] !== now[name]);
  return changed
    .filter(
      (name) =>
        WATCHED_SCRIPT.test(name) ||
        Object.values(old).some((body) => typeof body === 'string' && new RegExp(`\\brun\\s+${escapeName(name)}\\b`).test(body)),
    )
    .map((name) => `scripts.${name}`);
}

function escapeName(name: string): string {
  return name.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

function dependencyChange(before: unknown, after: unknown): { name: string; added: boolean }[] {
  const old = isRecord(before) ? before : {};
  const now = isRecord(after) ? after : {};
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => old[name] !== now[name]);
  return names.map((name) => ({ name, added: !(name in old) }));
}
