import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../../platform/bubblewrap.ts';
import { findBrowser } from '../../platform/find-browser.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { createBench, type Bench } from '../test-support.ts';
import { decodePng } from './png.ts';
import { readSteps } from './steps.ts';
import { visitTree, type Visit, type VisitResult } from './visit.ts';

const platform = nodePlatform({ PATH: process.env['PATH'], CHROME_PATH: process.env['CHROME_PATH'] });
const canVisit = (await findBrowser(platform)) !== null && (await bubblewrapHere()).noNetwork;

const SERVER = `const { createServer } = require('node:http');
const { readFileSync } = require('node:fs');
createServer((request, response) => {
  if (request.url !== '/') return response.writeHead(404).end('nothing');
  response.setHeader('content-type', 'text/html');
  response.end(readFileSync('page.html'));
}).listen(4173, '127.0.0.1');
`;
const FORM = `<!doctype html><title>Guests</title><label>Name <input id="name"></label> <button>Add</button><ul></ul>
<script>document.querySelector('button').onclick = () => {
  const item = document.createElement('li');
  item.textContent = 'Welcome, ' + document.querySelector('#name').value;
  setTimeout(() => document.querySelector('ul').append(item), 300);
};</script>`;
const STEPS = ['Fill "Name" with "Ada"', 'Click "Add"', 'Expect "Welcome, Ada"', 'Screenshot of the list'];

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.dispose());

async function visit(page: string, steps: readonly string[], startup = 'node server.cjs', files = {}): Promise<VisitResult> {
  const tree = await bench.tree({ 'server.cjs': SERVER, 'page.html': page, ...files });
  const request = { tree, room: { name: 'judge' }, url: 'http://127.0.0.1:4173/', startup, steps: readSteps(steps), allowed: [] };
  return await visitTree({ ...bench.platform, env: platform.env }, bench.context(), request);
}

async function seen(page: string, steps: readonly string[], startup?: string, files?: Record<string, string>): Promise<Visit> {
  const result = await visit(page, steps, startup, files);
  if (result.kind === 'unable') throw new Error(result.why);
  return result.visit;
}

describe.runIf(canVisit)('a visit with a real browser', () => {
  test('follows the steps on an honest page and brings a picture of it', { timeout: 60_000 }, async () => {
    const visited = await seen(FORM, STEPS);
    expect(visited).toMatchObject({ problems: [], unread: [], followed: 4, pictures: [{ name: 'list' }] });
    expect(decodePng(visited.pictures[0]!.bytes)).toMatchObject({ width: 1280, height: 720 });
  });

  test.each([
    ['only looks like it', FORM.replace("'Welcome, '", "'Hello, '"), 'does not show it'],
    [
      'has the text where nobody can see it',
      FORM.replace('item.textContent', 'item.style.opacity = 0; item.textContent'),
      'does not show it',
    ],
    ['throws behind its face', FORM.replace('setTimeout(', 'setTimeout(() => missing(), 1); setTimeout('), 'missing is not defined'],
    ['lacks a part of itself', `${FORM}<link rel="stylesheet" href="/style.css">`, '/style.css answered with status 404'],
    ['has something over its button', `${FORM}<div style="position:fixed;inset:0"></div>`, 'covers it'],
  ])('a page that %s does not pass', { timeout: 60_000 }, async (_what, page, word) => {
    expect((await seen(page, STEPS)).problems.join('\n')).toContain(word);
  });

  test('a server that ends at once is told with what it printed', { timeout: 60_000 }, async () => {
    const { problems } = await seen(FORM, STEPS, 'echo no port for me >&2; exit 3');
    expect(problems.join('\n')).toMatch(/startup command ended[\s\S]*no port for me/);
  });

  test(
    'what the page cannot tell: that it is visited, what lies in its room, who else is on the network',
    { timeout: 60_000 },
    async () => {
      const spy = `<p id="told"></p><img src="http://192.0.2.1/pixel.png"><script>
      told.textContent = navigator.webdriver + ' ' + /Headless/.test(navigator.userAgent);</script>`;
      const visited = await seen(spy, ['Expect "false false"', 'Upload a file', 'Expect "never there"']);
      expect(visited).toMatchObject({
        problems: [],
        unread: ['Upload a file', 'Expect "never there"'],
        outside: ['http://192.0.2.1/pixel.png'],
      });
    },
  );
});

test('without a browser nothing is visited, and the reason is told', async () => {
  const result = await visitTree({ ...bench.platform, env: { CHROME_PATH: '/nowhere/chromium' } }, bench.context(), {
    tree: '',
    room: { name: 'judge' },
    url: 'http://127.0.0.1:1/',
    startup: 'true',
    steps: [],
    allowed: [],
  });
  expect(result).toMatchObject({ kind: 'unable', why: expect.stringContaining('no browser is installed') });
});
