/**
 * What people see of a mission, and what they write there. Pure.
 *
 * 1. `features.json` is the queue, `validation-contract.md` the claims: a heading each, a line `proof:`, and notes.
 * 2. What a person wrote is checked like a planner's work. What the harness counts (attempts, what passed, what is under way) stays as it is.
 */
import { HARNESS_VERSION } from '../../../domain/version.ts';
import {
  ClaimIdSchema,
  QueueSchema,
  type Claim,
  type MissionState,
  type Proof,
  type QueueFeature,
} from '../../../kernel/mission-schema.ts';
import { checkPlan, parseJson, wordIssue } from './plan.ts';
import { groupOf } from '../../../domain/text-parts.ts';
import { itemAt } from '../../../domain/items.ts';

export function renderQueue({ spec, features }: Pick<MissionState, 'spec' | 'features'>): string {
  return `${JSON.stringify({ schema_version: 1, harness_version: HARNESS_VERSION, spec, features }, null, 2)}\n`;
}

export function renderContract({ claims }: Pick<MissionState, 'claims'>): string {
  const parts = claims.flatMap(({ id, text, proof, notes }) => [
    `## ${id}: ${text}`,
    `proof: ${wordProof(proof)}`,
    '',
    ...(notes === '' ? [] : [notes, '']),
  ]);
  return ['# Validation contract', '', 'The mission is done when every one of these is proved on the branch.', '', ...parts].join('\n');
}

export function wordProof({ tests, command, person }: Proof): string {
  const parts = [...(tests.length === 0 ? [] : [tests.join(', ')]), ...(command === null ? [] : [`command: ${command}`])];
  return parts.length === 0 || (person && tests.length > 0) ? [...parts, 'person'].join('; ') : parts.join('; ');
}

export type Edit = { ok: true; features: QueueFeature[]; claims: Claim[] } | { ok: false; file: 'queue' | 'contract'; problems: string[] };

type Held = Pick<MissionState, 'features' | 'claims' | 'candidates' | 'kept' | 'question' | 'later_questions'>;

export function readEdit(state: Held, queue: string, contract: string): Edit {
  const parsed = QueueSchema.safeParse(parseJson(queue));
  if (!parsed.success) return { ok: false, file: 'queue', problems: parsed.error.issues.slice(0, 10).map(wordIssue) };
  const claims = readContract(contract);
  if ('problems' in claims) return { ok: false, file: 'contract', problems: claims.problems };
  const features = parsed.data.features.map((feature) =>
    withCounted(
      feature,
      state.features.find(({ id }) => id === feature.id),
    ),
  );
  const lost = state.features.filter(({ id, status }) => isHeld(state, id, status) && !features.some((one) => one.id === id));
  const plan = checkPlan({ features, claims: claims.claims });
  const problems = {
    queue: [
      ...lost.map(({ id, status }) => `features: ${id} is ${status} and cannot be taken out; put it back`),
      ...plan.filter((problem) => !problem.startsWith('claims')),
    ],
    contract: [...changedPassed(state, features, claims.claims), ...plan.filter((problem) => problem.startsWith('claims'))],
  };
  for (const file of ['queue', 'contract'] as const) if (problems[file].length > 0) return { ok: false, file, problems: problems[file] };
  return { ok: true, features, claims: claims.claims };
}

/** Somebody works on it, it has landed, or it waits for a person or the architect. */
function isHeld({ candidates, kept, question, later_questions }: Held, id: string, status: QueueFeature['status']): boolean {
  if (['passed', 'working', 'validating'].includes(status) || kept.includes(id)) return true;
  return [...candidates, ...later_questions, ...(question === null ? [] : [question])].some(({ feature }) => feature === id);
}

/** A person may set a feature aside, or take it up again; the rest is the harness's to say. */
function withCounted(edited: QueueFeature, known: QueueFeature | undefined): QueueFeature {
  if (known === undefined) return { ...edited, status: edited.status === 'skipped' ? 'skipped' : 'pending', attempts: 0 };
  const isFixed = ['passed', 'working', 'validating'].includes(known.status);
  const status = isFixed || !['skipped', 'pending'].includes(edited.status) ? known.status : edited.status;
  const again = status === 'pending' && known.status !== 'pending';
  return { ...edited, status, attempts: again ? 0 : known.attempts };
}

function changedPassed(
  state: Pick<MissionState, 'features' | 'claims'>,
  features: readonly QueueFeature[],
  claims: readonly Claim[],
): string[] {
  return state.features
    .filter(({ status }) => status === 'passed')
    .flatMap((feature) => feature.claims)
    .filter(
      (id) =>
        JSON.stringify(state.claims.find((claim) => claim.id === id)?.proof) !==
        JSON.stringify(claims.find((claim) => claim.id === id)?.proof),
    )
    .map((id) => `${id}: its feature has passed with this proof; put it back`);
}

export function readContract(text: string): { claims: Claim[] } | { problems: string[] } {
  const claims: Claim[] = [];
  const problems: string[] = [];
  for (const part of text.split(/^## /m).slice(1)) {
    const [head = '', ...rest] = part.split('\n');
    const match = /^(\S+):\s+(\S.*)$/.exec(head.trim());
    const id = ClaimIdSchema.safeParse(match?.[1]);
    if (match === null || !id.success) {
      problems.push(`"## ${head.trim().slice(0, 80)}": a claim's heading is "## VAL-<AREA>-001: what holds"`);
      continue;
    }
    const at = rest.findIndex((line) => line.startsWith('proof:'));
    if (at === -1) problems.push(`${id.data}: there is no line "proof:"`);
    else
      claims.push({
        id: id.data,
        text: groupOf(match, 2).trim(),
        proof: readProof(itemAt(rest, at).slice('proof:'.length)),
        notes: notesOf(rest, at),
      });
  }
  return problems.length === 0 ? { claims } : { problems };
}

function notesOf(lines: readonly string[], proofAt: number): string {
  return lines
    .filter((_, at) => at !== proofAt)
    .join('\n')
    .trim();
}

function readProof(line: string): Proof {
  const [, before = '', command = null, after = ''] = /^(.*?)(?:(?:^|;)\s*command:\s*(.*?))?(;\s*person)?\s*$/.exec(line.trim()) ?? [];
  const words = before
    .split(/[,;]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const tests = words.filter((word) => word !== 'person');
  return { tests, command: command === '' ? null : command, person: tests.length === 0 || words.includes('person') || after !== '' };
}
