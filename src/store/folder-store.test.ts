import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { folderStore } from './folder-store.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'harness folder-store-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('what another process is writing is not listed: its seal fits the name that it will have', async () => {
  const shelf = folderStore(nodePlatform({ HARNESS_HOME: join(folder, 'home') }), join(folder, 'state')).in('requests');
  await shelf.write('000001-skip-ab12.json', '{}');
  mkdirSync(join(folder, 'state/requests'), { recursive: true });
  writeFileSync(join(folder, `state/requests/.harness-tmp-000002-skip-ab13.json-p${process.pid}-0a1b2c3d`), '{"whole":true}');
  expect(await shelf.list()).toEqual(['000001-skip-ab12.json']);
});
