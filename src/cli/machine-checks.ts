/**
 * What this machine has, and how to get what it lacks.
 *
 * 1. `required` checks stop every session; the others only narrow what can be done or proved.
 * 2. Looking changes nothing and reaches no network.
 */
import type { BackendReport } from '../agents/contract.ts';
import { cleanText } from '../domain/clean-text.ts';
import { boundSockets } from '../platform/bound-sockets.ts';
import { BROWSER_REMEDY, findBrowser } from '../platform/find-browser.ts';
import { tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import type { LocalManager } from '../workspace/installs/manager-program.ts';
import type { Sandbox } from '../platform/sandbox.ts';

export interface MachineCheck {
  name: string;
  state: 'ok' | 'missing' | 'warning';
  required: boolean;
  detail: string;
  /** The command or step that mends it. */
  fix: string | null;
}

const LEAST_NODE = [20, 19] as const;
const LEAST_GIT = [2, 30] as const;

export function checkNode(version: string): MachineCheck {
  const enough = atLeast(version, LEAST_NODE);
  return {
    name: 'node',
    state: enough ? 'ok' : 'missing',
    required: true,
    detail: version,
    fix: enough ? null : `Node ${LEAST_NODE.join('.')} or later is needed: https://nodejs.org`,
  };
}

export async function checkGit(platform: Platform): Promise<MachineCheck> {
  const fix = `apt-get install git (Debian, Ubuntu), brew install git (macOS); ${LEAST_GIT.join('.')} or later`;
  try {
    const version = (await tryGit(platform, ['--version'], { cwd: '/' })).stdout.toString('utf8').trim().replace('git version ', '');
    const enough = atLeast(version, LEAST_GIT);
    return { name: 'git', state: enough ? 'ok' : 'missing', required: true, detail: version, fix: enough ? null : fix };
  } catch {
    return { name: 'git', state: 'missing', required: true, detail: 'not found', fix };
  }
}

export function checkSandbox(sandbox: Sandbox): MachineCheck {
  if (sandbox.hides) {
    const without = sandbox.refusesCalls
      ? ''
      : '; kernel keys, bpf and io_uring stay within reach, because this machine cannot filter system calls';
    return {
      name: 'sandbox',
      state: sandbox.refusesCalls ? 'ok' : 'warning',
      required: false,
      detail: `${sandbox.name} (${sandbox.detail})${without}`,
      fix: null,
    };
  }
  return {
    name: 'sandbox',
    state: 'warning',
    required: false,
    detail: `${sandbox.detail}. Agents and tests run unconfined, and every verdict says so`,
    fix: sandbox.remedy,
  };
}

/** Null where agents can reach no socket that was not found. */
export async function checkSockets(sandbox: Sandbox): Promise<MachineCheck | null> {
  return sandbox.hides ? describeMissed((await boundSockets()).missed) : null;
}

export function describeMissed(missed: readonly string[]): MachineCheck | null {
  if (missed.length === 0) return null;
  const named = missed.slice(0, MOST_SOCKETS).map((name) => JSON.stringify(cleanText(name)));
  const more = missed.length > MOST_SOCKETS ? ` and ${missed.length - MOST_SOCKETS} more` : '';
  return {
    name: 'sockets',
    state: 'warning',
    required: false,
    detail: `not found, so agents and tests may reach them: ${named.join(', ')}${more}`,
    fix: 'install iproute2 (its ss finds them), end the programs that listen there, or let them listen below /run or /tmp',
  };
}

const MOST_SOCKETS = 5;

/** The manager that the project's lockfile is for. */
export function checkManager({ wanted, state, fix }: LocalManager): MachineCheck {
  const name = 'package manager';
  if (state === 'found') return { name, state: 'ok', required: true, detail: wanted, fix: null };
  if (state === 'missing') return { name, state: 'missing', required: true, detail: `${wanted} is not installed`, fix };
  return { name, state: 'warning', required: false, detail: `${wanted} is not installed; the first install fetches it`, fix };
}

/** The chosen backend has to start; the others are there to choose from. */
export function checkAgent(report: BackendReport, chosen: boolean): MachineCheck {
  const state = report.can_start ? 'ok' : chosen ? 'missing' : 'warning';
  const name = `agent ${report.name}${chosen ? ' (chosen)' : ''}`;
  return {
    name,
    state,
    required: chosen,
    detail: report.version === null ? report.detail : `${report.version}, ${report.detail}`,
    fix: report.install,
  };
}

export async function checkBrowser(platform: Platform): Promise<MachineCheck> {
  const path = await findBrowser(platform);
  if (path !== null) return { name: 'browser', state: 'ok', required: false, detail: path, fix: null };
  return {
    name: 'browser',
    state: 'warning',
    required: false,
    detail: 'none found; features with something to look at are left to a person',
    fix: BROWSER_REMEDY,
  };
}

function atLeast(version: string, least: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > least[0] || (major === least[0] && minor >= least[1]);
}
