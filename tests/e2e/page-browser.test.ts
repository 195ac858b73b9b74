/** The page in a real browser: watched, answered, cut off, attacked and looked at by axe. Without Chromium it is not tried, and that is said. */
import { readFileSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Page as Tab } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../../src/platform/find-browser.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { projectWithAgent } from './calculator.ts';
import { askingScene, idOf, openPage, unaskedScene, type Page } from './page-support.ts';
import { hasScript, sitDown } from './sit-down.ts';
import { copyScene, git, harness, startHarness, type Scene } from './support.ts';

const executablePath = await findBrowser(nodePlatform());
if (executablePath === null)
  console.warn('Chromium is not installed here: the page was not tried in a browser. To get it: apt-get install chromium');

const SLOW_AGENT = `echo 'I look at the tests first.'
echo '{"type":"tool","name":"Read","input":{"file_path":"test/add.test.js"}}'
echo '{"type":"usage","input_tokens":2000,"output_tokens":100,"cache_read_input_tokens":30000,"cost_usd":0.12}'
while [ ! -e "$HOME/go" ]; do sleep 0.2; done
printf 'export const subtract = (a, b) => a - b;\\n' > src/subtract.js
printf "import assert from 'node:assert/strict';\\nimport { test } from 'node:test';\\nimport { subtract } from '../src/subtract.js';\\ntest('subtract gives', () => assert.equal(subtract(3, 1), 2));\\n" > test/subtract.test.js
node --test test/subtract.test.js
node -e "const f = require('fs'); f.writeFileSync('features.json', f.readFileSync('features.json', 'utf8').replace('\\"passes\\" : false', '\\"passes\\" : true'))"
`;

