/**
 * Where packages come from other than by name and version from a registry. Pure.
 *
 * 1. Paths inside the project are no question. Paths that lead outside, and protocols that run code, are refused.
 * 2. What a lockfile says is read by lock-text.ts, and counts only in the form in which its manager writes it.
 * 3. Repositories and addresses are listed under one name each, however they are written: `git:github.com/a/b`, `https://host/x.tgz`,
 *    and `https://host/` for a host whose addresses look like a registry's.
 */
import { posix } from 'node:path';
import { matchesGlob } from '../../domain/glob.ts';
import { parseYaml } from '../../config/parse-yaml.ts';
import { readLock } from './lock-text.ts';
import { groupOf } from '../../domain/text-parts.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface Sources {
  /** Lockfiles that no manager writes like this. */
  unreadable: string[];
  refused: string[];
  /** Sorted; each once. */
  asked: string[];
}

interface Spec {
  /** As messages call it. */
  at: string;
  spec: string;
  /** The folder that relative paths begin at. */
  folder: string;
}

type Kind = { kind: 'plain' } | { kind: 'path'; path: string } | { kind: 'asked'; address: string } | { kind: 'refused' };

export function dependencySources(files: readonly File[], lockfile: string, known: ReadonlySet<string>): Sources {
  const sources: Sources = { unreadable: unreadableLocks(files, lockfile), refused: [], asked: [] };
  for (const { at, spec, folder } of usedFiles(files).flatMap((file) => specsOf(file, lockfile))) {
    const found = kindOf(spec);
    if (found.kind === 'refused' || (found.kind === 'path' && leavesProject(found.path, folder))) sources.refused.push(`${at}: ${spec}`);
    if (found.kind === 'asked' && !known.has(hostOf(found.address) ?? '')) sources.asked.push(found.address);
  }
  return { ...sources, refused: [...new Set(sources.refused)], asked: [...new Set(sources.asked)].toSorted() };
}

/** A name stands in front of a version: `x@https://…` as a name would be an address. */
const NAME = /^(?:@[^@/\\:%\s]+\/)?[^@/\\:%\s]+$/;

function unreadableLocks(files: readonly File[], lockfile: string): string[] {
  return files.flatMap(({ path, content }) => {
    if (path !== lockfile) return [];
    const lock = readLock(path, content.toString('utf8'));
    return lock === null || !lock.names.every((name) => NAME.test(name)) ? [path] : [];
  });
}

interface File {
  path: string;
  content: Buffer;
}

