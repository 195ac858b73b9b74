/**
 * A browser for agents: what `harness doctor --fix browser` writes, and the server that it names, driven by the built-in loop. The server comes from
 * npm; where it is not installed, or there is no browser, that part is left out and says so.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { findBrowser } from '../../src/platform/find-browser.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { AGENT_CACHE, isInstalled } from '../conformance/installed-agents.ts';
import { projectWithAgent } from './calculator.ts';
import { emptyScene, git, harness, read, write, type Scene } from './support.ts';
import { HONEST_STEPS, projectOnWire, shell } from './wire.ts';

const fix = (scene: Scene): ReturnType<typeof harness> => harness(scene, 'doctor', '--fix', 'browser', '--json');

test('--fix browser writes the server once, with the browser that is there, and touches nothing else', async () => {
  const scene = await projectWithAgent('exit 1');
  const before = await read(scene, '.harness.yaml');
  scene.env['CHROME_PATH'] = '/nowhere/chromium';
  const none = await fix(scene);
  expect(none).toMatchObject({ code: 6 });
  expect(JSON.parse(none.stdout)).toMatchObject({
    fixed: false,
    browser: null,
    message: expect.stringContaining('apt-get install chromium'),
  });
  expect(await read(scene, '.harness.yaml')).toBe(before);

  const browser = join(scene.folder, 'browser');
  await writeFile(browser, '#!/bin/sh\n');
  await chmod(browser, 0o755);
  scene.env['CHROME_PATH'] = browser;
  const fixed = await fix(scene);
  expect(fixed, fixed.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(fixed.stdout)).toMatchObject({ fixed: true, browser });
  const written = await read(scene, '.harness.yaml');
  expect(written.startsWith(before.trimEnd())).toBe(true);
  expect(written).toContain('@playwright/mcp@latest');
  expect(written).toContain(browser);
  expect(await git(scene, 'diff', '--name-only')).toBe('.harness.yaml');
  expect(JSON.parse((await fix(scene)).stdout)).toMatchObject({ fixed: false, message: expect.stringContaining('already') });
  expect((await harness(scene, 'status')).code).toBe(0);
});

test('--fix says what it needs where there is no project, or something else is to be fixed', async () => {
  const scene = await emptyScene();
  const browser = join(scene.folder, 'browser');
  await mkdir(scene.project, { recursive: true });
  await writeFile(browser, '#!/bin/sh\n');
  scene.env['CHROME_PATH'] = browser;
  expect(await fix(scene)).toMatchObject({ code: 2, stderr: expect.stringContaining('harness init') });
  expect(await harness(scene, 'doctor', '--fix', 'network')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--fix knows browser'),
  });
});

const browser = await findBrowser(nodePlatform({ PATH: process.env['PATH'], CHROME_PATH: process.env['CHROME_PATH'] }));
const canDrive = isLong && browser !== null && isInstalled('playwright-mcp');

test.skipIf(!canDrive)(
  `the built-in loop visits the program with Playwright's server, and the model is shown the picture${canDrive ? '' : ' (skipped: it needs the long run, a browser, and node scripts/install-agents.mjs playwright-mcp)'}`,
  { timeout: 300_000 },
  async () => {
    const program = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Four and five</h1>'));
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(program.address() as AddressInfo).port}/`;
    const tool = (name: string, input: object): (typeof HONEST_STEPS)[number] => ({
      tools: [{ name: `mcp__playwright__${name}`, input: { ...input } }],
    });
    const { scene, server } = await projectOnWire([
      tool('browser_navigate', { url: address }),
      tool('browser_snapshot', {}),
      tool('browser_take_screenshot', {}),
      tool('browser_take_screenshot', { filename: '.harness/screenshots/page.png' }),
      tool('browser_close', {}),
      shell('true', { text: '[VISUAL:SCREENSHOT] .harness/screenshots/page.png' }),
      ...HONEST_STEPS,
    ]);
    scene.env['CHROME_PATH'] = browser!;
    expect(await fix(scene)).toMatchObject({ code: 0 });
    const playwright = join(AGENT_CACHE, 'playwright-mcp', 'node_modules', '.bin', 'playwright-mcp');
    const settings = await read(scene, '.harness.yaml');
    await write(scene, {
      '.harness.yaml': settings
        .replace(/command: npx/, `command: ${playwright}`)
        .replace(/- -y\n\s*- "?@playwright\/mcp@latest"?\n\s*/, ''),
    });
    await git(scene, 'commit', '-qam', 'A browser');
    const run = await harness(scene, 'run', '--json');
    program.close();
    expect(run, run.stdout.slice(-4000) + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    const told = JSON.stringify(server.requests.map(({ body }) => body));
    expect(told).toContain('Four and five');
    expect(told).toContain('"type":"image"');
    expect(await readdir(join(scene.project, '.harness/screenshots/session-001'))).toContain('metadata.json');
  },
);
