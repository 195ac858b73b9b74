/** What needs a person waits, and an unattended run goes on with the rest: several questions at once, answered and landed later. */
import { expect, test } from 'vitest';
import { projectWithAgent, setAgent } from './calculator.ts';
import { eventsOf, gates, git, harness, read, type Run, type Scene } from './support.ts';

const NAMES = { 1: 'add', 2: 'subtract', 3: 'multiply', 4: 'divide', 5: 'negate', 6: 'power' };
const FEATURES = JSON.stringify({
  project: 'calculator',
  features: Object.entries(NAMES).map(([id, name]) => ({
    id: Number(id),
    description: `A user can ${name}`,
    test_file: `test/${name}.test.js`,
    passes: id === '1',
    ...(id === '5' ? { depends_on: [2] } : {}),
  })),
});

/** Builds what it is asked for; 2 and 4 also change a protected file, each another line, and 6 is beyond it. */
const AGENT = `set -e
name=$(basename "$HARNESS_TEST_FILE" .test.js)
cat > "src/$name.js" <<END
export const $name = (a) => a + $HARNESS_FEATURE_ID;
END
cat > "$HARNESS_TEST_FILE" <<END
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { $name } from '../src/$name.js';
test('$name', () => assert.equal($name(1), 1 + $HARNESS_FEATURE_ID));
END
if [ "$HARNESS_FEATURE_ID" = 2 ]; then sed -i '1i logs/' .gitignore; fi
if [ "$HARNESS_FEATURE_ID" = 4 ]; then echo 'caches/' >> .gitignore; fi
if [ "$HARNESS_FEATURE_ID" = 6 ]; then echo 'export const power = () => 0;' > src/power.js; fi
node --test "$HARNESS_TEST_FILE" || true
echo '# pass 1'
node -e 'const fs=require("fs"); const l=JSON.parse(fs.readFileSync("features.json","utf8")); l.features.find((f) => f.id === Number(process.env.HARNESS_FEATURE_ID)).passes = true; fs.writeFileSync("features.json", JSON.stringify(l));'
`;

const IGNORED = 'private/\none/\ntwo/\nthree/\nfour/\n';

function ends(run: Run): unknown[] {
  return eventsOf(run, 'session.end').map((event) => [event['feature'], event['outcome']]);
}

async function states(scene: Scene): Promise<Record<string, unknown>> {
  const rows = JSON.parse((await harness(scene, 'features', '--json')).stdout) as { id: number; state: string }[];
  return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
}

test('a night goes on past three questions, and each answer lands or ends its own', async () => {
  const files = { 'features.json': FEATURES, '.gitignore': IGNORED };
  const scene = await projectWithAgent(AGENT, { checked: true, files, settings: 'features:\n  max_stuck_sessions: 2\n' });
  const night = await harness(scene, 'run', '--until-done', '--json');
  expect(night, night.stdout + night.stderr).toMatchObject({ code: 3, last: { outcome: 'escalated' } });
  expect(ends(night)).toEqual([
    [2, 'needs_human'],
    [3, 'verified'],
    [4, 'needs_human'],
    [6, 'rejected'],
    [6, 'escalated'],
  ]);
  for (const id of ['project.tampering:2', 'project.tampering:4', 'project.repeated-failures:6'])
    expect(night.last?.['message']).toContain(`harness answer ${id} OPTION`);
  expect((await gates(scene)).map(({ id }) => id)).toEqual(['project.tampering:2', 'project.tampering:4', 'project.repeated-failures:6']);
  expect(await states(scene)).toEqual({ 1: 'verified', 2: 'waiting', 3: 'verified', 4: 'waiting', 5: 'blocked', 6: 'needs a person' });

  expect((await harness(scene, 'answer', 'project.tampering', 'Accept')).code).toBe(2);
  expect((await harness(scene, 'run', '--json')).code).toBe(8);
  expect((await harness(scene, 'answer', 'project.tampering:2', 'Accept')).code).toBe(0);
  const morning = await harness(scene, 'run', '--until-done', '--json');
  expect(morning, morning.stdout + morning.stderr).toMatchObject({ code: 3 });
  expect(ends(morning)).toEqual([[5, 'verified']]);
  expect(eventsOf(morning, 'commit.created')).toMatchObject([{ feature: 2 }, { feature: 5 }]);
  expect((await gates(scene)).map(({ id }) => id)).toEqual(['project.tampering:4', 'project.repeated-failures:6']);
  expect(await read(scene, 'src/multiply.js')).toContain('multiply');

  expect((await harness(scene, 'answer', 'project.tampering', 'Accept')).code).toBe(0);
  expect((await harness(scene, 'answer', 'project.repeated-failures', 'Retry', '--text', 'add six')).code).toBe(0);
  await setAgent(
    scene,
    AGENT.replace('if [ "$HARNESS_FEATURE_ID" = 6 ]; then echo \'export const power = () => 0;\' > src/power.js; fi', ''),
  );
  const noon = await harness(scene, 'run', '--until-done', '--json');
  expect(noon, noon.stdout + noon.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(ends(noon)).toEqual([[6, 'verified']]);
  expect(await read(scene, '.gitignore')).toMatch(/^logs\/\nprivate\/\n(?:.+\n)*caches\/\n$/);
  expect(await states(scene)).toEqual(Object.fromEntries(Object.keys(NAMES).map((id) => [id, 'verified'])));
  expect(await git(scene, 'status', '--porcelain')).toBe('?? untracked.txt');
});
