/**
 * Whether dependencies that a candidate adds need a person. Pure.
 *
 * 1. Only plain ones can do without: a name with a version or a range, from a registry that the project or the user knows.
 * 2. `listed` takes those that the feature or the user's own settings name, with whatever they bring along.
 */
import type { NewDependencies } from '../../domain/new-dependencies.ts';
import { isRecord } from '../runners/results.ts';
import { parseStrictJson } from '../strict-json.ts';

export interface DependencyRules {
  policy: NewDependencies;
  /** Names that may be added. */
  listed: ReadonlySet<string>;
  /** Hosts that packages may come from. */
  hosts: ReadonlySet<string>;
}

export const ASK_ALWAYS: DependencyRules = { policy: 'ask', listed: new Set(), hosts: new Set() };

/** Of a `package.json` that only adds dependencies. */
export function mayAddDependencies(rules: DependencyRules, before: string | null, after: string | null): boolean {
  if (rules.policy === 'ask') return false;
  const [old, now] = [dependenciesIn(before), dependenciesIn(after)];
  return [...now]
    .filter(([name]) => !old.has(name))
    .every(([name, spec]) => PLAIN_SPEC.test(spec) && (rules.policy === 'allow' || rules.listed.has(name)));
}

/** Of an npm lockfile that only adds packages: each has to come from a known registry, with a checksum. */
export function mayAddPackages(rules: DependencyRules, before: string | null, after: string | null): boolean {
  if (rules.policy === 'ask') return false;
  const [old, now] = [packagesIn(before), packagesIn(after)];
  return Object.entries(now)
    .filter(([path]) => path !== '' && !(path in old))
    .every(([, entry]) => isFromRegistry(entry, rules.hosts));
}

/** The hosts that an npm lockfile names. */
export function hostsOf(lockfile: string | null): string[] {
  return Object.values(packagesIn(lockfile)).flatMap((entry) => (isRecord(entry) ? (hostOf(entry['resolved']) ?? []) : []));
}

export function hostOf(address: unknown): string | null {
  return typeof address === 'string' ? (/^https?:\/\/([^/]+)\//.exec(`${address}/`)?.[1] ?? null) : null;
}

const PLAIN_SPEC = /^(?:latest|[\d\s.^~<>=*|xX-]+(?:-[\w.]+)?)$/;
const DEPENDENCY_KEYS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

function dependenciesIn(text: string | null): Map<string, string> {
  const parsed = parseStrictJson(text ?? '{}');
  const manifest = 'value' in parsed && isRecord(parsed.value) ? parsed.value : {};
  return new Map(
    DEPENDENCY_KEYS.flatMap((key) => {
      const entries = manifest[key];
      return isRecord(entries) ? Object.entries(entries).map(([name, spec]): [string, string] => [name, String(spec)]) : [];
    }),
  );
}

function packagesIn(text: string | null): Record<string, unknown> {
  const parsed = parseStrictJson(text ?? '{}');
  const packages = 'value' in parsed && isRecord(parsed.value) ? parsed.value['packages'] : null;
  return isRecord(packages) ? packages : {};
}

function isFromRegistry(entry: unknown, hosts: ReadonlySet<string>): boolean {
  if (!isRecord(entry) || entry['link'] === true || typeof entry['integrity'] !== 'string') return false;
  const host = hostOf(entry['resolved']);
  return host !== null && hosts.has(host);
}
