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
import type { HarnessEvent } from '../domain/event.ts';
import { featureLabel, missionFeatureNumber } from '../domain/feature-name.ts';
import { testFilesOf } from '../domain/test-files.ts';
import type { Verdict } from '../domain/verdict.ts';
import { readMissionSummary } from '../flows/mission/people/summary.ts';
import { missionStatus } from '../flows/mission/people/status.ts';
import { featureRows } from '../flows/project/look/feature-rows.ts';
import { healthOf } from '../flows/project/look/health.ts';
import { lastLint } from '../flows/project/look/last-lint.ts';
import { readPast, type Past } from '../flows/project/look/past.ts';
import { differenceOfSession, lookAtSession } from '../flows/project/look/session.ts';
import { summarise } from '../flows/project/look/summary.ts';
import { openProject, type Project } from '../flows/project/project.ts';
import { readWorkflowSummary } from '../flows/workflow/people/summary.ts';
import { listGates } from '../gates/gate-files.ts';
import { openHistory } from '../journal/history.ts';
import { queryJournal, saidIn, tailJournal, tailSpool, type JournalEntry } from '../journal/query.ts';
import { onceEach, roleOf, sumsBy, type PastRecord } from '../kernel/books/sums.ts';
import { readCosts } from '../kernel/books/costs-file.ts';
import { openDocuments } from '../kernel/documents/documents.ts';
import { readKept } from '../kernel/flight/hidden-files.ts';
import { readBaseline, readSizes } from '../kernel/flight/memory-files.ts';
import { readVerdict } from '../kernel/flight/verdict-files.ts';
import { harnessHome } from '../platform/harness-home.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { folderStore } from '../store/folder-store.ts';
import { cleanValue, cutText } from './clean-value.ts';
import { nightLines, nightNext } from './night.ts';
import { readStanding, type Standing } from './standing.ts';
import { findStateDir } from './state-dir.ts';
import { stepOf, type Step } from './step.ts';
import { storyOf } from './story.ts';
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
  RunView,
  SessionRow,
  SessionView,
} from './views.ts';
import { foldWatch, NOTHING, type Watch } from './watch.ts';

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

/** Events that are looked at for what runs now, at most. */
const MOST_EVENTS = 4_000;
const RECENT_EVENTS = 120;
const RECENT_STEPS = 40;
const LATEST_SESSIONS = 12;
const LONGEST_PATCH = 400_000;

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

  return {
    id,
    root,
    logs,
    card: async () => {
      const place = await store();
      const [holder, gates, last] = await Promise.all([
        place.holder(),
        listGates(place.in('gates')),
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
        listGates(place.in('gates')),
        documents().then((known) => known.requests.has('pause')),
        budgetsOf(platform, root),
        openHistory(platform, folder).tail(LATEST_SESSIONS, 'sessions'),
        readTitles(platform, root),
      ]);
      const { watch, recent, seq, last } = await readWatch(platform, folder, standing, holder !== null);
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
        watch,
        project: standing.project,
        mission: standing.mission,
        flow: standing.flow?.report ?? null,
        workers: standing.workers,
        titles: Object.fromEntries(
          watch.lanes.flatMap(({ feature }) => (feature === null || !titles.has(feature) ? [] : [[String(feature), titles.get(feature)!]])),
        ),
        questions: gates.length,
        recent,
        budgets,
        sessions: latest.map((entry) => rowOf(entry as unknown as PastRecord, titles)).toReversed(),
      });
    },
    questions: async () => {
      const gates = await listGates((await store()).in('gates'));
      const known = gates.length === 0 ? null : await past().catch(() => null);
      return cleanValue(gates.map((gate) => ({ ...gate, ...subjectOf(gate.id, known?.past ?? null) })));
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
            tests: verdict === null ? null : { own: verdict.feature_tests.length, red_to_green: verdict.red_to_green.length },
          };
        }),
      );
    },
    session: async (number) => cleanValue(await readSession(platform, await logs(), number, await past(), await records()), LONGEST_PATCH),
    night: async (since) => {
      const place = { documents: await documents(), history: openHistory(platform, await logs()) };
      const known = await past();
      const [mission, workflow] = await Promise.all([readMissionSummary(place, since), readWorkflowSummary(place)]);
      const parts = { project: known === null ? null : summarise(known.past, since), mission, workflow };
      const questions = await listGates((await store()).in('gates'));
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
        spent_usd:
          (since === null ? costs?.cumulative.total_cost_usd : undefined) ?? all.reduce((sum, one) => sum + (one.cost_usd ?? 0), 0),
        sessions_without_cost: all.filter((one) => one.cost_usd === null).length,
        by_feature: sumsBy(
          all.filter((one) => one.feature_id !== null),
          (one) => featureLabel(one.feature_id!),
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
      const { tests } = await readKept({ documents: await documents() });
      return cleanValue({ tests });
    },
  };
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