/** Package files that no workspace has, such as those of fixtures, bring nothing. */
export function usedFiles(files: readonly File[]): File[] {
  const manifest = (path: string): Record<string, unknown> =>
    jsonOf(files.find((file) => file.path === path)?.content.toString('utf8') ?? '{}');
  const workspaces = manifest('package.json')['workspaces'];
  const settings = files.find(({ path }) => path === 'pnpm-workspace.yaml')?.content.toString('utf8') ?? '';
  const globs = [workspaces, recordOf(workspaces)['packages'], parseYaml(settings).value['packages']]
    .flatMap((one) => (Array.isArray(one) ? one.map(String) : []))
    .map((glob) => glob.replace(/^\.\//, '').replace(/\/+$/, ''));
  const links = (path: string): string[] =>
    specsOf({ path, content: Buffer.from(JSON.stringify(manifest(path))) }, '').flatMap(({ spec, folder }) => {
      const found = kindOf(spec);
      return found.kind === 'path' ? [posix.join(folder, found.path)] : [];
    });
  const used = new Set(['package.json']);
  const isWorkspace = (folder: string): boolean =>
    globs.some((glob) => !glob.startsWith('!') && matchesGlob(folder, glob)) && !globs.some((glob) => matchesGlob(`!${folder}`, glob));
  for (const { path } of files) if (posix.basename(path) === 'package.json' && isWorkspace(posix.dirname(path))) used.add(path);
  for (const path of used)
    for (const folder of links(path)) if (files.some((file) => file.path === `${folder}/package.json`)) used.add(`${folder}/package.json`);
  return files.filter(({ path }) => posix.basename(path) !== 'package.json' || used.has(path));
}

export function hostOf(address: string): string | null {
  return /^https?:\/\/(?:[^/@]*@)?([^/]+)/.exec(address)?.[1] ?? null;
}

function leavesProject(path: string, folder: string): boolean {
  if (!isRelative(path)) return true;
  const whole = posix.normalize(posix.join(folder, path));
  return whole === '..' || whole.startsWith('../');
}

const PATH_PROTOCOL = /^(?:file|link|portal):(?:\/\/)?(.*)$/;
const HOSTED = /^(github|gitlab|bitbucket|gist):(.+)$/;
const SHORTHAND = /^[\w.-]+\/[\w.-]+(?:#.*)?$/;
const HOSTS: Readonly<Record<string, string>> = { github: 'github.com', gitlab: 'gitlab.com', bitbucket: 'bitbucket.org', gist: 'gist' };

function kindOf(spec: string): Kind {
  const path = PATH_PROTOCOL.exec(spec)?.[1] ?? (/^(?:\.{1,2}(?:\/|$)|~?\/)/.test(spec) ? spec : null);
  if (path !== null) {
    const [place, binding] = [path.replace(/(?:[#?]|::).*$/, ''), /::(.*)$/.exec(path)?.[1] ?? ''];
    return { kind: 'path', path: isRelative(place) ? posix.join(locatorFolder(binding), place) : place };
  }
  if (/^(?:patch|virtual):/.test(spec)) return kindOfChanged(spec);
  const archive = /[:&]__archiveUrl=([^&]*)/.exec(spec)?.[1];
  if (archive !== undefined) return kindOf(decoded(archive));
  if (/^(?:npm|workspace|catalog):/.test(spec) || !/[:/]/.test(spec)) return { kind: 'plain' };
  const hosted = HOSTED.exec(spec);
  if (hosted !== null) return repository(`${mustHave(HOSTS[groupOf(hosted, 1)], 'the pattern names every host')}/${groupOf(hosted, 2)}`);
  if (SHORTHAND.test(spec)) return repository(`github.com/${spec}`);
  const remote = /^(?:git\+)?(git|ssh|https?):\/\/(?:[^/@]*@)?(.+)$/.exec(spec);
  if (remote !== null && (spec.startsWith('git') || remote[1] === 'ssh' || /\.git(?:#|$)/.test(spec)))
    return repository(groupOf(remote, 2));
  if (remote !== null) return { kind: 'asked', address: tarball(spec) };
  const scp = /^(?:git\+ssh:)?(?:[\w.-]+@)([\w.-]+):(.+)$/.exec(spec);
  if (scp !== null) return repository(`${groupOf(scp, 1)}/${groupOf(scp, 2)}`);
  if (spec.startsWith('jsr:')) return { kind: 'asked', address: 'jsr:' };
  // A protocol that is not known may do anything: yarn's `exec:` starts programs.
  return { kind: 'refused' };
}

function isRelative(path: string): boolean {
  return !/^(?:[/~\\]|[A-Za-z]:)/.test(path);
}

/** yarn's lockfile names the workspace that a path begins at: `file:../../x::locator=w%40workspace%3Apackages%2Fw`. */
function locatorFolder(binding: string): string {
  return /(?:^|&)locator=.*@workspace:([^&]*)/.exec(decoded(binding))?.[1] ?? '.';
}

/** yarn's `patch:SOURCE#PATH&PATH` and `virtual:HASH#SOURCE`: the source is a package like any other, and may be of any protocol. */
function kindOfChanged(spec: string): Kind {
  const [, protocol, before = '', after = ''] = /^(patch|virtual):([^#]*)#(.*)$/.exec(spec) ?? [];
  if (protocol === undefined) return { kind: 'refused' };
  const source = decoded(protocol === 'patch' ? before : after).replace(/^(?:@[^/@]*\/)?[^/@]+@/, '');
  const kinds = [kindOf(source), ...(protocol === 'patch' ? kindsOfPatches(after) : [])];
  const strictest = (['refused', 'asked', 'path'] as const).find((kind) => kinds.some((one) => one.kind === kind));
  const found = kinds.filter((one) => one.kind === strictest);
  return found.find((one) => one.kind === 'path' && leavesProject(one.path, '.')) ?? found[0] ?? { kind: 'plain' };
}

function kindsOfPatches(text: string): Kind[] {
  const [patches = '', binding = ''] = text.split('::');
  return patches.split('&').map((patch) => {
    const fromTop = /^(?:optional!)?~\//.test(patch);
    const path = patch.replace(/^(?:optional!|~\/)+/, '').replace(/^\.\//, '');
    if (/^~?builtin</.test(path)) return { kind: 'plain' };
    return { kind: 'path', path: fromTop || !isRelative(path) ? path : posix.join(locatorFolder(binding), path) };
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function repository(place: string): Kind {
  return {
    kind: 'asked',
    address: `git:${place
      .replace(/#.*$/, '')
      .replace(/\.git$/, '')
      .replace(/\/+$/, '')}`,
  };
}

/** Of a registry the host alone; of anything else the address. */
function tarball(address: string): string {
  const plain = address.replace(/#.*$/, '').replace(/^(https?:\/\/)[^/@]*@/, '$1');
  return /\/-\/[^/]+\.tgz(?:\?.*)?$/.test(plain) ? plain.replace(/^(https?:\/\/[^/]+\/).*$/, '$1') : plain;
}

const DEPENDENCY_KEYS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'resolutions',
  'overrides',
] as const;

function specsOf({ path, content }: File, lockfile: string): Spec[] {
  const text = content.toString('utf8');
  if (path === lockfile) return specsOfLock(path, text);
  if (path === 'pnpm-workspace.yaml' || path === '.yarnrc.yml') return specsInSettings(path, text);
  if (posix.basename(path) !== 'package.json') return [];
  const manifest = jsonOf(text);
  const pnpm = recordOf(manifest['pnpm']);
  const folder = posix.dirname(path);
  const own = DEPENDENCY_KEYS.flatMap((key) => stringsIn(manifest[key]).map((spec) => ({ at: path, spec, folder })));
  const globs = stringsIn(manifest['workspaces']).map((spec) => ({ at: path, spec: `file:${spec.replace(/^!/, '')}`, folder }));
  const ofPnpm = [pnpm['overrides'], pnpm['packageExtensions']].flatMap(stringsIn).map((spec) => ({ at: path, spec, folder }));
  const patches = stringsIn(pnpm['patchedDependencies']).map((spec) => ({ at: path, spec: `file:${spec}`, folder: '.' }));
  // pnpm writes a removed one as "-", npm refers to another one as "$name".
  return [...own, ...globs, ...patches, ...ofPnpm].filter(({ spec }) => spec !== '-' && !spec.startsWith('$'));
}

function specsInSettings(path: string, text: string): Spec[] {
  const { value } = parseYaml(text);
  const keys = ['overrides', 'catalog', 'catalogs', 'packageExtensions'];
  const paths = stringsIn(value['patchedDependencies']).map((spec) => `file:${spec}`);
  const specs = keys.flatMap((key) => stringsIn(value[key]));
  return [...specs, ...paths].filter((spec) => spec !== '-' && !spec.startsWith('$')).map((spec) => ({ at: path, spec, folder: '.' }));
}

function specsOfLock(path: string, text: string): Spec[] {
  return (readLock(path, text)?.specs ?? []).map((spec) => ({ at: path, spec, folder: '.' }));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

export function jsonOf(text: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return {};
  }
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
