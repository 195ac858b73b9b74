/** A browser for agents: what `harness doctor --fix browser` writes, and what it says where it cannot. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectWithAgent } from './calculator.ts';
import { emptyScene, git, harness, read, type Scene } from './support.ts';

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
