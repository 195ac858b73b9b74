// The long check with every agent of scripts/install-agents.mjs (`npm run agents`): installs them into the cache, then runs all tests with real agents.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const env = { ...process.env, HARNESS_LONG_CHECK: '1' };
const tests = [
  'tests/e2e/real-agents',
  'tests/e2e/real-acp-agents',
  'tests/e2e/real-agent-flows',
  'tests/e2e/real-agent-worker',
  'tests/e2e/real-agent-mission',
  'tests/e2e/real-hosts',
  'tests/e2e/real-plugin',
  'tests/conformance',
];

const steps = [
  ['scripts/install-agents.mjs', '--all'],
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', ...tests],
];
process.exitCode = steps.every((args) => spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status === 0) ? 0 : 1;
