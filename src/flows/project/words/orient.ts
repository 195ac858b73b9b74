/** Gathers the facts for the orientation and puts the session's prompt together. Reads only. */
import { type Feature, visualOf } from '../../../domain/feature.ts';
import type { NewDependencies } from '../../../domain/new-dependencies.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import { fence } from '../../../domain/fence.ts';
import { conflictNote } from '../../../prompts/conflict-note.ts';
import { loadRole } from '../../../prompts/load-role.ts';
import { orientation } from '../../../prompts/orientation.ts';
import { renderPrompt } from '../../../prompts/role.ts';
import { testCommand } from '../../../kernel/ground/test-command.ts';
import { roleFolders } from '../../../kernel/roles/call-role.ts';
import { gatherFacts, statusWords, type Ground } from './orientation-facts.ts';
import { unfinishedWork } from '../../../kernel/ground/unfinished-work.ts';
import { lastRefused, refusedWords } from './refused.ts';
import type { LoadedList, Project } from '../project.ts';
import { workOn } from '../machine/shelf.ts';
import type { SessionPlan } from '../machine/plan-session.ts';
import { readSizes } from '../../../kernel/flight/memory-files.ts';
import { runCommand } from '../../../kernel/flight/run-context.ts';
import { countLint } from '../look/lint-count.ts';
import { lintRules } from '../look/lint-rules.ts';
import { MOST_LARGE, qualityPoints, type QualityFacts } from './quality-points.ts';

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
  { state, loaded, head }: { state: ProjectState; loaded: LoadedList; head: Ground & { startsFrom?: string } },
): Promise<Briefing> {
  const role = await loadRole(project.platform, `project/${plan.prompt}`, roleFolders(project));
  const summary = orientation(await gatherFacts(project, plan, loaded.list, head));
  const full = project.config.testing.full;
  const values: Record<string, string> = { orientation: summary, full_command: full };
  const said = wordsOfPeople(plan.feature, state);
  if (plan.feature === null)
    values['issues'] = [
      repairWords(plan.repairs),
      await qualityIssues(project, { tree: head.tree, runs: head.startsFrom !== undefined }, upNext(loaded, state)),
      said,
    ]
      .filter((part) => part !== '')
      .join('\n');
  else {
    const files = testFilesOf(plan.feature);
    values['feature_id'] = String(plan.feature.id);
    values['feature'] = fence(`feature ${plan.feature.id}`, featureText(plan.feature, project.config.verification.new_dependencies));
    values['test_file'] = files.length === 0 ? 'none' : files.join('`, `');
    values['test_command'] = await testCommand(project, head.tree, files);
    values['extra'] = [
      extraFor(plan.feature),
      workOn(state, plan.feature.id)?.conflict === undefined ? await whyRefused(project, plan.feature, state, head) : '',
      said,
    ]
      .filter((part) => part !== '')
      .join('\n');
    if (plan.prompt === 'continuation')
      values['partial'] = await unfinishedWork(project, plan.feature, state, { ...head, endingWords: statusWords });
  }
  const conflict = plan.feature === null ? undefined : workOn(state, plan.feature.id)?.conflict;
  const prompt = [renderPrompt(role, values), ...(conflict === undefined ? [] : [conflictNote(conflict)])].join('\n\n');
  return { role: role.role, modelRole: role.model, system: role.system, prompt, orientation: summary };
}

export function featureText(feature: Feature, newDependencies: NewDependencies | null): string {
  const steps = (feature.verification_steps ?? []).map((step, index) => `${index + 1}. ${step}`);
  const packages = feature.new_dependencies ?? [];
  const whoDecides = newDependencies === 'ask' ? ' (a person reviews each of them)' : '';
  return [
    feature.description,
    ...(steps.length > 0 ? ['', 'Verification steps:', ...steps] : []),
    ...(feature.interface === undefined ? [] : ['', 'Interface, as callers and hidden tests use it:', feature.interface]),
    ...(feature.may_change === undefined ? [] : ['', `Accepted tests that this feature may change: ${feature.may_change.join(', ')}`]),
    ...(packages.length === 0 ? [] : ['', `Packages that this feature may add${whoDecides}: ${packages.join(', ')}`]),
  ].join('\n');
}

