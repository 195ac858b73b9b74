/**
 * Reads what is shown of one place. Nothing is locked, run or changed.
 *
 * 1. Each view reads what it shows: `now` costs the same for ten events and for a million.
 * 2. Everything foreign leaves here cleaned of control sequences, and cut where no person reads that far.
 * 3. Hidden tests are in `hidden()` and in nothing else.
 */
import { join } from 'node:path';
import { loadSettings } from '../config/user-settings.ts';
import { HarnessError } from '../domain/errors.ts';
import { sumOfKnown } from '../domain/known-money.ts';
import { featureLabel, missionFeatureNumber } from '../domain/feature-name.ts';
import { testFilesOf } from '../domain/test-files.ts';
import { readMissionSummary } from '../flows/mission/people/summary.ts';
import { missionStatus } from '../flows/mission/people/status.ts';
import { featureRows } from '../flows/project/look/feature-rows.ts';
import { healthOf } from '../flows/project/look/health.ts';
import { listHiddenTests } from '../flows/project/look/hidden-tests.ts';
import { lastLint } from '../flows/project/look/last-lint.ts';
import { readPast, type Past } from '../flows/project/look/past.ts';
import { summarise } from '../flows/project/look/summary.ts';
import { openProject, type Project } from '../flows/project/project.ts';
import { readState } from '../flows/project/state-files.ts';
import { readWorkflowSummary } from '../flows/workflow/people/summary.ts';
import { waitingGates } from '../gates/gate-files.ts';
import { openHistory } from '../journal/history.ts';
import { tailJournal } from '../journal/query.ts';
import { isRoleRecord, onceEach, roleOf, shownTotal, sumsBy, type PastRecord } from '../kernel/books/sums.ts';
import { readCosts } from '../kernel/books/costs-file.ts';
import { openDocuments } from '../kernel/documents/documents.ts';
import { readBaseline, readSizes } from '../kernel/flight/memory-files.ts';
import { readVerdict } from '../kernel/flight/verdict-files.ts';
import { harnessHome } from '../platform/harness-home.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { folderStore } from '../store/folder-store.ts';
import { cleanValue } from './clean-value.ts';
import { nightLines, nightNext } from './night.ts';
import { questionViews, subjectOf } from './read-questions.ts';
import { LONGEST_PATCH, readSession, rowOf, type Titles } from './read-session.ts';
import { openWatch } from './read-watch.ts';
import { readStanding, type Standing } from './standing.ts';
import { findStateDir } from './state-dir.ts';
import type {
  Budgets,
  FeatureView,
  HiddenView,
  MissionView,
  MoneyView,
  NightView,
  NowView,
  ProjectCard,
  QuestionView,
  SessionView,
} from './views.ts';
import { mustHave } from '../domain/must-have.ts';

export interface Reader {
  id: string;
  root: string;
  logs(): Promise<string>;
  card(): Promise<ProjectCard>;
  now(): Promise<NowView>;
  questions(): Promise<QuestionView[]>;
  features(): Promise<FeatureView[]>;
  session(number: number): Promise<SessionView>;
  night(since: string | null): Promise<NightView>;
  /** `since`: only sessions that began since then. */
  money(since?: string | null): Promise<MoneyView>;
  mission(): Promise<MissionView | null>;
  hidden(): Promise<HiddenView>;
}

const LATEST_SESSIONS = 12;