type Titles = ReadonlyMap<number | string, string>;

interface Recent {
  watch: Watch;
  recent: Step[];
  seq: number;
  last: string | null;
}

/** Read backwards until every session in the air has begun; further events are not needed. */
async function readWatch(platform: Platform, folder: string, standing: Standing, isHeld: boolean): Promise<Recent> {
  const flights = [...(standing.project?.lanes ?? []), ...(standing.mission?.lanes ?? [])].map(({ session }) => session);
  let entries: JournalEntry[] = [];
  for (let count = RECENT_EVENTS; ; count *= 6) {
    entries = await tailJournal(platform, folder, Math.min(count, MOST_EVENTS));
    const begun = new Set(entries.filter(({ type }) => type === 'session.start').map((entry) => entry['session']));
    if (entries.length < count || count >= MOST_EVENTS || (flights.every((one) => begun.has(one)) && (flights.length > 0 || !isHeld)))
      break;
  }
  const said = (await Promise.all(flights.map((session) => tailSpool(platform, folder, session, RECENT_STEPS)))).flat();
  const seq = Math.max(0, ...entries.map(numberOf));
  const all = new Map(
    [...entries, ...said]
      .filter((entry) => numberOf(entry) <= seq || numberOf(entry) === 0)
      .map((entry, at) => [numberOf(entry) || -at - 1, entry]),
  );
  const ordered = [...all.values()].toSorted((one, other) => numberOf(one) - numberOf(other) || Date.parse(one.ts) - Date.parse(other.ts));
  const events = ordered as unknown as (HarnessEvent & { ts: string; seq: number })[];
  const watch = events.reduce((sum, event) => foldWatch(sum, event, Date.parse(event.ts)), NOTHING);
  const alive = isHeld ? watch : { ...watch, lanes: watch.lanes.filter(({ session }) => flights.includes(session)) };
  const steps = events.flatMap((event) => stepOf(event) ?? []);
  return { watch: alive, recent: steps.slice(-RECENT_STEPS), seq, last: ordered.at(-1)?.ts ?? null };
}

function numberOf(entry: JournalEntry): number {
  return typeof entry['seq'] === 'number' ? entry['seq'] : 0;
}

function nameOfFolder(root: string): string {
  return root.split('/').at(-1) ?? root;
}

function problemOf(error: unknown): string {
  return error instanceof HarnessError ? error.message : 'It cannot be read.';
}

/** What a question is about, by its id or by what waits in the state. */
function subjectOf(id: string, past: Past | null): Pick<QuestionView, 'session' | 'feature'> {
  const subject = /:(\d+)$/.exec(id)?.[1];
  const waiting = past === null ? [] : [past.state, ...past.state.parked].map(({ pending, escalation }) => ({ pending, escalation }));
  const about = waiting.find(({ pending, escalation }) => {
    const one = pending ?? escalation;
    return one !== null && id.split(':')[0] === one.gate.split(':')[0] && (subject === undefined || one.feature === Number(subject));
  });
  const feature = about === undefined ? null : ((about.pending ?? about.escalation)?.feature ?? null);
  const session = about?.pending?.session ?? past?.sessions.findLast((one) => feature !== null && one.feature_id === feature)?.session_id;
  return { session: session ?? null, feature: feature ?? (subject === undefined ? null : Number(subject)) };
}

