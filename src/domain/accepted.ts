/**
 * Accepted test files, each with the versions in which it was accepted.
 *
 * 1. A version is the test file together with everything it runs with: helpers, hooks, fixtures, mocks, data, settings.
 * 2. Versions are listed oldest first; the last one is the one that was accepted last.
 */
import { z } from './zod.ts';

const ReleaseSchema = z.object({
  by: z.enum(['person', 'feature']),
  session: z.number().int(),
  feature: z.number().int().nullable(),
  /** The release counts only while this version, or a later one, is in the project. */
  since: z.string(),
});

export const AcceptedVersionSchema = z.object({
  /** Short hash of the file and everything it runs with. */
  id: z.string(),
  /** Git tree with the file and everything it runs with. */
  tree: z.string(),
  /** The file itself. */
  blob: z.string(),
  /** Ids of the tests that passed. */
  tests: z.array(z.string()),
  session: z.number().int(),
  feature: z.number().int().nullable(),
  at: z.string(),
  /** Earlier contents of the file, all of whose tests are in this version unchanged. */
  replaces: z.array(z.string()),
  /** How many older versions were dropped in its favour, because there were too many. */
  joined: z.number().int(),
  released: ReleaseSchema.nullable(),
});

export type AcceptedVersion = z.infer<typeof AcceptedVersionSchema>;
export type Release = z.infer<typeof ReleaseSchema>;

/** By path. */
export type AcceptedFiles = Readonly<Record<string, readonly AcceptedVersion[]>>;

export const MOST_VERSIONS = 20;

/**
 * Versions that count while the project has this content of the file: those accepted up to it, without the released ones.
 * None where the content was never accepted: a person changed the test, and it starts afresh.
 */
export function countingVersions(versions: readonly AcceptedVersion[], blob: string): AcceptedVersion[] {
  const upTo = acceptedUpTo(versions, blob);
  const ids = new Set(upTo.map(({ id }) => id));
  return upTo.filter(({ released }) => released === null || !ids.has(released.since));
}

export function acceptedUpTo(versions: readonly AcceptedVersion[], blob: string): readonly AcceptedVersion[] {
  const at = versions.findLastIndex((one) => one.blob === blob);
  return versions.slice(
    0,
    at >= 0
      ? at + 1
      : Math.max(
          0,
          versions.findLastIndex((one) => one.replaces.includes(blob)),
        ),
  );
}

/** The list once the project has this version; what was accepted after it and is gone is dropped. */
export function withPresent(versions: readonly AcceptedVersion[], present: AcceptedVersion): AcceptedVersion[] {
  const known = acceptedUpTo(versions, present.blob);
  const last = known.at(-1);
  const isSame = last !== undefined && last.id === present.id;
  return withoutReleasesOf(isSame ? [...known.slice(0, -1), { ...last, tests: present.tests }] : [...known, present]);
}

/** The list once this version was accepted. `supersedes`: it has all tests of the last one, unchanged, and they run with the same. */
export function withAccepted(versions: readonly AcceptedVersion[], next: AcceptedVersion, supersedes: boolean): AcceptedVersion[] {
  const last = versions.at(-1);
  if (last?.id === next.id) return [...versions];
  if (last === undefined || !supersedes) return joinOldest([...versions, next]);
  return inFavourOf(last.id, next.id, [
    ...versions.slice(0, -1),
    { ...next, replaces: [...last.replaces, last.blob], joined: last.joined },
  ]);
}

export function withReleased(versions: readonly AcceptedVersion[], ids: ReadonlySet<string>, release: Release): AcceptedVersion[] {
  return versions.map((one) => (ids.has(one.id) && one.id !== release.since ? { ...one, released: release } : one));
}

/** The first is never dropped; of the others the oldest gives way to the next. */
function joinOldest(versions: readonly AcceptedVersion[]): AcceptedVersion[] {
  const [first, second, third, ...rest] = versions;
  if (versions.length <= MOST_VERSIONS || first === undefined || second === undefined || third === undefined) return [...versions];
  const joined = [first, { ...third, joined: third.joined + second.joined + 1 }, ...rest];
  return joinOldest(inFavourOf(second.id, third.id, joined));
}

function inFavourOf(gone: string, by: string, versions: readonly AcceptedVersion[]): AcceptedVersion[] {
  return versions.map((one) => (one.released?.since === gone ? { ...one, released: { ...one.released, since: by } } : one));
}

function withoutReleasesOf(versions: readonly AcceptedVersion[]): AcceptedVersion[] {
  const ids = new Set(versions.map(({ id }) => id));
  return versions.map((one) => (one.released === null || ids.has(one.released.since) ? one : { ...one, released: null }));
}

/** For people: which version it is. */
export function versionWords({ id, session }: Pick<AcceptedVersion, 'id' | 'session'>): string {
  return session === 0 ? `first version ${id}` : `version ${id}, session ${session}`;
}
