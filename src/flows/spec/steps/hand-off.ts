/**
 * After the approval: keep the documents, ask what comes next, clean up, hand on.
 *
 * 1. The documents are kept before anything is asked or removed, and a second time is as good as the first.
 * 2. Where they cannot be kept nothing is removed.
 */
import { join } from 'node:path';
import { ask } from '../../../gates/ask-for.ts';
import { HarnessError } from '../../../domain/errors.ts';
import { EXIT } from '../../../domain/reasons.ts';
import type { Place } from '../../../kernel/place.ts';
import { type SpecReport, type StepFunction } from '../contract.ts';
import { cleanUp, docsError, readWork, refusedDocsPath, specPath, writeDocumentFile } from '../files.ts';
import { nextGate } from '../people/gates.ts';
import { say, sayIn } from '../words/say.ts';
import type { SpecState } from '../machine/state.ts';

export const handOff: StepFunction = async (place, state) => {
  const words = sayIn(state.user_lang);
  const kept = await keepDocuments(place, state);
  say(place, `${words.complete}\n  ${specPath(state)}`);
  const gate = nextGate(state.user_lang);
  const answer = await ask(place, gate);
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  if (answer.option === null) return { kind: 'again' };
  say(place, words.handOff.kept({ files: kept.join(', ') }));
  if (state.branch !== null) say(place, words.handOff.onBranch({ branch: state.branch }));
  if (answer.option === 'Start /workflow') say(place, words.handOff.later({ line: workflowLine(state) }));
  await cleanUp(place);
  return { kind: 'ended', report: reportOf(state, answer.option) };
};

/** What the seeds of a later build need, copied next to the spec. */
export async function keepDocuments(place: Place, state: SpecState): Promise<string[]> {
  const refusal = await refusedDocsPath(place, state.docs_path);
  if (refusal !== null) throw docsError(state, refusal);
  if (!(await place.platform.files.exists(join(place.root, specPath(state)))))
    throw new HarnessError(docsError(state, `${specPath(state)} is not there`).message, { exitCode: EXIT.usage });
  const kept = ['spec.md'];
  for (const name of ['qa_notes.md', 'critic_findings.md', 'conventions.md']) {
    const text = name === 'conventions.md' ? await place.documents.readText('conventions') : await readWork(place, name);
    if (text === null) continue;
    await writeDocumentFile(place, state, `${state.docs_path}${name}`, text);
    kept.push(name);
  }
  return kept;
}

function reportOf(state: SpecState, option: string): SpecReport {
  const words = sayIn(state.user_lang).handOff;
  const report = (message: string, next: SpecReport['next']): SpecReport => ({
    exitCode: EXIT.done,
    outcome: 'complete',
    reasons: [],
    message,
    next,
  });
  if (option === 'Start /workflow') return report('', { flow: 'workflow', task: workflowTask(state), outputDir: state.docs_path });
  if (option === 'Start /project') return report('', { flow: 'project', spec: specPath(state) });
  return report(words.later({ line: workflowLine(state) }), null);
}

/** The directory is named, so that the workflow finds what lies there instead of making one of its own. */
function workflowLine(state: SpecState): string {
  return `harness workflow --output-dir ${state.docs_path} ${JSON.stringify(workflowTask(state))}`;
}

function workflowTask(state: SpecState): string {
  return sayIn(state.user_lang).handOff.task({ path: specPath(state) });
}