async function whyRefused(
  project: Project,
  feature: Feature,
  state: ProjectState,
  head: { tree: string; startsFrom?: string },
): Promise<string> {
  const refused = await lastRefused(project, state, feature.id);
  if (refused === null) return '';
  const kept = head.startsFrom === undefined ? refused.repair : head.startsFrom !== head.tree;
  return await refusedWords(project, refused, kept);
}

/** What the cleanup comes before. */
function upNext({ list }: LoadedList, state: ProjectState): Feature | null {
  const aside = new Set(state.skipped.map((entry) => entry.feature));
  return list.features.find(({ id, passes }) => !passes && !aside.has(id)) ?? null;
}

/** Before anything else: until it holds, nothing new can be built. */
function repairWords(repairs: string | undefined): string {
  if (repairs === undefined) return '';
  return [
    'The branch needs a repair: its own checks fail, or those or a reviewer of its pull request say so. Do that in this session, and nothing else; leave accepted tests and settings as they are:',
    fence('what failed', repairs.slice(0, LONGEST_NOTE)),
  ].join('\n');
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
  lines.push(...checkWords(feature), ...visualWords(feature));
  return lines.join('\n');
}

/** What an agent is asked to look at, and which of it the harness looks at itself. Pure. */
export function checkWords({ automated_checks: checks = [] }: Feature): string[] {
  if (checks.length === 0) return [];
  const words = checks.map((one) => (typeof one === 'string' ? one : one.name === undefined ? one.command : `${one.name}: ${one.command}`));
  return [
    '',
    'These have to hold as well. Commands among them are run by the harness and have to succeed:',
    fence('automated checks', words.join('\n')),
  ];
}

export function visualWords(feature: Feature): string[] {
  const visual = visualOf(feature);
  if (visual === null) return [];
  const steps = (visual.steps ?? ['look at the page']).map((step, index) => `${index + 1}. ${step}`);
  const own =
    visual.url === undefined
      ? []
      : [
          'The harness does not take your word for it. It serves your files itself, visits the address below in its own browser without any network, and follows the same steps; a missing text, an error in the console or a part of the page that does not load refuses the work.',
          fence(
            'where the harness looks',
            [`url: ${visual.url}`, ...(visual.startup === undefined ? [] : [`startup: ${visual.startup}`])].join('\n'),
          ),
        ];
  return [
    '',
    'This feature is something to look at. Where you have a browser among your tools, follow these steps with it after the tests pass, and save a picture (PNG or JPEG) for each screenshot below `.harness/screenshots/`:',
    fence('steps to look at', steps.join('\n')),
    'Name each picture on a separate line, `[VISUAL:SCREENSHOT] path`, and say what can be seen on it: `[VISUAL:VERIFY] what`.',
    ...own,
  ];
}

/** `runs`: the linter is run on the tree; else the session is only foreseen. */
async function qualityIssues(project: Project, { tree, runs }: { tree: string; runs: boolean }, next: Feature | null): Promise<string> {
  const [sizes, limit] = [await readSizes(project), project.config.quality.max_file_lines];
  const texts = await largeTexts(project, tree, sizes, limit);
  const lint = await lintOf(project, runs ? tree : null);
  return fence('quality points', qualityPoints({ sizes, limit, texts, next, lint }).join('\n'));
}

async function largeTexts(
  { trees }: Project,
  tree: string,
  sizes: QualityFacts['sizes'],
  limit: number,
): Promise<ReadonlyMap<string, string>> {
  const large = Object.entries(sizes?.files ?? {}).filter(([, { lines }]) => lines > limit);
  const texts = new Map<string, string>();
  for (const [path] of large.toSorted(([, a], [, b]) => b.lines - a.lines).slice(0, MOST_LARGE)) {
    const text = await trees.read(tree, path);
    if (text !== null) texts.set(path, text.toString('utf8'));
  }
  return texts;
}

async function lintOf(project: Project, tree: string | null): Promise<QualityFacts['lint']> {
  const command = project.config.quality.lint_command ?? project.config.testing.sanity.lint;
  if (command === null) return null;
  if (tree === null) return { command, found: null };
  const { output_tail, exit_code } = await runCommand(project, { tree, command }, project);
  if (exit_code === 0 && output_tail.trim() === '') return null;
  return { command, found: { count: countLint(output_tail, exit_code), rules: lintRules(output_tail) } };
}
