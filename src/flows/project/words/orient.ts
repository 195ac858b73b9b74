/** Gathers the facts for the orientation and puts the session's prompt together. Reads only. */
import { join } from 'node:path';
import type { Feature } from '../../../domain/feature.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import { tryGit } from '../../../platform/git.ts';
import { sessionRecords, tailJournal } from '../../../journal/query.ts';
import type { SessionRecord } from '../../../domain/session-record.ts';
import { fence } from '../../../domain/fence.ts';
import { keyFiles } from '../../../prompts/key-files.ts';
import { loadRole } from '../../../prompts/load-role.ts';
import { orientation, partialDetails, type OrientationFacts } from '../../../prompts/orientation.ts';
import { parseProgress } from '../../../prompts/progress-file.ts';
import { renderPrompt } from '../../../prompts/role.ts';
import { commandForFiles, scriptsOf } from '../../../verify/run/test-command.ts';
import { qualityIssues } from './quality-issues.ts';
import type { LoadedList, Project } from '../project.ts';
import type { SessionPlan } from '../machine/plan-session.ts';

type Planned = Extract<SessionPlan, { kind: 'session' }>;

export interface Briefing {
  role: string;
  modelRole: string;
  system: string;
  prompt: string;
  orientation: string;
}

export async function briefSession(
  project: Project,
  plan: Planned,
  state: ProjectState,
  loaded: LoadedList,
  head: { commit: string; tree: string },
): Promise<Briefing> {
  const role = await loadRole(project.platform, `project/${plan.prompt}`, [
    join(project.stateDir, 'roles'),
    join(project.harnessHome, 'roles'),
  ]);
  const summary = orientation(await gatherFacts(project, plan, loaded, head));
  const full = project.config.testing.full;
  const values: Record<string, string> = { orientation: summary, full_command: full };
  const said = wordsOfPeople(plan.feature, state);
  if (plan.feature === null) values['issues'] = [await qualityIssues(project), said].filter((part) => part !== '').join('\n');
  else {
    const files = testFilesOf(plan.feature);
    values['feature_id'] = String(plan.feature.id);
    values['feature'] = fence(`feature ${plan.feature.id}`, featureText(plan.feature));
    values['test_file'] = files.length === 0 ? 'none' : files.join('`, `');
    values['test_command'] = await featureCommand(project, head.tree, files);
    values['extra'] = [extraFor(plan.feature), said].filter((part) => part !== '').join('\n');
    if (plan.prompt === 'continuation') values['partial'] = await partial(project, plan.feature, state, head);
  }
  return { role: role.role, modelRole: role.model, system: role.system, prompt: renderPrompt(role, values), orientation: summary };
}

/** How an agent runs the feature's test files: the runner that the judge will start, as a person would type it. */
async function featureCommand(project: Project, tree: string, files: readonly string[]): Promise<string> {
  const manifest = (await project.trees.read(tree, 'package.json'))?.toString('utf8') ?? null;
  return commandForFiles(project.config.testing, scriptsOf(manifest), files);
}

function featureText(feature: Feature): string {
  const steps = (feature.verification_steps ?? []).map((step, index) => `${index + 1}. ${step}`);
  return [feature.description, ...(steps.length > 0 ? ['', 'Verification steps:', ...steps] : [])].join('\n');
}

const LONGEST_NOTE = 4_000;

/** What people said at questions about this work, newest last. */
function wordsOfPeople(feature: Feature | null, state: ProjectState): string {
  const notes = state.notes.filter((note) => note.feature === null || note.feature === feature?.id);
  if (notes.length === 0) return '';
  return [
    '',
    'A person looked at the earlier sessions and says about this work (it tells you what is wanted; it does not change the rules):',
    ...notes.map((note) => fence('note of a person', note.text.slice(0, LONGEST_NOTE))),
  ].join('\n');
}

function extraFor(feature: Feature): string {
  const lines: string[] = [];
  if (feature.verification_type === 'hybrid' || feature.verification_type === 'manual') {
    lines.push(
      '',
      'A person checks this feature as well. Make that easy to see, and say where to look:',
      fence('manual checks', (feature.manual_checks ?? ['the result as a whole']).join('\n')),
    );
  }
  return lines.join('\n');
}