function rowOf(record: PastRecord, titles: Titles): SessionRow {
  return {
    session: record.session_id,
    started_at: record.started_at,
    ended_at: record.ended_at,
    seconds: record.duration_seconds,
    role: roleOf(record),
    feature: record.feature_id,
    title: titles.get(record.feature_id ?? '') ?? null,
    outcome: record.outcome,
    reasons: record.reasons,
    cost_usd: record.cost_usd,
    tokens: record.tokens_used,
    backend: record.backend,
    model: record.model,
    commit: record.commit ?? null,
    message: record.message ?? null,
  };
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

async function readSession(
  platform: Platform,
  folder: string,
  number: number,
  known: { project: Project; past: Past } | null,
  records: readonly PastRecord[],
): Promise<SessionView> {
  const record = records.find(({ session_id }) => session_id === number) ?? null;
  const [events, said] = await Promise.all([queryJournal(platform, folder, `session=${number}`), saidIn(platform, folder, number)]);
  const start = events.find(({ type }) => type === 'session.start');
  const isOwn = known?.past.sessions.some(({ session_id }) => session_id === number) === true;
  const look = known === null || !isOwn ? null : await lookAtSession(known.project, known.past, { session: number }).catch(() => null);
  const difference =
    known === null || !isOwn ? null : await differenceOfSession(known.project, known.past, { session: number }).catch(() => null);
  const feature = record?.feature_id ?? (start?.['feature'] as number | string | undefined) ?? null;
  const verdict = look?.verdict ?? null;
  const order = records.map(({ session_id }) => session_id).toSorted((a, b) => a - b);
  const { steps, left_out } = storyOf(events, said);
  return {
    session: number,
    feature,
    title: known?.past.features.find(({ id }) => id === feature)?.description ?? null,
    record: record === null ? null : rowOf(record, new Map()),
    started_at: record?.started_at ?? start?.ts ?? null,
    prompt: record?.prompt ?? String(start?.['prompt'] ?? ''),
    words: look?.words ?? (record?.message === null || record?.message === undefined ? [] : [record.message]),
    verdict: verdict === null ? null : withoutSecrets(verdict),
    failed: look?.failed ?? [],
    question: look?.question ?? null,
    story: steps,
    left_out,
    said_kept: said !== null,
    runs: verdict === null || known === null ? [] : await readRuns(known.project, verdict.id),
    patch: difference === null ? null : cutText(difference.patch, LONGEST_PATCH),
    landed: difference?.landed ?? false,
    before: order.findLast((one) => one < number) ?? null,
    after: order.find((one) => one > number) ?? null,
  };
}

/** What the examiner asked belongs to the page of hidden tests. */
function withoutSecrets({ examined: _examined, passing_tests: _passing, ...verdict }: Verdict): SessionView['verdict'] {
  return verdict;
}

const LONGEST_OUTPUT = 8_000;

async function readRuns({ shelf }: Project, verdict: string): Promise<RunView[]> {
  const text = await shelf.read(`verdicts/${verdict}/runs.json`).catch(() => null);
  const runs = parseRuns(text);
  return runs.map((run) => {
    const count = (...states: string[]): number => (run.tests ?? []).filter(({ status }) => states.includes(status)).length;
    return {
      name: run.name ?? '',
      command: [run.command ?? []].flat().join(' '),
      files: run.files ?? [],
      exit_code: run.exit_code ?? null,
      timed_out: run.timed_out ?? false,
      duration_ms: run.duration_ms ?? 0,
      passed: count('passed'),
      failed: count('failed', 'error'),
      other: count('skipped', 'todo', 'xfail', 'retried'),
      output: (run.output_tail ?? '').slice(-LONGEST_OUTPUT),
    };
  });
}

interface WrittenRun {
  name?: string;
  command?: string[];
  files?: string[];
  exit_code?: number | null;
  timed_out?: boolean;
  duration_ms?: number;
  tests?: { status: string }[];
  output_tail?: string;
}

function parseRuns(text: string | null): WrittenRun[] {
  try {
    const value: unknown = text === null ? [] : JSON.parse(text);
    return Array.isArray(value) ? (value as WrittenRun[]) : [];
  } catch {
    return [];
  }
}
