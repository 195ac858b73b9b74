/** Hidden tests, as checks of the table: what they find, and what they prove. */
import type { Check } from '../check.ts';
import { examine } from '../examine/examine.ts';
import { rerunKept } from '../examine/kept.ts';
import { isProved, weakOwnTests } from '../examine/proof.ts';

export const EXAMINER: Check = {
  id: 'examiner',
  title: 'examiner',
  weight: 'ask',
  after: ['behaviour'],
  cost: 'model',
  applies: ({ examiner, mode }) => examiner !== undefined && mode === 'feature',
  run: examine,
  doc: 'Hidden tests, written from the description by an examiner that never sees code or tests, pass. Only if `verification.examiner` is on.',
};

export const KEPT_HIDDEN: Check = {
  id: 'examiner/kept',
  title: null,
  weight: 'ask',
  after: ['examiner'],
  cost: 'trial',
  applies: ({ hidden }) => hidden !== undefined,
  run: rerunKept,
  doc: 'Hidden tests of accepted features still pass, if they reach the change.',
};

export const HIDDEN_PROOF: Check = {
  id: 'hidden-proof',
  title: null,
  weight: 'warn',
  after: ['red', 'repeat', 'controls', 'neutral', 'controls/unproved', 'examiner'],
  cost: 'trial',
  applies: (_judged, facts) => weakOwnTests(facts.findings).length > 0 && facts.proving.length > 0,
  run: async (judged, facts) => ({ findings: [], detail: '', facts: { isProvedByHidden: await isProved(judged, facts) } }),
  doc: "Finds out whether hidden tests prove the feature. If they do, weaknesses of the feature's own tests become warnings.",
};