async function gatherFacts(
  project: Project,
  plan: Planned,
  loaded: LoadedList,
  head: { commit: string; tree: string },
): Promise<OrientationFacts> {
  const features = loaded.list.features;
  const byId = new Map(features.map((feature) => [feature.id, feature]));
  const [entries, last, decisions, history] = await Promise.all([
    project.trees.list(head.tree),
    lastRecord(project),
    recentDecisions(project),
    recentHistory(project, head.commit),
  ]);
  const files = testFilesOf(plan.feature);
  const tests = await Promise.all(
    files.map(async (path) => ({ path, text: (await project.trees.read(head.tree, path))?.toString('utf8').slice(0, 200_000) ?? null })),
  );
  const lastFeature = last?.feature_id === null || last === null ? undefined : byId.get(last.feature_id);
  return {
    session: plan.session,
    project: project.config.project.name,
    passing: features.filter((feature) => feature.passes).length,
    total: features.length,
    health: 'all baseline tests pass on the current commit',
    last:
      last === null
        ? null
        : {
            session: last.session_id,
            status: last.feature_completed ? 'complete' : last.termination_reason,
            feature: lastFeature === undefined ? null : { id: lastFeature.id, description: lastFeature.description },
            commits: typeof last.commit === 'string' ? [last.commit] : [],
            reasons: last.feature_completed ? [] : last.reasons,
          },
    task:
      plan.feature === null
        ? null
        : {
            id: plan.feature.id,
            description: plan.feature.description,
            test_files: files,
            dependencies: (plan.feature.depends_on ?? []).map((id) => ({ id, passes: byId.get(id)?.passes ?? false })),
          },
    key_files: keyFiles({ paths: new Set(entries.map((entry) => entry.path)), tests, history }),
    decisions,
  };
}

async function lastRecord(project: Project): Promise<SessionRecord | null> {
  return (await sessionRecords(project.platform, join(project.stateDir, 'logs'), 1)).at(-1) ?? null;
}

async function recentDecisions(project: Project): Promise<{ session: number | null; text: string }[]> {
  const entries = await tailJournal(project.platform, join(project.stateDir, 'logs'), 5, 'decisions');
  return entries
    .toReversed()
    .map((entry) => ({ session: typeof entry['session'] === 'number' ? entry['session'] : null, text: String(entry['text'] ?? '') }));
}

/** The last twenty commits with the session that made them and the files they touched. */
async function recentHistory(project: Project, commit: string): Promise<{ session: number | null; files: string[] }[]> {
  const format = '%x01%(trailers:key=Harness-Session,valueonly,separator=%x2C)%x02';
  const result = await tryGit(project.platform, ['log', '-20', '--name-only', `--format=${format}`, '--end-of-options', commit], {
    cwd: project.home.root,
  });
  if (result.code !== 0) return [];
  return result.stdout
    .toString('utf8')
    .split('\x01')
    .slice(1)
    .map((block) => {
      const [session = '', files = ''] = block.split('\x02');
      const number = Number.parseInt(session, 10);
      return { session: Number.isNaN(number) ? null : number, files: files.split('\n').filter((line) => line !== '') };
    });
}

async function partial(project: Project, feature: Feature, state: ProjectState, head: { tree: string }): Promise<string> {
  const wip = state.wip;
  const notes = wip === null ? null : await project.trees.read(wip.tree, project.config.paths.progress);
  const entry = parseProgress(notes?.toString('utf8') ?? '').find((candidate) => candidate.feature === feature.id);
  const records = await sessionRecords(project.platform, join(project.stateDir, 'logs'));
  const left = records.findLast((record) => record.feature_id === feature.id && record.outage !== true);
  const changes = wip === null ? [] : await project.trees.diff(head.tree, wip.tree);
  return partialDetails({
    feature: { id: feature.id, description: feature.description },
    test_files: testFilesOf(feature),
    session: left?.session_id ?? null,
    reason: left?.termination_reason ?? 'unfinished',
    done: entry?.did ?? [],
    left: entry?.left ?? [],
    files: changes.filter((change) => change.path !== project.config.paths.progress).map((change) => `${change.path} (${change.status})`),
  });
}
