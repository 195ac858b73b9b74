/**
 * Claude Code through the Claude Agent SDK, which is loaded when it is used and is never installed with this package.
 *
 * A sandbox without network would cut the agent off from its model, so it is refused in words instead of failing request by request.
 */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentBackend, BackendReport } from '../contract.ts';
import type { Platform } from '../../platform/platform.ts';
import { unstartable } from '../unstartable.ts';
import { ClaudeConversation } from './conversation.ts';
import { loginFile, loginFolder } from './environment.ts';
import { loadModule } from '../../platform/load-module.ts';
import { jsonObject } from '../borrowed-files.ts';
import { findOnPath, findPackage } from '../installed.ts';
import type { AgentSdk } from './sdk-shape.ts';

export function claudeCodeBackend(): AgentBackend {
  return {
    name: 'claude-code',
    usage: 'exact',
    start: async (task, host) => {
      const search = await findSdk(host.platform);
      if (!search.found) return unstartable('start', `Claude Code cannot start: ${search.missing}. To get it: ${INSTALL_COMMAND}`);
      if (task.sandbox?.network === 'none') {
        return unstartable(
          'start',
          'Claude Code reaches its model from inside the sandbox, and sandbox.network is false. Set it to true, or use agent.backend: anthropic, whose requests are sent from outside.',
        );
      }
      return new ClaudeConversation(await loadSdk(search.sdk), search.sdk.executable, task, host);
    },
    check,
  };
}

async function check(platform: Platform): Promise<BackendReport> {
  const search = await findSdk(platform);
  if (!search.found)
    return {
      name: 'claude-code',
      found: false,
      version: search.version,
      can_start: false,
      detail: search.missing,
      install: INSTALL_COMMAND,
    };
  const { version, executable } = search.sdk;
  const program = executable === null ? 'comes with its own program' : `starts ${executable}`;
  const folder = loginFolder(platform.env);
  const loggedIn = folder === null || process.platform !== 'linux' || (await platform.files.exists(loginFile(folder)));
  return {
    name: 'claude-code',
    found: true,
    version,
    can_start: loggedIn,
    detail: loggedIn ? `Claude Agent SDK, ${program}` : `Claude Agent SDK, ${program}; it is not logged in`,
    install: loggedIn ? null : 'run claude and log in, or set ANTHROPIC_API_KEY',
  };
}

const SDK_PACKAGE = '@anthropic-ai/claude-agent-sdk';
/** Where the Claude Agent SDK lies on this machine, the program it starts, and how to get them. */
const INSTALL_COMMAND = `npm install --global ${SDK_PACKAGE}@0.3.325`;

interface FoundSdk {
  version: string;
  entry: string;
  /** null: the program that the SDK brings along. */
  executable: string | null;
}

type SdkSearch = { found: true; sdk: FoundSdk } | { found: false; version: string | null; missing: string };

async function findSdk(platform: Platform): Promise<SdkSearch> {
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

async function loadSdk(sdk: FoundSdk): Promise<AgentSdk> {
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
