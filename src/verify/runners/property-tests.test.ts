import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSuite } from '../run/suite.ts';
import { createBench, type Bench } from '../test-support.ts';

let bench: Bench;
beforeAll(async () => void (bench = await createBench()));
afterAll(() => bench.dispose());

function hasHypothesis(): boolean {
  try {
    execFileSync('python3', ['-c', 'import hypothesis, pytest'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const PHASES = "[one.name for one in settings.default.phases if one.name in ('generate', 'shrink')]";

test.skipIf(!hasHypothesis())('a property that fails is not made small, whatever profile the project loads', async () => {
  const tree = await bench.tree({
    'conftest.py': "from hypothesis import settings\nsettings.register_profile('own', max_examples=7)\nsettings.load_profile('own')\n",
    'test_one.py': `from hypothesis import settings


def test_phases():
    assert ${PHASES} == ['generate']
    assert settings.default.max_examples == 7
`,
  });
  const run = await runSuite(bench.platform, { ...bench.context({ testing: { full: 'python3 -m pytest' } }), tree });
  expect(run.tests).toMatchObject([{ status: 'passed' }]);
});
