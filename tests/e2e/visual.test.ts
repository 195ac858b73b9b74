/**
 * A small web program with something to look at: the agent's pictures are kept as advice, the harness looks for itself, and where it cannot, a
 * person is asked. What needs a real browser is left out, and said so, where none is installed.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { findBrowser } from '../../src/platform/find-browser.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { claim, setAgent, settingsFor } from './calculator.ts';
import { exists, gates, harness, makeScene, read, type Scene } from './support.ts';

const browser = await findBrowser(nodePlatform({ PATH: process.env['PATH'], CHROME_PATH: process.env['CHROME_PATH'] }));
const canVisit = browser !== null && (await bubblewrapHere()).noNetwork;

const FEATURES = {
  project: 'greeter',
  features: [
    {
      id: 1,
      description: 'A visitor is greeted by name',
      test_file: 'test/greet.test.js',
      visual_verification: {
        enabled: true,
        url: 'http://127.0.0.1:4180/',
        startup: 'node server.js',
        steps: ['Fill "Name" with "Ada"', 'Click "Greet"', 'Expect "Hello, Ada"', 'Screenshot of the greeting'],
      },
      automated_checks: ['node scripts/small.js', 'No console errors', 'The greeting is friendly'],
      passes: false,
    },
    { id: 2, description: 'A visitor is told the year', test_file: 'test/year.test.js', passes: false },
  ],
};

const FILES = {
  'package.json': '{ "name": "greeter", "type": "module", "scripts": { "test": "node --test" } }\n',
  'features.json': `${JSON.stringify(FEATURES, null, 2)}\n`,
  '.harness.yaml': settingsFor(''),
  'server.js': `import { createServer } from 'node:http';
import { page } from './src/page.js';
createServer((request, response) => response.setHeader('content-type', 'text/html').end(page())).listen(4180, '127.0.0.1');
`,
  'scripts/small.js': "import { page } from '../src/page.js';\nprocess.exit(page().length < 5000 ? 0 : 1);\n",
  'src/page.js': "export const page = () => '<!doctype html><title>Greeter</title><h1>Nothing yet</h1>';\n",
  'test/page.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from '../src/page.js';
test('there is a page', () => assert.match(page(), /<title>Greeter/));
`,
};

const GREET = `cat > src/greet.js <<'END'
export function greet(name) { return 'Hello, ' + name; }
END
cat > test/greet.test.js <<'END'
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from '../src/greet.js';
test('a visitor is greeted', () => assert.equal(greet('Ada'), 'Hello, Ada'));
END
node --test test/greet.test.js`;

/** `click`: the script of the button. */
const page = (click: string, colour = 'white'): string => `cat > src/page.js <<'END'
import { greet } from './greet.js';
export const page = () => '<!doctype html><title>Greeter</title><body style="background:${colour}"><label>Name <input id="name"></label>' +
  '<button>Greet</button><p id="said"></p><script>' + greet + ';document.querySelector("button").onclick = () => { ${click} };</script>';
END`;
const SHOW = 'document.querySelector("#said").textContent = greet(document.querySelector("#name").value)';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PICTURES = `mkdir -p .harness/screenshots
echo ${PIXEL} | base64 -d > .harness/screenshots/after.png
echo no picture > .harness/screenshots/fake.png
echo '[VISUAL:SCREENSHOT] .harness/screenshots/after.png'
echo '[VISUAL:SCREENSHOT] .harness/screenshots/fake.png'
echo '[VISUAL:VERIFY] the greeting stands below the field'`;

async function greeter(): Promise<Scene> {
  const scene = await makeScene(FILES);
  const adopted = await harness(scene, 'init', '--features', 'features.json');
  expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
  return scene;
}

const work = (click: string): string => `set -e\n${GREET}\n${page(click)}\n${claim(1)}`;

async function run(scene: Scene, script: string): Promise<Awaited<ReturnType<typeof harness>>> {
  await setAgent(scene, script);
  return await harness(scene, 'run', '--json');
}

