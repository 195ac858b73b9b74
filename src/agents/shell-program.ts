/** What `sh -c` would not find. Only a plain first word is looked at: with variables, quotes or words of the shell, only the shell can tell. */
import { isAbsolute } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import type { BackendReport } from './contract.ts';
import { findOnPath } from './installed.ts';

const PLAIN = /^\s*([\w.+@/-]+)(?=\s|$|[;&|<>])/;
const OF_THE_SHELL: ReadonlySet<string> = new Set(
  '. : alias bg break case cd command continue do echo eval exec exit export false fg for getopts hash if jobs kill local printf pwd read readonly return set shift test times trap true type ulimit umask unalias unset until wait while'.split(
    ' ',
  ),
);

/** The program of a command that is not on this machine; null where it is, or where that cannot be told. */
export async function missingProgram(platform: Platform, command: string): Promise<string | null> {
  const word = PLAIN.exec(command)?.[1];
  if (word === undefined || OF_THE_SHELL.has(word)) return null;
  if (isAbsolute(word)) return (await platform.files.exists(word)) ? null : word;
  // A path below the project: the agent's copy has it or not.
  if (word.includes('/')) return null;
  return (await findOnPath(platform, platform.env['PATH'], word)) === null ? word : null;
}

/** What can be said of a backend that is a command of the user's. `unset`: what to do where there is none. */
export async function checkCommand(platform: Platform, name: string, command: string, unset: string): Promise<BackendReport> {
  const report = { name, version: null, found: false, can_start: false };
  if (command === '') return { ...report, detail: 'agent.command is not set', install: unset };
  const missing = await missingProgram(platform, command);
  if (missing === null) return { ...report, found: true, can_start: true, detail: `starts: ${command}`, install: null };
  return {
    ...report,
    detail: `${missing} is not ${isAbsolute(missing) ? 'there' : 'on the PATH'}; agent.command is: ${command}`,
    install: `install ${missing}, or set agent.command in .harness.yaml to a command that this machine has`,
  };
}
