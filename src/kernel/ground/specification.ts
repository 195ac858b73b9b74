/**
 * Where the project is described, and what is said there about a feature.
 *
 * 1. The document that `harness init --spec` was given comes first, then the one that the list names, then one with a usual name.
 * 2. Only a person names a document outside the project. The list names one in it, reached without links: what is there reaches the prompt.
 * 3. A path is one that the agent can open: relative where the document is part of the project, else as it is.
 */
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Feature, FeatureList } from '../../domain/feature.ts';
import type { OrientationFacts } from '../../prompts/orientation.ts';
import { containedPath } from '../../platform/contained-path.ts';
import { specPart } from '../../prompts/spec-part.ts';
import type { Place } from '../place.ts';

type Ground = Pick<Place, 'platform' | 'root' | 'documents' | 'trees'>;

export async function rememberSpecification(place: Ground, path: string): Promise<void> {
  await place.documents.write('specification', { schema_version: 1, path: withinRoot(place.root, resolve(place.root, path)) });
}

export async function specificationFor(
  place: Ground,
  list: FeatureList,
  feature: Feature,
  { tree, paths }: { tree: string; paths: ReadonlySet<string> },
): Promise<OrientationFacts['specification']> {
  const given = (await place.documents.read('specification', { writer: false }))?.path;
  const named = typeof list['spec'] === 'string' ? list['spec'] : undefined;
  for (const path of [given, named, usualName(paths)]) {
    const isReadable = path !== undefined && (path === given || paths.has(path) || (await isPlain(place, path)));
    const text = isReadable ? await textOf(place, tree, paths, path) : null;
    if (path === undefined || text === null) continue;
    const part = specPart(text, { description: feature.description, steps: feature.verification_steps ?? [] });
    return { path: paths.has(path) || isAbsolute(path) ? path : join(place.root, path), part };
  }
  return null;
}

async function isPlain({ platform, root }: Ground, path: string): Promise<boolean> {
  const { inside, link } = await containedPath(platform, root, path);
  return inside && link === null;
}

const USUAL = /^(?:docs?\/(?:[\w-]+\/){0,2})?(?:spec|specification|requirements|design-doc|design|prd)\.md$/i;

/** The one that lies nearest to the root. */
function usualName(paths: ReadonlySet<string>): string | undefined {
  return [...paths]
    .filter((path) => USUAL.test(path))
    .toSorted((a, b) => a.split('/').length - b.split('/').length || a.length - b.length)[0];
}

const LARGEST = 1024 * 1024;

async function textOf(place: Ground, tree: string, paths: ReadonlySet<string>, path: string): Promise<string | null> {
  if (paths.has(path)) return (await place.trees.read(tree, path))?.toString('utf8') ?? null;
  const file = resolve(place.root, path);
  const size = await place.platform.files.lstat(file).then(
    (info) => Number(info.size),
    () => null,
  );
  return size === null || size > LARGEST ? null : await place.platform.files.readTextIfExists(file).catch(() => null);
}

function withinRoot(root: string, path: string): string {
  const inner = relative(root, path);
  return inner.startsWith('..') || isAbsolute(inner) ? path : inner;
}