test('where no browser is installed a person is asked, with the steps and the agent’s pictures', { timeout: 180_000 }, async () => {
  const scene = await greeter();
  scene.env['CHROME_PATH'] = '/nowhere/chromium';
  const asked = await run(scene, `${work(SHOW)}\n${PICTURES}`);
  expect(asked, asked.stderr).toMatchObject({ code: 8, last: { outcome: 'needs_human', reasons: ['visual.unchecked'] } });
  expect(asked.stdout).toContain('no browser is installed here');
  expect(asked.stdout).toMatch(/fake\.png of session 1 was not kept: it is neither a PNG nor a JPEG/);
  const [gate] = await gates(scene);
  expect(gate).toMatchObject({ id: 'project.manual-verify:1' });
  const text = (await harness(scene, 'gates')).stdout;
  expect(text).toContain('checked: node scripts/small.js: passed');
  expect(text).toContain('not checked by the harness itself: The greeting is friendly');
  const [, picture] = /picture by the agent: (\S+) \(1 × 1\)/.exec(text)!;
  expect(await readFile(join(scene.project, picture!))).toEqual(Buffer.from(PIXEL, 'base64'));
  expect(text).toContain('the agent says it sees: the greeting stands below the field');
  expect(JSON.parse(await read(scene, '.harness/screenshots/session-001/metadata.json'))).toMatchObject({
    session: 1,
    feature: 1,
    screenshots: [{ path: '.harness/screenshots/after.png', format: 'png', width: 1, height: 1 }],
  });
  const answered = await harness(scene, 'answer', 'project.manual-verify', 'Passed');
  expect(answered, answered.stderr).toMatchObject({ code: 0 });
  expect(await run(scene, 'exit 1')).toMatchObject({
    events: expect.arrayContaining([expect.objectContaining({ type: 'commit.created' })]),
  });
});

test('a check that the feature names refuses the work when it fails', { timeout: 180_000 }, async () => {
  const scene = await greeter();
  const refused = await run(scene, work(`${SHOW}; /* ${'x'.repeat(6_000)} */`));
  expect(refused, refused.stderr).toMatchObject({ code: 4, last: { reasons: ['check.failed'] } });
});

const SKIPPED = canVisit ? '' : ' (skipped: no browser here)';

async function landHonestPage(scene: Scene): Promise<void> {
  const honest = await run(scene, work(SHOW));
  expect(honest, honest.stdout + honest.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await readdir(join(scene.project, '.harness/pictures/1'))).toEqual(['greeting.png']);
}

test.skipIf(!canVisit)(`a page is visited: pretence is refused, and an honest one lands${SKIPPED}`, { timeout: 300_000 }, async () => {
  const scene = await greeter();
  const pretence = await run(scene, work('alert("Hello, Ada")'));
  expect(pretence, pretence.stderr).toMatchObject({ code: 4, last: { reasons: ['visual.failed'] } });
  expect(pretence.stdout).toContain('the page does not show it');
  await landHonestPage(scene);
});

test.skipIf(!canVisit)(
  `a page is visited: console errors are refused, and a changed picture is asked about${SKIPPED}`,
  { timeout: 600_000 },
  async () => {
    const scene = await greeter();
    const noisy = await run(scene, work(`${SHOW}; undefined.length`));
    expect(noisy, noisy.stderr).toMatchObject({ code: 4, last: { reasons: ['visual.failed'] } });
    expect(noisy.stdout).toContain('uncaught error: TypeError');
    await landHonestPage(scene);

    const year = `cat > src/year.js <<'END'
export function year(date) { return date.getUTCFullYear(); }
END
cat > test/year.test.js <<'END'
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { year } from '../src/year.js';
test('the year is told', () => assert.equal(year(new Date(0)), 1970));
END
node --test test/year.test.js`;
    const changed = await run(scene, `set -e\n${year}\n${page(SHOW, 'gold')}\n${claim(2)}`);
    expect(changed, changed.stdout + changed.stderr).toMatchObject({
      code: 8,
      last: { outcome: 'needs_human', reasons: ['visual.changed'] },
    });
    const text = (await harness(scene, 'gates')).stdout;
    for (const words of ['feature #1, greeting: ', 'accepted before: ', 'the difference \\([\\d.]+ %\\): '])
      expect(await exists(join(scene.project, new RegExp(`${words}([^"\\s]+)`).exec(text)![1]!))).toBe(true);
    const accepted = await harness(scene, 'answer', 'project.review', 'Accept');
    expect(accepted, accepted.stderr).toMatchObject({ code: 0 });
    const landed = await harness(scene, 'run', '--json');
    expect(landed, landed.stdout + landed.stderr).toMatchObject({ code: 0 });
  },
);
