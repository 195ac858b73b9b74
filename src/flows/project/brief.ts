/** What a session of the project is for, made from the list at the flight's base: the same after a crash as before. */
import { FeatureListSchema } from '../../domain/feature.ts';
import type { Flight, ProjectState } from '../../domain/session.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { Brief, Head } from '../../kernel/flight/contract.ts';
import { STATE_FILE } from '../../kernel/documents/catalogue.ts';
import { lastWholeCommit } from '../../kernel/flight/wip-on-branch.ts';
import { recentCommits } from '../../kernel/ground/recent-commits.ts';
import { workOn } from './machine/shelf.ts';
import { setPasses, withLastUpdated } from './list/feature-text.ts';
import { briefSession } from './words/orient.ts';
import { checkFeatureList, type LoadedList, type Project } from './project.ts';
import { lastRefused } from './words/refused.ts';
import { readTrusted } from './list/trusted.ts';

export async function briefAtBase(project: Project, state: ProjectState, flight: Flight): Promise<Brief> {
  const commit = await lastWholeCommit(project, flight.base);
  const tree = await project.trees.of(commit);
  const loaded = listIn(project, (await project.trees.read(tree, project.config.paths.features))?.toString('utf8') ?? null);
  if (flight.phase === 'preparing') recentCommits(project, commit).catch(() => {});
  return await briefOf(project, state, flight, { loaded, head: { commit, tree, branch: flight.branch }, tip: flight.base });
}

/** Every step of a flight asks for the same list: it is read once. */
const lists = new WeakMap<Project, { text: string | null; loaded: LoadedList }>();

function listIn(project: Project, text: string | null): LoadedList {
  const before = lists.get(project);
  if (before !== undefined && before.text === text) return before.loaded;
  const loaded = checkFeatureList(project, text, project.config.paths.features, { skipped: 'all' });
  lists.set(project, { text, loaded });
  return loaded;
}

/** The same task where the branch stands now; a text says why it is not the same there. */
export async function briefAtHead(project: Project, state: ProjectState, flight: Flight): Promise<Brief | string> {
  const trusted = await readTrusted(project, state);
  if (trusted.head.branch !== flight.branch) return `branch ${flight.branch} is no longer checked out`;
  const { feature } = await briefAtBase(project, state, flight);
  const there = trusted.loaded.list.features.find(({ id }) => id === flight.feature) ?? null;
  if (flight.feature !== null && (there === null || there.passes || testFilesOf(there).join('\n') !== testFilesOf(feature).join('\n')))
    return `feature #${flight.feature} was changed there`;
  const tip = trusted.head.commit;
  const commit = await lastWholeCommit(project, tip);
  const head = commit === tip ? trusted.head : { ...trusted.head, commit, tree: await project.trees.of(commit) };
  return await briefOf(project, state, flight, { loaded: trusted.loaded, head, tip });
}

async function briefOf(
  project: Project,
  state: ProjectState,
  flight: Flight,
  { loaded, head, tip }: { loaded: LoadedList; head: Head; tip: string },
): Promise<Brief> {
  const { features } = loaded.list;
  const feature = features.find(({ id }) => id === flight.feature) ?? null;
  const prompt = flight.prompt === 'initializer' ? 'coding' : flight.prompt;
  const { text } = loaded;
  const wip = feature === null ? null : workOn(state, feature.id);
  const refused = await lastRefused(project, state, flight.feature);
  return {
    head,
    tip,
    feature,
    kind: prompt,
    list: {
      path: project.config.paths.features,
      text,
      get accepted() {
        return feature === null ? text : withLastUpdated(setPasses(text, feature.id, true), flight.started_at);
      },
    },
    words: async (start) =>
      await briefSession(
        project,
        { kind: 'session', session: flight.session, prompt, feature, ...(flight.repairs === null ? {} : { repairs: flight.repairs }) },
        { state, loaded, head: { ...head, ...start } },
      ),
    claims: (tree) => claimIn(project, loaded, tree),
    unfinished: wip === null ? null : { feature: wip.feature, marked: wip.conflict !== undefined },
    refused: refused?.repair === true ? { tree: refused.refusal.tree, base: refused.refusal.base } : null,
    refusedBy: refused?.verdict.id ?? null,
    completed: features.filter(({ passes }) => passes).map(({ id }) => id),
    open: features.filter(({ passes, id }) => !passes && id !== flight.feature).length,
    unwritten: features.filter(({ passes }) => !passes).flatMap(testFilesOf),
    documents: [STATE_FILE],
  };
}

/** Whether the agent touched the list in any way that means something: only then is there something to judge. */
async function claimIn(project: Project, loaded: LoadedList, tree: string): Promise<boolean> {
  const text = (await project.trees.read(tree, project.config.paths.features))?.toString('utf8') ?? null;
  if (text === loaded.text) return false;
  if (text === null) return true;
  try {
    const parsed = FeatureListSchema.safeParse(JSON.parse(text));
    return !parsed.success || JSON.stringify(canonical(parsed.data)) !== JSON.stringify(canonical(loaded.list));
  } catch {
    return true;
  }
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'last_updated')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, canonical(inner)]),
  );
}