export function openReader(platform: Platform, id: string, root: string): Reader {
  const quiet = (): void => {};
  const project = (): Promise<Project> => openProject(platform, root, { emit: quiet, journal: false });
  const store = async () => folderStore(platform, join(root, await findStateDir(platform, root)));
  const logs = async (): Promise<string> => (await store()).where('logs');
  const documents = async () => openDocuments(platform, await store(), { onNewerState: 'warn' });
  const past = async (): Promise<{ project: Project; past: Past } | null> => {
    if (!(await hasList(platform, root))) return null;
    const opened = await project();
    return { project: opened, past: await readPast(opened) };
  };
  const records = async (): Promise<PastRecord[]> => onceEach(await openHistory(platform, await logs()).all());
  const look = openWatch(platform);

  return {
    id,
    root,
    logs,
    card: async () => {
      const place = await store();
      const [holder, gates, last] = await Promise.all([
        place.holder(),
        waitingGates(place.in('gates')),
        tailJournal(platform, place.where('logs'), 1),
      ]);
      const card = { id, root, name: nameOfFolder(root), questions: gates.length, last_event_at: last[0]?.ts ?? null };
      const running = holder === null ? null : { pid: holder.pid, command: holder.command, since: holder.since };
      try {
        const { project: report } = await readStanding(platform, root);
        const features = report === null ? null : { passing: report.features.passing, total: report.features.total };
        return cleanValue({ ...card, name: report?.project ?? card.name, running, features, problem: null });
      } catch (error) {
        return cleanValue({ ...card, running, features: null, problem: problemOf(error) });
      }
    },
    now: async () => {
      const place = await store();
      const folder = place.where('logs');
      const [standing, holder, gates, pausing, budgets, latest, titles] = await Promise.all([
        readStanding(platform, root),
        place.holder(),
        waitingGates(place.in('gates')),
        documents().then((known) => known.requests.has('pause')),
        budgetsOf(platform, root),
        openHistory(platform, folder).tail(LATEST_SESSIONS, 'sessions'),
        readTitles(platform, root),
      ]);
      const { watch, recent, seq, last } = await look(folder, flightsIn(standing), holder !== null);
      return cleanValue({
        id,
        name: standing.project?.project ?? nameOfFolder(root),
        root,
        at: isoNow(platform.clock),
        seq,
        last_event_at: last,
        running: holder === null ? null : { pid: holder.pid, command: holder.command, since: holder.since },
        pausing,
        paused: standing.project?.paused ?? false,
        // A process that was killed took no question back.
        watch: { ...watch, asked: watch.asked.filter((asked) => gates.some((gate) => gate.id === asked)) },
        project: standing.project,
        mission: standing.mission,
        flow: standing.flow?.report ?? null,
        workers: standing.workers,
        titles: Object.fromEntries(
          watch.lanes.flatMap(({ feature }) => {
            const title = feature === null ? undefined : titles.get(feature);
            return title === undefined ? [] : [[String(feature), title]];
          }),
        ),
        questions: gates.length,
        recent,
        budgets,
        sessions: latest.map((entry) => rowOf(entry as unknown as PastRecord, titles)).toReversed(),
      });
    },
    questions: async () => {
      const gates = await waitingGates((await store()).in('gates'));
      return cleanValue(await questionViews(gates, gates.length === 0 ? null : await past().catch(() => null)));
    },
    features: async () => {
      const known = await past();
      if (known === null) return [];
      const byId = new Map(known.past.features.map((feature) => [feature.id, feature]));
      const rows = featureRows(known.past);
      const verdicts = await Promise.all(rows.map((row) => (row.verdict === null ? null : readVerdict(known.project, row.verdict))));
      return cleanValue(
        rows.map((row, at): FeatureView => {
          const feature = byId.get(row.id);
          const verdict = verdicts[at] ?? null;
          return {
            ...row,
            category: feature?.category ?? null,
            depends_on: feature?.depends_on ?? [],
            test_files: feature === undefined ? [] : testFilesOf(feature),
            sessions: known.past.sessions
              .filter((record) => !isRoleRecord(record) && record.feature_id === row.id)
              .map(({ session_id: session, outcome, reasons, cost_usd }) => ({ session, outcome, reasons, cost_usd })),
            tests: verdict === null ? null : { own: verdict.feature_tests.length, red_to_green: verdict.red_to_green.length },
          };
        }),
      );
    },
    session: async (number) => {
      const known = await past();
      const view = await readSession(platform, await logs(), { number, known, records: await records() });
      const gates = known === null ? [] : await waitingGates((await store()).in('gates'));
      const asked = gates.find(({ id: gate }) => subjectOf(gate, known?.past ?? null).session === number)?.id ?? null;
      return cleanValue({ ...view, question: view.question ?? asked }, LONGEST_PATCH);
    },
    night: async (since) => {
      const place = { documents: await documents(), history: openHistory(platform, await logs()) };
      const known = await past();
      const [mission, workflow] = await Promise.all([readMissionSummary(place, since), readWorkflowSummary(place)]);
      const parts = { project: known === null ? null : summarise(known.past, since), mission, workflow };
      const questions = await waitingGates((await store()).in('gates'));
      return cleanValue({ since, ...parts, lines: nightLines(parts), next: nightNext(parts, questions) });
    },
    money: async (since = null) => {
      const [every, titles] = await Promise.all([records(), readTitles(platform, root)]);
      const all = every.filter((one) => since === null || Date.parse(one.started_at) >= Date.parse(since));
      const [budgets, known] = [await budgetsOf(platform, root), (await hasList(platform, root)) ? await project() : null];
      const costs = known === null ? null : await readCosts(known, { writer: false });
      const [sizes, baseline] =
        known === null ? [null, null] : await Promise.all([readSizes(known), readBaseline(known, { writer: false })]);
      return cleanValue({
        budgets,
        spent_usd: since === null && costs !== null ? shownTotal(costs) : sumOfKnown(all.map(({ cost_usd }) => cost_usd)),
        sessions_without_cost: all.filter((one) => one.cost_usd === null).length,
        by_feature: sumsBy(
          all.filter((one) => one.feature_id !== null),
          (one) => featureLabel(mustHave(one.feature_id, 'records without a feature are left out')),
        ),
        by_role: sumsBy(all, roleOf),
        by_model: sumsBy(all, (one) => (one.model === '' ? one.backend : one.model)),
        tokens: all.reduce((sum, { tokens_used: used }) => addTokens(sum, used), { input: 0, output: 0, cached: 0 }),
        sessions: all.map((one) => rowOf(one, titles)),
        health: known === null ? null : await healthNow(platform, known, sizes, baseline),
        growth: Object.entries(sizes?.files ?? {})
          .map(([file, { lines, lines_at_start: before }]) => ({ file, lines, before }))
          .toSorted((one, other) => other.lines - one.lines)
          .slice(0, 20),
      });
    },
    mission: async () => {
      const known = await documents();
      const mission = await known.read('mission', { writer: false });
      if (mission === null) return null;
      const { config } = await loadSettings(platform, root);
      const memory = known.folder('memory');
      const names = (await memory.list()).filter((name) => name.endsWith('.md'));
      const titles: Titles = new Map(mission.features.flatMap((one) => [[missionFeatureNumber(one.id) ?? one.id, one.title] as const]));
      const texts = await Promise.all(names.map(async (name) => ({ name, text: (await memory.read(name)) ?? '' })));
      return cleanValue({
        status: await missionStatus({ documents: known, config }, mission),
        started_at: mission.started_at,
        claims: mission.claims.map((claim) => {
          const feature = mission.features.find(({ claims }) => claims.includes(claim.id)) ?? null;
          return { ...claim, feature: feature?.id ?? null, state: feature?.status ?? 'open' };
        }),
        sessions: (await records())
          .filter((one) => Date.parse(one.started_at) >= Date.parse(mission.started_at))
          .map((one) => rowOf(one, titles)),
        memory: texts.filter(({ text }) => text !== ''),
      });
    },
    hidden: async () => {
      const opened = await documents();
      const state = (await hasList(platform, root)) ? await readState(await project(), { writer: false }) : { pending: null };
      const { reviewed, kept } = await listHiddenTests({ documents: opened }, state, null);
      return cleanValue({ reviewed, tests: kept });
    },
  };
}

