/**
 * What an agent and the tests may see and write in the sandbox.
 *
 * 1. An agent reads everything at its own path except credentials, home's git directory, the harness's state, and the harness's
 *    other workspaces and clean rooms; it writes its workspace, its temporary directory and its backend's state directories.
 * 2. Code under test also does not see the workspaces of agents.
 */
import { join, normalize } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import type { SandboxSpec } from '../platform/sandbox.ts';
import type { Home } from './home.ts';
import { isInside } from './paths.ts';

/** Relative to the user's home directory; listed in the docs. */
export const CREDENTIAL_PATHS = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.oci',
  '.kube',
  '.docker',
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.config/doctl',
  '.config/op',
  '.config/rclone',
  '.config/containers/auth.json',
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.pypirc',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.terraform.d/credentials.tfrc.json',
  '.vault-token',
  '.password-store',
  '.local/share/keyrings',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.pgpass',
  '.my.cnf',
  '.bash_history',
  '.zsh_history',
] as const;

/** Through these, a process outside the sandbox can be made to do what one inside may not. */
export const CONTROL_PATHS = [
  '/run/user',
  '/run/docker.sock',
  '/run/containerd',
  '/run/podman',
  '/run/crio',
  '/run/libvirt',
  '/run/dbus',
] as const;

export interface SandboxPlaces {
  home: Home;
  stateDir: string;
  harnessHome: string;
}

export async function agentSandbox(
  platform: Platform,
  places: SandboxPlaces & {
    workspace: string;
    temporary: string;
    stateDirs: readonly string[];
    network: boolean;
    /** As in `tools.filesystem`. */ deniedPaths?: readonly string[];
  },
): Promise<SandboxSpec> {
  const wanted = [...places.stateDirs];
  const stateDirs: string[] = [];
  for (const path of wanted) if (await platform.files.exists(path)) stateDirs.push(path);
  return {
    writable: [places.workspace, places.temporary, ...stateDirs],
    readOnly: [join(places.workspace, '..', 'pristine.git')],
    hidden: [...hiddenFromAgents(platform, places), ...deniedInside(places.workspace, places.deniedPaths ?? [])],
    network: places.network ? 'host' : 'none',
    privateTmp: false,
  };
}

/** Denied paths of the workspace that can be named; its `.git` is the agent's own, and patterns are left to the tools. */
function deniedInside(workspace: string, deniedPaths: readonly string[]): string[] {
  const plain = deniedPaths.filter((path) => !/[*?[{]/.test(path)).map((path) => normalize(join(workspace, path)).replace(/\/+$/, ''));
  return plain.filter((path) => path.startsWith(`${workspace}/`) && path !== join(workspace, '.git'));
}

export function hiddenFromAgents(platform: Platform, places: SandboxPlaces): string[] {
  const { home, stateDir, harnessHome } = places;
  const paths = new Set([
    ...credentialPaths(platform),
    ...CONTROL_PATHS,
    home.gitDir,
    home.commonDir,
    stateDir,
    join(harnessHome, 'work'),
    join(harnessHome, 'rooms'),
    join(harnessHome, 'scratch'),
  ]);
  return [...paths].filter((path) => ![...paths].some((other) => other !== path && isInside(other, path)));
}

/** The room and the dependencies of a run are shown again by the run itself. */
export function hiddenFromTests(platform: Platform, places: SandboxPlaces): string[] {
  return hiddenFromAgents(platform, places);
}

export function credentialPaths(platform: Platform): string[] {
  const folder = platform.env['HOME'];
  return folder === undefined || folder === '' ? [] : CREDENTIAL_PATHS.map((path) => join(folder, path));
}
