/** A split, asked of an agent: what it wrote is checked, and a proposal that breaks a rule goes back to it once with the reason. */
import type { Feature } from '../../../domain/feature.ts';
import { fence } from '../../../domain/fence.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import { callRole } from '../../../kernel/roles/call-role.ts';
import { readTrusted } from '../list/trusted.ts';
import type { LoadedList, Project } from '../project.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { planSplit, ProposalSchema, unknownFields, type Proposal } from './plan-split.ts';

const OUTPUT = 'split.json';
const TRIES = 2;

export type Proposed = { kind: 'proposed'; proposal: Proposal } | { kind: 'none'; why: string };

export async function proposeSplit(
  project: Project,
  state: ProjectState,
  wish: { feature: number; reason: string; said: string | null },
): Promise<Proposed> {
  const { loaded, head } = await readTrusted(project, state);
  const feature = loaded.list.features.find(({ id }) => id === wish.feature);
  if (feature === undefined) return { kind: 'none', why: `feature #${wish.feature} no longer exists` };
  let wrong: string | null = null;
  for (let tried = 0; tried < TRIES; tried++) {
    const { stop, output, reply } = await callRole(project, {
      role: 'project/splitter',
      variables: variablesFor(project, loaded, { feature, wish, wrong }),
      model: null,
      output: OUTPUT,
      lane: 'splitter',
      tree: head.tree,
      language: 'en',
      feature: feature.id,
    });
    project.signal.throwIfAborted();
    if (stop !== null) return { kind: 'none', why: stop.message };
    const proposal = readProposal(output ?? reply, (message) => project.emit({ type: 'warning', message }));
    const plan =
      typeof proposal === 'string' ? proposal : planSplit(loaded.list, feature, proposal, project.config.features.max_verification_steps);
    if (typeof plan !== 'string') return { kind: 'proposed', proposal: proposal as Proposal };
    wrong = plan;
  }
  return { kind: 'none', why: `the agent's proposal cannot be used: ${wrong}` };
}

function variablesFor(
  project: Project,
  { list }: LoadedList,
  { feature, wish: { reason, said }, wrong }: { feature: Feature; wish: { reason: string; said: string | null }; wrong: string | null },
): Record<string, string> {
  const steps = (feature.verification_steps ?? []).map((step, index) => `${index + 1}. ${step}`);
  const words = [feature.description, '', `Test file: ${testFilesOf(feature).join(', ') || 'none'}`, '', 'Verification steps:', ...steps];
  const others = list.features
    .filter(({ id }) => id !== feature.id)
    .map((one) => `#${one.id} ${one.description} (${testFilesOf(one).join(', ')})`);
  return {
    feature: fence(`feature ${feature.id}`, words.join('\n')),
    others: fence('other features', others.slice(0, 200).join('\n') || 'none'),
    limit: String(project.config.features.max_verification_steps),
    reason,
    said: [
      ...(said === null ? [] : ['A person says about the split:', fence('note of a person', said.slice(0, 4_000))]),
      ...(wrong === null ? [] : [`Your last proposal could not be used: ${wrong}. Propose another one.`]),
    ].join('\n'),
  };
}

/** A text says why it is none. */
export function readProposal(text: string, warn: (message: string) => void): Proposal | string {
  try {
    const value: unknown = JSON.parse(/\{[\s\S]*\}/.exec(text)?.[0] ?? text);
    const parsed = ProposalSchema.safeParse(value);
    const unknown = unknownFields(value);
    if (parsed.success && unknown.length > 0) warn(`The proposed split has fields that are not used: ${unknown.slice(0, 10).join(', ')}.`);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    return `${issue?.path.join('.') ?? 'the file'}: ${issue?.message ?? 'cannot be read'}`;
  } catch {
    return 'it is no JSON';
  }
}