function flightsIn({ project, mission }: Standing): number[] {
  return [...(project?.lanes ?? []), ...(mission?.lanes ?? [])].map(({ session }) => session);
}

async function hasList(platform: Platform, root: string): Promise<boolean> {
  const { config } = await loadSettings(platform, root).catch(() => ({ config: null }));
  return config !== null && (await platform.files.exists(join(root, config.paths.features)));
}

async function budgetsOf(platform: Platform, root: string): Promise<Budgets | null> {
  const { config } = await loadSettings(platform, root).catch(() => ({ config: null }));
  if (config === null) return null;
  const { per_session_usd, per_feature_usd, total_project_usd } = config.costs;
  return { per_session_usd, per_feature_usd, total_project_usd };
}

/** What features are called, by number. The list is as people and agents left it: what cannot be read has no title. */
async function readTitles(platform: Platform, root: string): Promise<Titles> {
  const { config } = await loadSettings(platform, root).catch(() => ({ config: null }));
  const text = config === null ? null : await platform.files.readTextIfExists(join(root, config.paths.features));
  try {
    const { features } = JSON.parse(text ?? '{}') as { features?: { id: number; description: string }[] };
    return new Map((features ?? []).map(({ id, description }) => [id, String(description)]));
  } catch {
    return new Map();
  }
}

function nameOfFolder(root: string): string {
  return root.split('/').at(-1) ?? root;
}

function problemOf(error: unknown): string {
  return error instanceof HarnessError ? error.message : 'It cannot be read.';
}

function addTokens(one: MoneyView['tokens'], other: MoneyView['tokens']): MoneyView['tokens'] {
  return { input: one.input + other.input, output: one.output + other.output, cached: one.cached + other.cached };
}

async function healthNow(
  platform: Platform,
  project: Project,
  sizes: Awaited<ReturnType<typeof readSizes>>,
  baseline: Awaited<ReturnType<typeof readBaseline>>,
): Promise<MoneyView['health']> {
  const { features } = await readPast(project);
  const tests = baseline === null ? null : { passing: baseline.total_passing, total: baseline.total_tests };
  const lint = await lastLint(platform.files, harnessHome(platform), project.root);
  const health = healthOf({
    features: { passing: features.filter(({ passes }) => passes).length, total: features.length },
    tests,
    lint,
    files: sizes?.files ?? null,
    maxLines: project.config.quality.max_file_lines,
    session: sizes?.session ?? 0,
  });
  return { ...health, tests };
}
