/** What a step needs before it can be asked for. */
import { usageError } from '../../../domain/errors.ts';
import type { Bench } from '../bench.ts';
import { PHASES, type Phase, type Step } from '../contract.ts';
import { documentPath, hasDocument, readDocumentText, type DocumentName } from '../documents.ts';

const NEEDS: Readonly<Record<Exclude<Step, 'plan'>, { from: Phase; files: readonly DocumentName[]; first: Exclude<Step, 'evaluate'> }>> = {
  generate: { from: 'plan_done', files: ['spec.md'], first: 'plan' },
  verify: { from: 'generate_done', files: ['changes.md'], first: 'generate' },
  evaluate: { from: 'verify_done', files: ['spec.md', 'changes.md', 'verify_report.md'], first: 'verify' },
};

/** What is missing, in the user's language; null when the step can begin. */
export async function missingFor({ place, session, words }: Bench, step: Exclude<Step, 'plan'>): Promise<string | null> {
  const { from, files, first } = NEEDS[step];
  if (PHASES.indexOf(session.phase) < PHASES.indexOf(from)) return words.missing[first];
  for (const name of files) if (!(await hasDocument(place, session, name))) return words.missing[first];
  if (files.includes('spec.md')) requireSpec(session, await readDocumentText(place, session, 'spec.md'));
  return null;
}

/** Nothing is built from a spec that says nothing. */
export function requireSpec(session: Pick<Bench['session'], 'docs_path'>, spec: string | null): void {
  if ((spec ?? '').trim() !== '') return;
  throw usageError(
    `${documentPath(session, 'spec.md')} is empty.`,
    'Write the spec there, or have it written again: harness answer workflow.spec Modify --text "what it should say"',
  );
}
