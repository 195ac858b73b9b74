/**
 * The projects of this user, in `$HARNESS_HOME/projects.json`: written by `harness init`, pruned of folders that are gone.
 *
 * 1. It is a list of places and nothing else: names, states and questions are read where they are kept.
 * 2. A list that cannot be read is begun anew: `harness init` and `harness ui` in a project put it back.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { HARNESS_VERSION } from '../domain/version.ts';
import { z } from '../domain/zod.ts';
import { harnessHome } from '../platform/harness-home.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { withLock } from '../store/lock.ts';

const KnownProjectSchema = z.object({ id: z.string().regex(/^[0-9a-f]{12}$/), root: z.string(), added_at: z.string() });
export type KnownProject = z.infer<typeof KnownProjectSchema>;

const FileSchema = z.looseObject({ schema_version: z.literal(1), projects: z.array(KnownProjectSchema) });

const FILE = 'projects.json';

export async function knownProjects(platform: Platform): Promise<KnownProject[]> {
  const listed = await readList(platform);
  const there = await Promise.all(listed.map(({ root }) => platform.files.exists(root)));
  return listed.filter((_one, at) => there[at] === true);
}

/** Adds one, and drops those whose folders are gone. */
export async function rememberProject(platform: Platform, folder: string): Promise<KnownProject> {
  const root = await platform.files.realpath(folder);
  const project: KnownProject = { id: idOf(root), root, added_at: isoNow(platform.clock) };
  const home = harnessHome(platform);
  const before = await knownProjects(platform);
  const known = before.find(({ id }) => id === project.id);
  if (known !== undefined && (await readList(platform)).length === before.length) return known;
  await platform.files.mkdir(home);
  await withLock(platform, join(home, `${FILE}.lock`), 'harness', async () => {
    const others = (await knownProjects(platform)).filter(({ id }) => id !== project.id);
    const document = { schema_version: 1, harness_version: HARNESS_VERSION, projects: [...others, known ?? project] };
    await platform.files.writeAtomic(join(home, FILE), `${JSON.stringify(document, null, 2)}\n`, 0o600);
  });
  return known ?? project;
}

function idOf(root: string): string {
  return createHash('sha256').update(root).digest('hex').slice(0, 12);
}

async function readList(platform: Platform): Promise<KnownProject[]> {
  const text = await platform.files.readTextIfExists(join(harnessHome(platform), FILE)).catch(() => null);
  try {
    return text === null ? [] : FileSchema.parse(JSON.parse(text)).projects;
  } catch {
    return [];
  }
}
