/**
 * A feature replaced by smaller ones. Pure.
 *
 * 1. A part may depend on parts before it, by their position, and on nothing else of its own choice: a circle cannot be written down.
 * 2. What the feature depended on, its first parts depend on; what depended on the feature depends on all its parts. No dependency is lost.
 * 3. Every part names a test file of its own. Steps of the feature that no part has are told, not refused.
 */
import { z } from '../../../domain/zod.ts';
import type { Feature, FeatureList } from '../../../domain/feature.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import { validatePath } from '../../../domain/validate-path.ts';
import { itemAt } from '../../../domain/items.ts';

const PartSchema = z.object({
  description: z.string().trim().min(1).max(500),
  test_file: z.string().min(1),
  verification_steps: z.array(z.string().trim().min(1)).min(1),
  /** Positions of earlier parts, from 1. */
  after: z.array(z.number().int().positive()).default([]),
});
/** Names that nobody here knows are left out and told (`unknownFields`). */
export const ProposalSchema = z.object({ parts: z.array(PartSchema).min(2).max(9) });
export type Proposal = z.infer<typeof ProposalSchema>;

/** Fields of a proposal that mean nothing, each with its place. */
export function unknownFields(value: unknown): string[] {
  const { parts, ...rest } = (value ?? {}) as { parts?: unknown };
  const inParts = (Array.isArray(parts) ? parts : []).flatMap((part: unknown, index) =>
    typeof part === 'object' && part !== null
      ? Object.keys(part)
          .filter((name) => !Object.hasOwn(PartSchema.shape, name))
          .map((name) => `parts.${index + 1}.${name}`)
      : [],
  );
  return [...Object.keys(rest), ...inParts];
}

export interface Split {
  feature: number;
  parts: Feature[];
  /** Features that depended on it, with what they depend on now. */
  rewired: { id: number; depends_on: number[] }[];
  /** Steps of the feature that no part repeats word for word. */
  missing: string[];
}

/** A text says why the proposal cannot be used. */
export function planSplit(list: FeatureList, feature: Feature, proposal: Proposal, mostSteps: number): Split | string {
  const wrong = problemIn(list, feature, proposal, mostSteps);
  if (wrong !== null) return wrong;
  const first = Math.max(...list.features.map(({ id }) => id)) + 1;
  const ids = proposal.parts.map((_, index) => first + index);
  const { verification_steps: _steps, size_estimate: _size, test_file: _file, depends_on, description: _description, ...kept } = feature;
  const parts = proposal.parts.map((part, index): Feature => {
    const own = [...new Set(part.after)].map((position) => itemAt(ids, position - 1));
    const needs = own.length === 0 ? (depends_on ?? []) : own;
    return {
      ...kept,
      id: itemAt(ids, index),
      description: part.description,
      test_file: part.test_file,
      verification_steps: part.verification_steps,
      size_estimate: sizeOf(part.verification_steps.length),
      ...(needs.length === 0 ? {} : { depends_on: needs }),
      passes: false,
    };
  });
  const rewired = list.features
    .filter((other) => (other.depends_on ?? []).includes(feature.id))
    .map((other) => ({ id: other.id, depends_on: [...(other.depends_on ?? []).filter((id) => id !== feature.id), ...ids] }));
  const told = new Set(parts.flatMap((part) => part.verification_steps ?? []));
  return { feature: feature.id, parts, rewired, missing: (feature.verification_steps ?? []).filter((step) => !told.has(step)) };
}

function problemIn(list: FeatureList, feature: Feature, { parts }: Proposal, mostSteps: number): string | null {
  const others = new Set(list.features.filter(({ id }) => id !== feature.id).flatMap(testFilesOf));
  const files = new Set<string>();
  for (const [index, part] of parts.entries()) {
    const name = `part ${index + 1}`;
    const path = validatePath(part.test_file, 'file_reference');
    if (!path.ok) return `${name}: test_file: ${path.reason}`;
    if (others.has(part.test_file)) return `${name}: ${part.test_file} proves another feature already`;
    if (files.has(part.test_file)) return `${name}: ${part.test_file} is the test file of an earlier part`;
    files.add(part.test_file);
    if (part.verification_steps.length > mostSteps)
      return `${name} has ${part.verification_steps.length} steps, and at most ${mostSteps} fit a session`;
    const late = part.after.find((position) => position > index);
    if (late !== undefined) return `${name} can only come after parts before it, not after part ${late}`;
  }
  return null;
}

/** As the list's own rules have it: 1 to 3 steps are small, 4 or 5 medium, more large. */
export function sizeOf(steps: number): NonNullable<Feature['size_estimate']> {
  return steps <= 3 ? 'small' : steps <= 5 ? 'medium' : 'large';
}

export function describeSplit(feature: Feature, { parts, rewired, missing }: Split): string[] {
  const row = (sign: string, one: Pick<Feature, 'id' | 'description' | 'depends_on'>, more = ''): string => {
    const after = (one.depends_on ?? []).map((id) => `#${id}`).join(', ');
    return `${sign} #${one.id} ${one.description}${more}${after === '' ? '' : ` (after ${after})`}`;
  };
  return [
    row('-', feature, ` [${feature.verification_steps?.length ?? 0} steps]`),
    ...parts.flatMap((part) => [
      row('+', part, ` [${String(part.test_file)}]`),
      ...(part.verification_steps ?? []).map((step) => `+     ${step}`),
    ]),
    ...rewired.map(({ id, depends_on }) => `~ #${id} depends on ${depends_on.map((other) => `#${other}`).join(', ')}`),
    ...(missing.length === 0 ? [] : ['Steps that are in no part word for word:', ...missing.map((step) => `  ${step}`)]),
  ];
}
