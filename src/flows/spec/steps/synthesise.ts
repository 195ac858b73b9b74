/** The spec itself: written from the notes alone, or from what the analysts and the critic found. */
import { fence } from '../../../domain/fence.ts';
import type { Place } from '../../../kernel/place.ts';
import { missingSections, englishHeadings, sectionHeadings } from '../../../kernel/ground/spec-sections.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { happened, type SpecPlace, type SpecReport, type StepFunction, type StepResult } from '../contract.ts';
import { writeEscalationNote } from '../../../kernel/escalation-note.ts';
import { readSpec, readWork, writeSpec } from '../files.ts';
import { callFor, earlyEnd } from '../role-call.ts';
import { say, sayIn, warn } from '../words/say.ts';
import type { SpecState } from '../machine/state.ts';
import { fenceOrNone, variablesFor } from '../words/variables.ts';

const TRIES = 3;
const ROLE = 'spec/synthesis';

export const synthesise: StepFunction = async (place, state) => {
  const words = sayIn(state.user_lang).synthesis;
  const analyses = await readAnalyses(place, state);
  if (analyses === null) {
    warn(place, sayIn(state.user_lang).analysis.lost);
    return happened({ type: 'analyses.lost' });
  }
  say(place, words.started);
  const draft = await write(place, state, { analyses, findings: '', draft: '' });
  if ('over' in draft) return draft.over;
  if (draft.text === null) return await withoutSpec(place, state);
  return happened({ type: 'synthesised', missing: draft.missing });
};

export const resynthesise: StepFunction = async (place, state) => {
  say(place, sayIn(state.user_lang).synthesis.again);
  const analyses = (await readAnalyses(place, state)) ?? '';
  const findings = (await readWork(place, 'critic_findings.md')) ?? '';
  const draft = await write(place, state, { analyses, findings, draft: (await readSpec(place, state)) ?? '' });
  if ('over' in draft) return draft.over;
  return happened(draft.text === null ? { type: 'resynthesis.failed' } : { type: 'resynthesised', missing: draft.missing });
};

/** Without a spec there is nothing to go on with: the answers stay, and a person looks. */
async function withoutSpec(place: SpecPlace, state: SpecState): Promise<StepResult> {
  const words = sayIn(state.user_lang).synthesis;
  await writeEscalationNote(place, { trigger: 'spec.halted', why: words.failed, ways: [words.failedFix] });
  const message = `${words.failed} ${words.failedFix}`;
  const end: SpecReport = { exitCode: EXIT.escalated, outcome: 'escalated', reasons: ['agent.failed'], message, next: null };
  return { kind: 'event', event: { type: 'synthesis.failed' }, end };
}

interface Sources {
  analyses: string;
  findings: string;
  /** What the findings are about. */
  draft: string;
}

type Draft = { text: string | null; missing: string[] } | { over: StepResult };

/** A draft without all seven sections is tried again like a missing one; the last one is kept and its gaps are told. */
async function write(place: SpecPlace, state: SpecState, sources: Sources): Promise<Draft> {
  const words = sayIn(state.user_lang);
  const variables = {
    ...(await variablesFor(place, state)),
    headings: headingsFor(state.user_lang),
    unconfirmed: words.unconfirmed,
    analyses: sources.analyses === '' ? '(none)' : sources.analyses,
    critic_findings: fenceOrNone('critic findings', sources.findings),
    draft: fenceOrNone('draft', sources.draft),
  };
  const call = await callFor(place, state, { role: ROLE, output: 'spec.md', variables });
  let best: { text: string; missing: string[] } | null = null;
  for (let tries = 0; tries < TRIES; tries++) {
    const result = await place.callRole(place, call);
    const over = earlyEnd(state, ROLE, result.stop);
    if (over !== null) return { over };
    if (result.output === null || result.output.trim() === '') continue;
    const missing = missingSections(result.output, state.user_lang);
    if (best === null || missing.length <= best.missing.length) best = { text: result.output, missing };
    if (missing.length === 0) break;
  }
  if (best === null) return { text: null, missing: [] };
  if (best.missing.length > 0) warn(place, words.synthesis.missing({ sections: best.missing.join(', ') }));
  await writeSpec(place, state, best.text);
  return best;
}

function headingsFor(language: string): string {
  const headings = sectionHeadings(language);
  return (headings ?? englishHeadings())
    .map((heading) => `## ${heading}`)
    .join('\n')
    .concat(headings === null ? `\n\n(translated to the language above)` : '');
}

/** The set that was really sent out; null when one of its files is gone. */
async function readAnalyses(place: Place, state: SpecState): Promise<string | null> {
  const parts: string[] = [];
  for (const { file, persona } of state.harness.analyses ?? []) {
    const text = await readWork(place, file);
    if (text === null) return null;
    parts.push(`### ${persona}\n\n${fence(file, text)}`);
  }
  return parts.join('\n\n');
}
