/**
 * What a validator said, and what of it counts. Pure.
 *
 * 1. A pass counts only with a quotation from what the harness recorded while it ran that claim's own proof.
 * 2. Nothing that a validator says holds work back; a proof of its issues may, once the harness has run it.
 */
import { z } from '../../../domain/zod.ts';
import { cleanText } from '../../../domain/clean-text.ts';
import type { Issue, QueueFeature } from '../../../kernel/mission-schema.ts';
import { parseJson, ProofInput, toProof } from './plan.ts';

export const ValidationSchema = z.looseObject({
  claims: z.array(z.looseObject({ id: z.string(), pass: z.boolean(), quote: z.string().nullish() })).max(200),
  issues: z
    .array(z.looseObject({ title: z.string().min(1).max(300), text: z.string().max(4_000).default(''), proof: ProofInput.nullish() }))
    .max(20)
    .default([]),
});

export interface Validation {
  /** Claims whose pass is shown by a quotation; those that were passed without one, or with one that nobody recorded. */
  believed: string[];
  unquoted: string[];
  /** Claims that are said not to hold. */
  denied: string[];
  issues: Issue[];
}

/** Null: nothing that can be read. `recorded`: by claim. */
export function readValidation(
  output: string | null,
  feature: QueueFeature,
  recorded: ReadonlyMap<string, string>,
  by: string,
): Validation | null {
  const parsed = ValidationSchema.safeParse(output === null ? null : parseJson(output));
  if (!parsed.success) return null;
  const passes = parsed.data.claims.filter(({ id, pass }) => pass && feature.claims.includes(id));
  const believed = [...new Set(passes.filter(({ id, quote }) => isQuoted(quote ?? '', recorded.get(id) ?? '')).map(({ id }) => id))];
  const unquoted = [...new Set(passes.map(({ id }) => id).filter((id) => !believed.includes(id)))];
  const issues = parsed.data.issues.map(({ title, text, proof }): Issue => {
    const checked = proof === null || proof === undefined ? null : toProof(proof);
    return {
      title: plain(title),
      text: plain(text),
      proof: checked === null || (checked.tests.length === 0 && checked.command === null) ? null : { ...checked, person: false },
      by,
      feature: feature.id,
      state: 'open',
    };
  });
  const denied = [...new Set(parsed.data.claims.filter(({ id, pass }) => !pass && feature.claims.includes(id)).map(({ id }) => id))];
  return { believed, unquoted, denied, issues };
}

/** A "no" that comes without an issue is one itself: nothing shows it, and it is not lost. */
export function withDenials(validation: Validation, verdict: string | undefined, feature: QueueFeature, by: string): Validation {
  const { denied, issues } = validation;
  if (issues.length > 0 || (denied.length === 0 && verdict !== 'fail')) return validation;
  const what =
    denied.length === 0
      ? 'the work is not right, without a word about why'
      : `${denied.join(', ')} ${denied.length === 1 ? 'does' : 'do'} not hold`;
  const issue: Issue = { title: `${by} on ${feature.id}: ${what}`, text: '', proof: null, by, feature: feature.id, state: 'open' };
  return { ...validation, issues: [issue] };
}

export const SHORTEST_QUOTE = 6;

function isQuoted(quote: string, recorded: string): boolean {
  const wanted = squeeze(quote);
  return wanted.length >= SHORTEST_QUOTE && squeeze(recorded).includes(wanted);
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function plain(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
