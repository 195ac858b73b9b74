/** For tests only: a machine with a home of the harness's own, so that decisions can be sealed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';

export function platformWithHome(): Platform {
  const home = mkdtempSync(join(tmpdir(), 'harness-home-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return nodePlatform({ HARNESS_HOME: home });
}