const SLOW = 60_000;
const TOO_WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe.runIf(executablePath !== null)('in a browser', () => {
  let browser: Browser;
  let asked: Scene;
  let quiet: Scene;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    asked = await askingScene();
    quiet = await projectWithAgent(SLOW_AGENT, { checked: true });
  });
  afterAll(() => browser?.close());

  /** A tab at the page, and every request that it made elsewhere. */
  async function open(page: Page, view = 'now', options: Parameters<Browser['newContext']>[0] = {}) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const foreign: string[] = [];
    const errors: string[] = [];
    context.on('request', (request) => {
      if (!request.url().startsWith(page.origin)) foreign.push(request.url());
    });
    const tab = await context.newPage();
    tab.setDefaultTimeout(SLOW);
    tab.on('pageerror', (error) => errors.push(error.message));
    tab.on('dialog', (dialog) => void dialog.accept());
    await tab.goto(`${page.origin}/#token=${page.token}`);
    await tab.getByRole('heading', { level: 1, name: 'Projects' }).waitFor();
    await tab.goto(`${page.origin}/#/p/${await idOf(page)}/${view}`);
    return { context, tab, foreign, errors };
  }

  const shows = async (tab: Tab, text: string | RegExp): Promise<void> => tab.getByText(text).first().waitFor({ timeout: SLOW });

  test('a run is watched from its start to the verified commit, and its process seen to die', async () => {
    const scene = await copyScene(quiet);
    const page = await openPage(scene);
    const { context, tab, foreign, errors } = await open(page);
    expect(tab.url()).not.toContain('token');
    await shows(tab, 'No session has run yet');
    const run = startHarness(scene, ['run', '--json']);
    await shows(tab, 'agent at work');
    await shows(tab, 'A user subtracts two numbers');
    await shows(tab, 'Read test/add.test.js');
    await shows(tab, '$0.12 of $10.00');
    run.child.kill('SIGKILL');
    const died = Date.now();
    await shows(tab, 'process gone');
    expect(Date.now() - died).toBeLessThan(10_000);
    await run.ended;
    await writeFile(join(scene.env['HOME']!, 'go'), '');
    const again = startHarness(scene, ['run', '--json']);
    await shows(tab, '2 of 3 features pass');
    expect(await again.ended).toMatchObject({ code: 0 });
    await tab.locator('.rows').getByText('verified').first().click();
    await shows(tab, 'landed as');
    await shows(tab, 'export const subtract');
    await shows(tab, 'went from red to green');
    const commit = (await git(scene, 'rev-parse', 'HEAD')).slice(0, 10);
    await shows(tab, `landed as ${commit}`);
    expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
    await context.close();
  });

  test('of two tabs that answer the same question one wins, and the other shows the winning answer', async () => {
    const scene = await askingScene();
    const page = await openPage(scene);
    const [one, two] = [await open(page, 'questions'), await open(page, 'questions')];
    for (const [{ tab }, option] of [
      [one, 'Accept'],
      [two, 'Reject'],
    ] as const)
      await tab.getByRole('radio', { name: option }).check();
    await one.tab.getByRole('button', { name: 'Answer: Accept' }).click();
    await shows(one.tab, 'Your answer is recorded: Accept');
    await two.tab.getByRole('button', { name: 'Answer: Reject' }).click();
    await shows(two.tab, 'It was answered meanwhile: Accept. That answer counts.');
    await one.context.close();
    await two.context.close();
  });

  test.runIf(hasScript)('a question is answered on the page while a run waits for it at a terminal', async () => {
    const scene = await unaskedScene();
    const page = await openPage(scene);
    const { context, tab } = await open(page, 'questions');
    const sitting = sitDown(scene, ['run'], []);
    await tab.getByRole('radio', { name: 'Accept' }).check({ timeout: 100_000 });
    await tab.getByRole('button', { name: 'Answer: Accept' }).click();
    await shows(tab, 'Your answer is recorded: Accept');
    expect((await sitting).code).toBe(0);
    expect(await git(scene, 'log', '-1', '--format=%(trailers:key=Harness-Feature,valueonly)')).toContain('2');
    await context.close();
  });

  test('the server ends and starts again; the tab goes on by itself', async () => {
    const scene = await askingScene();
    const page = await openPage(scene);
    const { context, tab } = await open(page);
    await shows(tab, 'One question waits for you');
    const ended = new Promise((resolve) => page.child.once('close', resolve));
    page.child.kill('SIGTERM');
    await ended;
    await shows(tab, 'server does not answer');
    const next = await openPage(scene, '--port', String(page.port));
    expect(next.port).toBe(page.port);
    await tab.getByText('server does not answer').waitFor({ state: 'detached', timeout: SLOW });
    await harness(scene, 'answer', 'project.tampering', 'Reject');
    await tab.getByText('One question waits for you').waitFor({ state: 'detached', timeout: SLOW });
    await context.close();
  });

  test('what agents and repositories name is text; a tab without access shows one line', async () => {
    const scene = await copyScene(asked);
    const hostile = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>\u202e javascript:alert(1)`;
    const at = new Date().toISOString();
    const log = join(scene.project, '.harness/logs/events.jsonl');
    const last = readFileSync(log, 'utf8').trimEnd().split('\n').length + 1_000;
    const said = [
      { type: 'session.start', session: 50, feature: 2, prompt: hostile, backend: 'b', model: hostile, workspace: '' },
      { type: 'agent.tool', session: 50, name: hostile, input: { command: hostile } },
      { type: 'agent.text', session: 50, text: `${hostile} ${'x'.repeat(10_000_000)}` },
    ];
    await appendFile(log, said.map((event, index) => `${JSON.stringify({ ts: at, seq: last + index, ...event })}\n`).join(''));
    const page = await openPage(scene);
    const { context, tab, foreign, errors } = await open(page, 'session/50');
    await shows(tab, 'window.pwned=1');
    await tab.goto(`${page.origin}/#/p/${await idOf(page)}/session/1`);
    await shows(tab, '<script>alert(1)</script>');
    expect(await tab.evaluate('window.pwned')).toBeUndefined();
    expect(await tab.locator('a[href^="javascript:"], img, iframe').count()).toBe(0);
    expect(await tab.locator('main').textContent()).not.toContain('\u202e');
    expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
    await context.close();
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(page.origin);
    await stranger.getByText('Run harness ui and open the address it prints.').waitFor();
  });

  test('a lane’s web program in the same browser reads nothing and changes nothing', async () => {
    const page = await openPage(quiet);
    const { context, tab } = await open(page);
    const id = await idOf(page);
    const lane = createServer((_request, response) => void response.setHeader('content-type', 'text/html').end('<h1>lane</h1>'));
    await new Promise<void>((resolve) => lane.listen(0, '127.0.0.1', resolve));
    const foreign = await context.newPage();
    await foreign.goto(`http://127.0.0.1:${(lane.address() as AddressInfo).port}/`);
    const tries = `Promise.all([
      fetch('${page.origin}/api/projects').then((answer) => answer.text()),
      fetch('${page.origin}/api/projects', { headers: { 'X-Harness-Token': '${page.token}' } }).then((answer) => answer.text()),
      fetch('${page.origin}/api/p/${id}/pause', { method: 'POST', mode: 'no-cors', credentials: 'include' }).then((answer) => answer.type + answer.status),
      new Promise((resolve) => { const channel = new BroadcastChannel('harness-page'); channel.onmessage = ({ data }) => resolve(JSON.stringify(data)); channel.postMessage({ ask: true }); setTimeout(() => resolve('silence'), 1000); }),
    ].map((work) => work.catch(() => 'refused')))`;
    expect(await foreign.evaluate(tries)).toEqual(['refused', 'refused', 'refused', 'silence']);
    const framed = `new Promise((resolve) => { const frame = document.createElement('iframe'); frame.src = '${page.origin}/'; frame.onload = () => { try { resolve(frame.contentDocument === null ? 'closed' : frame.contentDocument.body.textContent); } catch { resolve('closed'); } }; document.body.append(frame); })`;
    expect(await foreign.evaluate(framed)).not.toContain('harness');
    expect(JSON.parse((await harness(quiet, 'status', '--json')).stdout)).toMatchObject({ paused: false });
    lane.close();
    await tab.close();
    await context.close();
  });

  test('keys lead through the views, and every view reads well in both themes and at 360 px', async () => {
    const page = await openPage(asked);
    const id = await idOf(page);
    const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const serious: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const { context, tab } = await open(page, 'now', { colorScheme, viewport: { width: 360, height: 740 }, bypassCSP: true });
      await shows(tab, 'One question waits for you');
      await tab.keyboard.press('2');
      await tab.getByRole('heading', { level: 1, name: 'One question waits' }).waitFor();
      await tab.keyboard.press('?');
      expect(await tab.getByRole('dialog').isVisible()).toBe(true);
      await tab.keyboard.press('Escape');
      for (const view of ['now', 'questions', 'night', 'sessions', 'features', 'money', 'mission', 'session/1', 'hidden']) {
        await tab.goto(`${page.origin}/#/p/${id}/${view}`);
        await tab.getByRole('heading', { level: 1 }).waitFor();
        await tab.waitForFunction('document.querySelector("[aria-busy=true]") === null');
        const wide = Number(await tab.evaluate(TOO_WIDE));
        if (wide > 0) serious.push(`${view}: ${wide} px too wide`);
        await tab.evaluate(axe);
        const found = (await tab.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        };
        for (const { id: rule, impact, nodes } of found.violations)
          if (impact === 'serious' || impact === 'critical') serious.push(`${colorScheme} ${view}: ${rule} ${nodes[0]?.html ?? ''}`);
      }
      await context.close();
    }
    expect(serious).toEqual([]);
  });

  test('a report opens from the disk, asks for nothing and is readable on a phone', async () => {
    const file = join(asked.folder, 'night.html');
    expect(await harness(asked, 'report', '--html', file)).toMatchObject({ code: 0 });
    const context: BrowserContext = await browser.newContext({ viewport: { width: 360, height: 740 }, offline: true });
    const requests: string[] = [];
    context.on('request', (request) => requests.push(request.url()));
    const tab = await context.newPage();
    const errors: string[] = [];
    tab.on('pageerror', (error) => errors.push(error.message));
    tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await tab.goto(pathToFileURL(file).href);
    await shows(tab, 'Answer the question that waits');
    await tab.getByRole('link', { name: 'Sessions' }).click();
    await tab.locator('.rows a').first().click();
    await shows(tab, 'export const subtract');
    expect(await tab.evaluate(TOO_WIDE)).toBe(0);
    expect(await tab.getByRole('button', { name: /Pause|Stop|Answer/ }).count()).toBe(0);
    expect({ requests, errors }).toEqual({ requests: [pathToFileURL(file).href], errors: [] });
    await context.close();
  });
});

test('an agent without network cannot connect to the page', async () => {
  const scene = await copyScene(await projectWithAgent('true', { checked: true }));
  const page = await openPage(scene);
  const reach = `node -e "fetch('${page.origin}/api/projects').then((r) => console.log('reached ' + r.status), () => console.log('reached nothing'))"; cat "$HARNESS_HOME/ui.json" "${scene.env['HARNESS_HOME']}/ui.json" 2>&1 | head -3`;
  const told: string[] = [];
  for (const network of ['true', 'false']) {
    const other = await projectWithAgent(reach, { checked: true, settings: `sandbox:\n  network: ${network}\n` });
    const run = await harness(other, 'run', '--json');
    told.push(...run.events.filter(({ type }) => type === 'agent.text').map(({ text }) => String(text)));
  }
  expect(told.join('\n')).toContain('reached 403');
  expect(told.join('\n')).toContain('reached nothing');
  expect(told.join('\n')).not.toContain(page.token);
});
