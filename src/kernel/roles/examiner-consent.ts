/**
 * Whether hidden tests are written here: the settings, the backend, and for a project with sessions of an earlier version, a person's word.
 *
 * 1. Asked once, and no unattended run waits for the answer: until then no hidden tests are written.
 */
import { BACKENDS } from '../../agents/registry.ts';
import { z } from '../../domain/zod.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { readFrom, writeTo } from '../../store/document.ts';
import { depthOf } from '../flight/agent-place.ts';
import type { Place } from '../place.ts';
import { usualCost } from './examiner-cost.ts';

const FILE = 'consent.json';
const ConsentSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  agreed: z.boolean(),
  at: z.string(),
});

/** `open`: a person has not been asked yet. */
export type Consent = 'agreed' | 'declined' | 'open';

type Asking = Pick<Place, 'config' | 'documents' | 'platform'>;

/** Nothing to do with consent: what the settings and the backend say. */
export function wantsHiddenTests({ config, platform }: Pick<Place, 'config' | 'platform'>): boolean {
  const { verification, agent } = config;
  if (depthOf(platform) > 0) return false;
  return verification.examiner === 'auto' ? BACKENDS[agent.backend].isExamined : verification.examiner === 'on';
}

/** Also false below an agent that the harness started. */
export async function hasHiddenTests(place: Asking): Promise<boolean> {
  return wantsHiddenTests(place) && (place.config.verification.examiner === 'on' || (await consentOf(place)) === 'agreed');
}

export async function consentOf({ documents }: Pick<Place, 'documents'>): Promise<Consent> {
  const written = await readFrom(documents.folder('hidden'), FILE, ConsentSchema, { setAside: false }).catch(() => null);
  if (written !== null) return written.agreed ? 'agreed' : 'declined';
  const last = await documents.read('last-session', { writer: false }).catch(() => null);
  return (last?.last_session ?? 0) > 0 ? 'open' : 'agreed';
}

export async function writeConsent({ documents, now }: Pick<Place, 'documents' | 'now'>, agreed: boolean): Promise<void> {
  const document: z.infer<typeof ConsentSchema> = { schema_version: 1, harness_version: HARNESS_VERSION, agreed, at: now() };
  await writeTo(documents.folder('hidden'), FILE, document);
}

/** For people: which model writes them, and what that costs a feature. */
export function hiddenTestsLine({ config }: Pick<Place, 'config'>): string {
  const usd = usualCost({ config });
  const cost = usd === null ? 'at an unknown price' : `for about $${usd.toFixed(2)} a feature`;
  return `hidden tests: written by ${config.models.examiner} ${cost}`;
}
