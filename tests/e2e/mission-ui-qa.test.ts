/** A look at the running program of a mission: the harness starts the judged tree and visits it; what does not work there is held back. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { findBrowser } from '../../src/platform/find-browser.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { MISSION_AGENT, planOf } from './mission-agent.ts';
import { eventsOf, git, harness, makeScene, type Run, type Scene } from './support.ts';

const browser = await findBrowser(nodePlatform({ PATH: process.env['PATH'], CHROME_PATH: process.env['CHROME_PATH'] }));
const canVisit = isLong && browser !== null && (await bubblewrapHere()).noNetwork;

const FILES = {
  'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "node --test" } }\n',
  'server.js': `import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
const page = '<!doctype html><title>Sums</title><link rel="icon" href="data:,"><h1>Sums</h1><p id="sum">nothing yet</p><script type="module">' +
  (existsSync('src/ff001.js') ? 'import { ff001 } from "/src/ff001.js"; document.querySelector("#sum").textContent = "three gives " + ff001(3);' : '') + '</script>';
createServer((request, response) =>
  request.url.startsWith('/src/')
    ? response.setHeader('content-type', 'text/javascript').end(readFileSync('.' + request.url))
    : response.setHeader('content-type', 'text/html').end(page),
).listen(4184, '127.0.0.1');
`,
  'test/base.test.js': "import { test } from 'node:test';\ntest('base', () => {});\n",
  'SPEC.md': '# Sums\n\nDouble and add.\n',
  '.gitignore': '.harness/\n',
  '.harness.yaml': `project:
  name: calc
testing:
  full: npm test
agent:
  backend: command
  command: node "$HOME/agent.mjs"
mission:
  smoke_test:
    startup_cmd: node server.js
  ui_qa:
    enabled: true
    url: http://127.0.0.1:4184/
`,
};

async function scene(lies: object): Promise<Scene> {
  const at = await makeScene(FILES);
  const home = at.env['HOME']!;
  await writeFile(join(home, 'agent.mjs'), MISSION_AGENT);
  await writeFile(join(home, 'plan.json'), JSON.stringify(planOf(1)));
  await writeFile(join(home, 'lies.json'), JSON.stringify(lies));
  return at;
}

const run = (at: Scene, ...args: string[]): Promise<Run> => harness(at, 'mission', 'run', '--spec', 'SPEC.md', '--json', ...args);
const visits = (from: Run): unknown[] => eventsOf(from, 'preflight.check').filter(({ name }) => name === 'ui-qa');

test('a mission that is to be looked at does not start where there is no browser', async () => {
  const at = await scene({});
  at.env['CHROME_PATH'] = '/nowhere/chromium';
  const refused = await run(at);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toMatch(/mission\.ui_qa is on, and the harness cannot look here: no browser/);
  expect(eventsOf(refused, 'session.start')).toEqual([]);
});

test.skipIf(!canVisit)(
  `the judged tree is started and visited: code that only works in its tests is held back, what works lands with a picture${canVisit ? '' : ' (skipped: it needs the long run, a browser and a sandbox)'}`,
  { timeout: 600_000 },
  async () => {
    const at = await scene({ 'worker F-001': 'not in a browser' });
    const held = await run(at, '--max-iterations', '6');
    expect(held.code, held.stderr).not.toBe(0);
    expect(visits(held)).toContainEqual(
      expect.objectContaining({ state: 'failed', detail: expect.stringContaining('process is not defined') }),
    );
    expect(await git(at, 'log', '--format=%s')).toBe('Start');

    const other = await scene({});
    const done = await run(other);
    expect(done, done.stdout.slice(-4000) + done.stderr).toMatchObject({ code: 0 });
    expect(visits(done)).toContainEqual(expect.objectContaining({ state: 'passed' }));
    const [folder] = (await readdir(join(other.project, '.harness/screenshots'))).filter((name) => name.startsWith('ui-qa'));
    const [picture] = await readdir(join(other.project, '.harness/screenshots', folder!));
    const bytes = await readFile(join(other.project, '.harness/screenshots', folder!, picture!));
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001a\n');
    const asked = eventsOf(done, 'session.start').map(({ prompt }) => prompt);
    expect(asked).toContain('ui-qa');
  },
);
