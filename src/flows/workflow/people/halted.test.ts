import { expect, test } from 'vitest';
import { benchFor } from '../bench.ts';
import { newSession } from '../test-support.ts';
import { suggestion, halted } from './status.ts';

test.each(['en', 'de'])('after a failed layer 1 the step that ends and the bare command name the same next command (%s)', (user_lang) => {
  const start = newSession();
  const verify = { ...start.verify, layer1_result: 'FAIL' as const };
  const session = { ...start, phase: 'verify_done' as const, verify, user_lang, docs_path: 'docs/harness/x/' };
  const bench = benchFor({ emit: () => {} } as never, session as never);
  const next = suggestion(bench);
  expect(next).toContain('harness workflow generate');
  expect(halted(bench, { type: 'advance' } as never)).toMatchObject({
    outcome: 'rejected',
    message: expect.stringContaining(next) as string,
  });
});
