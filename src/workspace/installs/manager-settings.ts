/**
 * Settings of package managers, written by the harness. Pure.
 *
 * 1. A manager never sees a settings file of the project: from it come only keys of a fixed list, with values of a fixed shape, written again.
 *    They change which tree is installed. None of them starts a program, goes to an address or names a path outside the project.
 * 2. What cannot be read is left out. It can make an install fail, and nothing worse.
 * 3. Registries that the project names are returned, never written: they count only where the user's own settings have them.
 *
 * Why: docs/decisions/2026-11-18-installs.md
 */
import { stringify } from 'yaml';
import { parseYaml } from '../../config/parse-yaml.ts';
import { recordOf } from './sources.ts';
import { groupOf } from '../../domain/text-parts.ts';

export interface NamedRegistry {
  /** `@scope`; null: of all packages. */
  scope: string | null;
  address: string;
  file: string;
}

const SWITCHES = [
  'legacy-peer-deps',
  'strict-peer-deps',
  'strict-peer-dependencies',
  'auto-install-peers',
  'install-links',
  'prefer-dedupe',
  'save-exact',
  'hoist',
  'hoist-workspace-packages',
  'shamefully-hoist',
  'dedupe-peer-dependents',
  'dedupe-direct-deps',
  'dedupe-injected-deps',
  'resolve-peers-from-workspace-root',
  'prefer-workspace-packages',
  'inject-workspace-packages',
  'shared-workspace-lockfile',
  'exclude-links-from-lockfile',
  'lockfile-include-tarball-url',
  'ignore-workspace-root-check',
] as const;
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  'install-strategy': ['hoisted', 'nested', 'shallow', 'linked'],
  'node-linker': ['isolated', 'hoisted'],
  'link-workspace-packages': ['true', 'false', 'deep'],
  'resolution-mode': ['highest', 'time-based', 'lowest-direct'],
};
const PATTERNS = ['public-hoist-pattern', 'hoist-pattern'] as const;
const PATTERN = /^!?[@\w*][\w@*./-]*$/;

/** A `.npmrc` for npm, pnpm and bun. */
export function npmSettings(text: string): string {
  const lines: string[] = [];
  for (const { key, value } of iniPairs(text)) {
    const name = key.replace(/\[\]$/, '');
    const isKept =
      (SWITCHES.some((one) => one === name) && /^(?:true|false)$/.test(value)) ||
      CHOICES[name]?.includes(value) === true ||
      (PATTERNS.some((one) => one === name) && isPattern(value));
    if (isKept) lines.push(`${key}=${value}\n`);
  }
  return lines.join('');
}

function isPattern(value: unknown): boolean {
  return typeof value === 'string' && PATTERN.test(value) && !value.split('/').includes('..');
}

export function iniPairs(text: string): { key: string; value: string }[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const found = /^\s*([^=;#\s][^=]*?)\s*(?:=\s*(.*?)\s*)?$/.exec(line);
    if (found === null || /^\s*\[/.test(line)) return [];
    return [{ key: unquoted(groupOf(found, 1)), value: unquoted((found[2] ?? 'true').replace(/\s[;#].*$/, '').trim()) }];
  });
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) && text.length > 1 ? text.slice(1, -1) : text;
}

/** Keys that name packages and versions alone; where a version may be an address, `dependencySources` looks at it. */
const OF_PNPM = [
  'catalog',
  'catalogs',
  'overrides',
  'packageExtensions',
  'patchedDependencies',
  'peerDependencyRules',
  'allowedDeprecatedVersions',
  'ignoredOptionalDependencies',
  'supportedArchitectures',
  'onlyBuiltDependencies',
  'neverBuiltDependencies',
  'ignoredBuiltDependencies',
] as const;

export function pnpmWorkspace(text: string): string {
  const value = yamlOf(text);
  const globs = Array.isArray(value['packages']) ? value['packages'].filter((one) => isInsideGlob(one)) : undefined;
  return stringify({ ...(globs === undefined ? {} : { packages: globs }), ...pnpmSettings(value) });
}

/** The same keys stand in `pnpm` of a package file. */
export function pnpmSettings(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: [string, unknown][] = [];
  for (const [key, one] of Object.entries(value)) {
    const plain = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const isKept =
      OF_PNPM.some((name) => name === key) ||
      (SWITCHES.some((name) => name === plain) && typeof one === 'boolean') ||
      CHOICES[plain]?.includes(String(one)) === true ||
      (PATTERNS.some((name) => name === plain) && Array.isArray(one) && one.every(isPattern));
    if (isKept) kept.push([key, one]);
  }
  return Object.fromEntries(kept);
}

function isInsideGlob(glob: unknown): boolean {
  return typeof glob === 'string' && !/^!?[/~]/.test(glob) && !glob.split('/').includes('..');
}

const OF_YARN = ['packageExtensions', 'supportedArchitectures', 'catalog', 'catalogs', 'nmHoistingLimits'] as const;

/** A `.yarnrc.yml`. */
export function yarnSettings(text: string): string {
  const value = yamlOf(text);
  const kept = OF_YARN.flatMap((key): [string, unknown][] => (value[key] === undefined ? [] : [[key, value[key]]]));
  const level = value['compressionLevel'];
  if (level === 'mixed' || typeof level === 'number') kept.push(['compressionLevel', level]);
  return stringify({ ...Object.fromEntries(kept), nodeLinker: 'node-modules', enableTelemetry: false });
}

function yamlOf(text: string): Record<string, unknown> {
  const { value, problems } = parseYaml(text);
  return problems.length > 0 ? {} : value;
}

export function namedRegistries(file: string, text: string): NamedRegistry[] {
  if (file === '.yarnrc.yml' || file === 'pnpm-workspace.yaml') return inYaml(file, yamlOf(text));
  const pairs =
    file === '.yarnrc'
      ? text.split(/\r?\n/).flatMap((line) => {
          const found = /^\s*"?((?:@[^\s:"]+:)?registry)"?\s+"?([^\s"]+)"?\s*$/.exec(line);
          return found === null ? [] : [{ key: groupOf(found, 1), value: groupOf(found, 2) }];
        })
      : iniPairs(text);
  return pairs.flatMap(({ key, value }) => {
    const found = /^(?:(@[^:\s]+):)?registry$/.exec(key);
    return found === null ? [] : [{ scope: found[1] ?? null, address: value, file }];
  });
}

function inYaml(file: string, value: Readonly<Record<string, unknown>>): NamedRegistry[] {
  const whole = [value['npmRegistryServer'], value['registry'], recordOf(value['registries'])['default']];
  const scopes = Object.entries(recordOf(value['npmScopes'])).map(([scope, one]) => [`@${scope}`, recordOf(one)['npmRegistryServer']]);
  const others = Object.entries(recordOf(value['registries'])).filter(([scope]) => scope.startsWith('@'));
  return [...whole.map((one) => [null, one]), ...scopes, ...others].flatMap(([scope, address]) =>
    typeof address === 'string' ? [{ scope: typeof scope === 'string' ? scope : null, address, file }] : [],
  );
}
