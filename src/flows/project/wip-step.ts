/** Keeps unfinished work for the next session: the captured tree, with the trusted feature list and a note in the progress file. */
import type { Feature } from '../../domain/feature.ts';
import type { Reason } from '../../domain/reasons.ts';
import type { ProjectState, PromptType } from '../../domain/session.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { saveWip } from '../../workspace/wip.ts';
import type { LoadedList, Project } from './project.ts';

export interface WipInput {
  plan: { session: number; feature: Feature | null; prompt: PromptType };
  head: { commit: string; tree: string; branch: string };
  loaded: Pick<LoadedList, 'text'>;
  tree: string;
  stop: { reason: Reason; message: string };
}

export async function keepWork(project: Project, input: WipInput): Promise<ProjectState['wip']> {
  const { plan, head, stop } = input;
  const feature = plan.feature!;
  const { paths } = project.config;
  if (!savesWork(project, stop.reason)) return null;
  const edits: TreeEdit[] = [{ path: paths.features, kind: 'write', content: input.loaded.text }];
  const changed = await project.trees.diff(head.tree, await project.trees.compose(input.tree, edits));
  if (changed.length === 0) return null;
  const note = progressNote(stop.reason, plan.session, feature.id);
  if (note !== null && project.config.context.on_limit.append_to_progress) {
    const before = (await project.trees.read(input.tree, paths.progress))?.toString('utf8') ?? '';
    edits.push({ path: paths.progress, kind: 'write', content: `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${note}\n` });
  }
  const tree = await project.trees.compose(input.tree, edits);
  const message = wipMessage(project, stop.reason, feature);
  const saved = await saveWip(project.platform, { home: project.home, feature: feature.id, tree, base: head.commit, message });
  project.emit({ type: 'wip.saved', session: plan.session, feature: feature.id, ref: saved.ref, tree, message });
  return { feature: feature.id, ref: saved.ref, tree, message };
}

function savesWork(project: Project, reason: Reason): boolean {
  if (reason === 'context_limit') return project.config.context.on_limit.auto_commit;
  if (reason === 'timeout') return project.config.session.on_timeout.auto_commit;
  return true;
}

function wipMessage(project: Project, reason: Reason, feature: Feature): string {
  const what = `feature #${feature.id}: ${feature.description.replace(/\s+/g, ' ')}`.slice(0, 120);
  if (reason === 'context_limit') return `${project.config.context.on_limit.commit_message_prefix}${what}`;
  if (reason === 'timeout') return `${project.config.session.on_timeout.message_prefix}${what}`;
  return `WIP: ${reason} - ${what}`;
}

const ENDED_BY_HARNESS: Partial<Record<Reason, string>> = {
  context_limit: 'the context window was full',
  timeout: 'the time limit was reached',
  stuck: 'there was no progress',
  repeated_error: 'the same error came again and again',
  stalled: 'the agent fell silent',
  'budget.session': 'the budget of the session was used up',
  'budget.feature': 'the budget of the feature was used up',
  'budget.project': 'the budget of the project was used up',
};

function progressNote(reason: Reason, session: number, feature: number): string | null {
  const why = ENDED_BY_HARNESS[reason];
  return why === undefined
    ? null
    : `\nSESSION TERMINATED: session ${session} on feature #${feature} was ended by the harness because ${why}. The work so far is kept.`;
}
