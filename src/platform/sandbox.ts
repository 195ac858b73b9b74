/**
 * A sandbox as the rest of the house sees it: what holds for whatever runs in it. Nobody asks which one it is.
 *
 * 1. A guarantee is a promise that was tried on this machine. Who needs one asks for it before starting anything.
 * 2. There is always one. Where the machine can make none, or a person wants none, it guarantees nothing and refuses to wrap: what was
 *    meant to be confined never runs unconfined.
 */
import type { SandboxSpec, SandboxView } from './sandbox-spec.ts';

export type { SandboxSpec, SandboxView };

export interface Started {
  file: string;
  args: string[];
  /** A file that it finds open for reading, on the descriptor after its pipes. */
  open?: string;
  /** Instead of the environment that the command asks for. */
  env?: Readonly<Record<string, string>>;
}

export interface Wrapped {
  file: string;
  args: readonly string[];
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** All of the environment is set inside; the program around the command gets none of it. */
  envInside?: boolean;
  extraPipes?: number;
}

export interface Sandbox {
  readonly name: string;
  /** What is not in its spec cannot be read or written. */
  readonly hides: boolean;
  /** When the first process ends, everything that it started ends. */
  readonly diesTogether: boolean;
  /** It can leave a process alone with a loopback of its own. */
  readonly noNetwork: boolean;
  /** Calls into parts of the kernel that nothing in it needs are refused. */
  readonly refusesCalls: boolean;
  /** Where it comes from; where there is none, why. */
  readonly detail: string;
  /** What a person runs to get one; null where that would change nothing. */
  readonly remedy: string | null;
  wrap(spec: SandboxSpec, command: Wrapped): Promise<Started>;
  /** A script on a loopback network of its own that sees everything else; for sandboxes that share that network. */
  apart(script: string, cwd: string): Started;
}

/** The one for a setting. `on` and none here: the caller has to say so, for it guarantees nothing. */
export async function chosenSandbox(platform: { sandbox(): Promise<Sandbox> }, mode: 'auto' | 'on' | 'off'): Promise<Sandbox> {
  return mode === 'off' ? noSandbox('the settings switch it off') : platform.sandbox();
}

export function noSandbox(detail: string, remedy: string | null = null): Sandbox {
  const refuse = (): never => {
    throw new Error(`sandbox asked for but not available: ${detail}`);
  };
  return {
    name: 'none',
    hides: false,
    diesTogether: false,
    noNetwork: false,
    refusesCalls: false,
    detail,
    remedy,
    wrap: async () => refuse(),
    apart: refuse,
  };
}
