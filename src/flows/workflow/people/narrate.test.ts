/** What a person reads when a phase is over: nothing that failed is called complete, and nothing is said twice. */
import { expect, test } from 'vitest';
import type { HarnessEvent } from '../../../domain/event.ts';
import { CATALOGUE_LANGUAGES } from '../../../domain/read-words.ts';
import { benchFor } from '../bench.ts';
import type { Session } from '../session.ts';
import { phaseLabel, suggestion, halted } from './status.ts';
import { narrate } from './narrate.ts';
import { newSession } from '../test-support.ts';

function session(change: Partial<Session>): Session {
  const rest = { task: 'T', docs_path: 'docs/harness/t/', user_lang: 'en', mode: 'single', rules: { legacy: null } };
  return { ...newSession(), ...rest, ...change } as Session;
}

function told(before: Session, after: Session, event: Parameters<typeof narrate>[2]): { events: HarnessEvent[]; text: string } {
  const events: HarnessEvent[] = [];
  narrate(benchFor({ emit: (one: HarnessEvent) => void events.push(one) } as never, after), before, event);
  return { events, text: events.map((one) => (one.type === 'progress' ? one.message : '')).join('\n') };
}

const failed = (language: string): Session => {
  const base = session({ phase: 'verify_done', user_lang: language, run_style: 'auto' });
  return {
    ...base,
    verify: { ...base.verify, layer1_result: 'FAIL', layer1_retries: 0 },
    harness: { ...base.harness, summary: 'FAIL — test: one' },
  };
};

test.each(CATALOGUE_LANGUAGES)('a failed layer 1 is not called complete anywhere (%s)', (language) => {
  const after = failed(language);
  const bench = benchFor({ emit: () => {} } as never, after);
  const { text, events } = told({ ...after, phase: 'verifying' }, after, {
    type: 'checked',
    result: 'FAIL',
    summary: 'FAIL — test: one',
    tree: 't',
  });
  const end = halted(bench, { type: 'checked', result: 'FAIL', summary: '', tree: 't' });
  const all = [text, phaseLabel(bench, after), suggestion(bench), end.message, JSON.stringify(events[0])].join('\n');
  expect(all).toContain('FAIL — test: one');
  for (const word of [bench.words.complete.verify, bench.common.workflowPhases.verify_done, bench.words.next.evaluate])
    expect(all).not.toContain(word);
  expect(all).not.toMatch(/complete/i);
  expect(end).toMatchObject({ outcome: 'rejected', exitCode: 4 });
});

test('a retry does not tell again what failed', () => {
  const before = failed('en');
  const harness = { ...before.harness, retry: { layer: 1 as const, failure: 'FAIL — test: one' } };
  const after = { ...before, phase: 'generating' as const, verify: { ...before.verify, layer1_retries: 2 }, harness };
  const { text, events } = told(before, after, { type: 'advance' });
  expect(text).toContain('attempt 2/3');
  expect(text).not.toContain('test: one');
  expect(events[0]).toMatchObject({ type: 'flow.phase', language: 'en', round: { number: 1, of: 3 }, retry: 2 });
});
