/** The benchmark that calls the product's own functions, with arguments that no compiler checks. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('npm run bench -- planning measures planning', async () => {
  const script = fileURLToPath(new URL('../scripts/bench.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, 'planning', '--quick', '--json']);
  const { rows } = JSON.parse(stdout) as { rows: { name: string; figure: string }[] };
  expect(rows.map(({ figure }) => figure)).toEqual([
    expect.stringMatching(/ ms \(next .* ms, circles .* ms, blocked .* ms\)$/),
    expect.stringMatching(/ ms$/),
    expect.stringMatching(/^[1-9]\d* tokens$/),
  ]);
});
