/**
 * What the candidate's feature list claims, measured against the trusted one.
 *
 * 1. The only change that is a claim: `passes` from false to true.
 * 2. White space, order of keys and `last_updated` are harmless; anything else is an edit, a removal or an addition.
 * 3. The candidate's text is hostile: repeated keys, `__proto__`, depth and size are refused, not interpreted.
 */
import { isDeepStrictEqual } from 'node:util';
import { featureLabel } from '../../domain/feature-name.ts';
import type { Finding } from '../../domain/verdict.ts';
import { parseStrictJson } from '../strict-json.ts';

interface ClaimInput {
  trusted: string;
  candidate: string | null;
  /** Assigned feature; null in a cleanup, where nothing may be claimed. */
  assigned: number | null;
  maxFeatures: number;
  /** Name of the list's file, for messages. */
  path: string;
}

export interface Claim {
  claimed: number[];
  findings: Finding[];
}

type Entry = Record<string, unknown>;

export function readClaim(input: ClaimInput): Claim {
  if (input.candidate === input.trusted) return conclude(input, [], []);
  if (input.candidate === null) return { claimed: [], findings: [refuse('features.removed', `${input.path} was deleted`, [input.path])] };
  const trusted = parseList(input.trusted);
  if ('problem' in trusted) throw new Error(`the trusted feature list cannot be read: ${trusted.problem}`);
  const candidate = parseList(input.candidate);
  if ('problem' in candidate)
    return {
      claimed: [],
      findings: [refuse('features.edited', `${input.path} is no longer valid: ${candidate.problem}`, [input.path])],
    };
  return compareLists(input, trusted, candidate);
}

function compareLists(input: ClaimInput, trusted: ParsedList, candidate: ParsedList): Claim {
  const findings: Finding[] = [];
  const claimed: number[] = [];
  const edited: string[] = [];
  const removed = [...trusted.features.keys()].filter((id) => !candidate.features.has(id));
  const added = [...candidate.features.keys()].filter((id) => !trusted.features.has(id));
  for (const [id, before] of trusted.features) {
    const after = candidate.features.get(id);
    if (after === undefined) continue;
    if (!isDeepStrictEqual(without(before, 'passes'), without(after, 'passes')))
      edited.push(`${featureLabel(id)}: ${changedKeys(before, after).join(', ')}`);
    const [passed, passes] = [before['passes'] ?? false, after['passes'] ?? false];
    if (passed !== passes && passes === true) claimed.push(id);
    else if (passed !== passes) edited.push(`${featureLabel(id)}: passes`);
  }
  if (!isDeepStrictEqual(trusted.rest, candidate.rest)) edited.push(...changedKeys(trusted.rest, candidate.rest));
  if (removed.length === 0 && added.length === 0 && !isDeepStrictEqual([...trusted.features.keys()], [...candidate.features.keys()]))
    edited.push('order of the features');
  if (removed.length > 0) findings.push(refuse('features.removed', `features were removed from ${input.path}`, removed.map(featureLabel)));
  if (added.length > 0) findings.push(refuse('features.added', `features were added to ${input.path}`, added.map(featureLabel)));
  if (edited.length > 0) findings.push(refuse('features.edited', `${input.path} has changes other than the claim`, edited));
  return conclude(input, claimed, findings);
}

function conclude(input: ClaimInput, claimed: number[], findings: Finding[]): Claim {
  const names = claimed.map(featureLabel);
  const own: Finding[] = [];
  if (input.assigned === null && claimed.length > 0)
    own.push(refuse('claim.wrong_feature', 'a cleanup session cannot complete features', names));
  else if (claimed.length > input.maxFeatures)
    own.push(refuse('claim.multiple', `${claimed.length} features were claimed; the limit is ${input.maxFeatures}`, names));
  else if (input.assigned !== null && claimed.length === 0)
    own.push(refuse('claim.none', `feature ${featureLabel(input.assigned)} was not marked as passing`, [featureLabel(input.assigned)]));
  else if (input.assigned !== null && !claimed.includes(input.assigned))
    own.push(refuse('claim.wrong_feature', `feature ${featureLabel(input.assigned)} was assigned, but another one was claimed`, names));
  return { claimed, findings: [...own, ...findings] };
}

interface ParsedList {
  features: Map<number, Entry>;
  rest: Entry;
}

function parseList(text: string): ParsedList | { problem: string } {
  const parsed = parseStrictJson(text);
  if ('problem' in parsed) return parsed;
  const root = parsed.value;
  if (!isEntry(root) || !Array.isArray(root['features'])) return { problem: 'it has no list of features' };
  const features = new Map<number, Entry>();
  for (const feature of root['features'] as unknown[]) {
    if (!isEntry(feature) || !Number.isSafeInteger(feature['id'])) return { problem: 'a feature has no id' };
    const id = feature['id'] as number;
    if (features.has(id)) return { problem: `feature ${featureLabel(id)} appears twice` };
    features.set(id, feature);
  }
  return { features, rest: without(without(root, 'features'), 'last_updated') };
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(entry: Entry, key: string): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== key));
}

function changedKeys(before: Entry, after: Entry): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.filter((key) => key !== 'passes' && !isDeepStrictEqual(before[key], after[key]));
}

function refuse(reason: Finding['reason'], message: string, subjects: string[]): Finding {
  return { check: 'claim', reason, weight: 'reject', message, subjects };
}
