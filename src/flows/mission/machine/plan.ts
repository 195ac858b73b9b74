/**
 * A plan, checked by code before anybody believes it. Pure.
 *
 * 1. Every feature has claims, every claim belongs to one feature, and every feature has a test file that no other has.
 * 2. A command alone proves nothing: a person is asked then, as for a claim without any proof.
 * 3. What is wrong is said with the field and what to do, so that a planner or a person can mend it.
 */
import { z } from '../../../domain/zod.ts';
import { validatePath } from '../../../domain/validate-path.ts';
import { ClaimIdSchema, FeatureIdSchema, type Claim, type Proof, type QueueFeature } from '../../../kernel/mission-schema.ts';

export type Plan = Pick<{ features: QueueFeature[]; claims: Claim[] }, 'features' | 'claims'>;

const ProofInput = z.looseObject({
  tests: z.array(z.string().min(1)).max(20).optional(),
  command: z.string().min(1).max(2_000).nullish(),
  person: z.boolean().optional(),
});

const ClaimInput = z.looseObject({
  id: ClaimIdSchema,
  text: z.string().min(1).max(1_000),
  proof: ProofInput,
  notes: z.string().max(4_000).nullish(),
});

const FeatureInput = z.looseObject({
  id: FeatureIdSchema,
  title: z.string().min(1).max(300),
  claims: z.array(ClaimIdSchema),
  depends_on: z.array(FeatureIdSchema).optional(),
});

export const PlanInput = z.looseObject({ features: z.array(FeatureInput), claims: z.array(ClaimInput) });

/** What the architect may change: the claims of one feature. */
export const ClaimsInput = z.looseObject({ claims: z.array(ClaimInput).min(1), reason: z.string().max(2_000).optional() });

export const MOST_CLAIMS = 7;
const MOST_FEATURES = 500;

export type ReadPlan = { plan: Plan; problems: [] } | { plan: null; problems: string[] };

export function readPlan(text: string | null): ReadPlan {
  if (text === null) return { plan: null, problems: ['plan.json was not written: write the plan to the file that HARNESS_OUTPUT names'] };
  const parsed = PlanInput.safeParse(parseJson(text));
  if (!parsed.success) return { plan: null, problems: parsed.error.issues.slice(0, 20).map(wordIssue) };
  const plan: Plan = {
    features: parsed.data.features.map(({ id, title, claims, depends_on = [] }) => ({
      id,
      title: oneLine(title),
      claims,
      depends_on,
      status: 'pending',
      attempts: 0,
      notes: [],
    })),
    claims: parsed.data.claims.map(toClaim),
  };
  const problems = checkPlan(plan);
  return problems.length === 0 ? { plan, problems: [] } : { plan: null, problems };
}

export function toClaim(input: z.infer<typeof ClaimInput>): Claim {
  return { id: input.id, text: oneLine(input.text), proof: toProof(input.proof), notes: (input.notes ?? '').trim() };
}

export function toProof({ tests = [], command = null, person = false }: z.infer<typeof ProofInput>): Proof {
  return { tests: [...new Set(tests)], command: command ?? null, person: person || tests.length === 0 };
}

export { ProofInput };

export function checkPlan({ features, claims }: Plan): string[] {
  const problems: string[] = [];
  if (features.length === 0) problems.push('features: there is none; plan at least one');
  if (features.length > MOST_FEATURES) problems.push(`features: ${features.length} are too many; plan at most ${MOST_FEATURES}`);
  problems.push(
    ...doubles(
      'features',
      features.map(({ id }) => id),
    ),
    ...doubles(
      'claims',
      claims.map(({ id }) => id),
    ),
  );
  const known = new Map(claims.map((claim) => [claim.id, claim]));
  const owners = new Map<string, string[]>();
  for (const feature of features) {
    const at = `features.${feature.id}`;
    for (const claim of feature.claims) owners.set(claim, [...(owners.get(claim) ?? []), feature.id]);
    for (const claim of feature.claims)
      if (!known.has(claim)) problems.push(`${at}.claims: ${claim} is not among the claims; add it or take it out`);
    if (feature.claims.length === 0) problems.push(`${at}.claims: a feature without a claim cannot be proved; add one`);
    if (feature.claims.length > MOST_CLAIMS)
      problems.push(
        `${at}.claims: ${feature.claims.length} are too many for one feature; split it so that each has at most ${MOST_CLAIMS}`,
      );
    if (testsOf(feature, claims).length === 0) problems.push(`${at}: no claim of it names a test file; at least one has to`);
    for (const id of feature.depends_on)
      if (!features.some((other) => other.id === id)) problems.push(`${at}.depends_on: there is no feature ${id}`);
  }
  for (const claim of claims) {
    const owned = owners.get(claim.id) ?? [];
    if (owned.length !== 1)
      problems.push(
        `claims.${claim.id}: belongs to ${owned.length === 0 ? 'no feature' : owned.join(' and ')}; it has to belong to exactly one`,
      );
    for (const path of claim.proof.tests) {
      const checked = validatePath(path, 'file_reference');
      if (!checked.ok || checked.path !== path)
        problems.push(`claims.${claim.id}.proof.tests: "${path}" cannot be used; name a test file by its plain path in the project`);
    }
  }
  problems.push(...sharedTests(features, claims), ...circles(features));
  return problems;
}

/** The test files that prove a feature. */
export function testsOf(feature: Pick<QueueFeature, 'claims'>, claims: readonly Claim[]): string[] {
  return [...new Set(claims.filter(({ id }) => feature.claims.includes(id)).flatMap(({ proof }) => proof.tests))];
}

function sharedTests(features: readonly QueueFeature[], claims: readonly Claim[]): string[] {
  const owners = new Map<string, string[]>();
  for (const feature of features) for (const path of testsOf(feature, claims)) owners.set(path, [...(owners.get(path) ?? []), feature.id]);
  return [...owners].flatMap(([path, ids]) =>
    ids.length > 1 ? [`claims: the test file ${path} belongs to ${ids.join(' and ')}; give each feature its own files`] : [],
  );
}

/** Features that wait for each other. */
export function circles(features: readonly Pick<QueueFeature, 'id' | 'depends_on'>[]): string[] {
  let left = [...features];
  for (;;) {
    const free = left.filter(({ depends_on }) => !depends_on.some((id) => left.some((other) => other.id === id)));
    if (free.length === 0) break;
    left = left.filter((feature) => !free.includes(feature));
  }
  return left.length === 0
    ? []
    : [`features: ${left.map(({ id }) => id).join(', ')} wait for each other in a circle; take one dependency out`];
}

function doubles(where: string, ids: readonly string[]): string[] {
  const twice = [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
  return twice.map((id) => `${where}: ${id} is there twice; every id names one thing`);
}

export function wordIssue(issue: z.core.$ZodIssue): string {
  return `${issue.path.map(String).join('.') || 'the file'}: ${issue.message}`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
