/** Where the Claude Agent SDK lies on this machine, the program it starts, and how to get them. */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadModule } from '../../platform/load-module.ts';
import type { Platform } from '../../platform/platform.ts';
import { jsonObject } from '../borrowed-files.ts';
import { findOnPath, findPackage } from '../installed.ts';
import type { AgentSdk } from './sdk-shape.ts';

export const SDK_PACKAGE = '@anthropic-ai/claude-agent-sdk';
export const INSTALL_COMMAND = `npm install --global ${SDK_PACKAGE}@0.3.325`;

export interface FoundSdk {
  version: string;
  entry: string;
  /** null: the program that the SDK brings along. */
  executable: string | null;
}

export type SdkSearch = { found: true; sdk: FoundSdk } | { found: false; version: string | null; missing: string };

export async function findSdk(platform: Platform): Promise<SdkSearch> {
  const installed = await findPackage(platform, 'claude-code', SDK_PACKAGE);
  if (installed === null) return { found: false, version: null, missing: `${SDK_PACKAGE} is not installed` };
  const { folder, version } = installed;
  const entry = join(folder, entryOf(await platform.files.readText(join(folder, 'package.json'))));
  if (await bringsProgram(platform, folder)) return { found: true, sdk: { version, entry, executable: null } };
  const executable = await findOnPath(platform, platform.env['PATH'], 'claude');
  if (executable !== null) return { found: true, sdk: { version, entry, executable } };
  return {
    found: false,
    version,
    missing: `${SDK_PACKAGE} is installed without its program (an optional package for this system), and there is no claude on the PATH`,
  };
}

export async function loadSdk(sdk: FoundSdk): Promise<AgentSdk> {
  return (await loadModule(pathToFileURL(sdk.entry).href)) as AgentSdk;
}

function entryOf(manifest: string): string {
  const main = jsonObject(manifest)?.['main'];
  return typeof main === 'string' ? main : 'sdk.mjs';
}

async function bringsProgram(platform: Platform, folder: string): Promise<boolean> {
  const name = `claude-agent-sdk-${process.platform}-${process.arch}`;
  for (const packageName of [name, `${name}-musl`]) {
    for (const place of [dirname(folder), join(folder, 'node_modules', '@anthropic-ai')]) {
      if (await platform.files.exists(join(place, packageName))) return true;
    }
  }
  return false;
}
