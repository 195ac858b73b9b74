/** A look at the running program of a mission (`mission.ui_qa`). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MISSION_AGENT, planOf } from './mission-agent.ts';
import { eventsOf, harness, makeScene, type Run, type Scene } from './support.ts';

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

test('a mission that is to be looked at does not start where there is no browser', async () => {
  const at = await scene({});
  at.env['CHROME_PATH'] = '/nowhere/chromium';
  const refused = await run(at);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toMatch(/mission\.ui_qa is on, and the harness cannot look here: no browser/);
  expect(eventsOf(refused, 'session.start')).toEqual([]);
});
