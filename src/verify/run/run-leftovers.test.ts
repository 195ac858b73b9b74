import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSuite } from './suite.ts';
import { createBench, type Bench } from '../test-support.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.dispose());

test('a run without a sandbox takes along what went into a session of its own', async () => {
  const mark = bench.platform.random.id(8);
  const source = `import test from 'node:test'; import assert from 'node:assert'; import { spawn } from 'node:child_process';
    const leave = (env) => { const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env: { ...env, LEFT_BEHIND: '${mark}' } }); child.unref(); return child.pid; };
    test('with its environment', () => assert.ok(leave(process.env) > 0));
    test('with nothing but the place where it stands', () => assert.ok(leave({ PATH: process.env.PATH }) > 0));`;
  const run = await runSuite(bench.platform, {
    ...bench.context({ sandbox: { mode: 'off' } }),
    tree: await bench.tree({ 'test/a.test.mjs': source }),
  });
  expect(run).toMatchObject({ sandboxed: false, consistent: true, tests: [{ status: 'passed' }, { status: 'passed' }] });
  const left = await bench.platform.processes.findByEnvironment('LEFT_BEHIND', mark);
  bench.platform.processes.kill(left);
  expect(left).toEqual([]);
});
