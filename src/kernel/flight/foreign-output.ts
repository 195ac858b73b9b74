/** What a command of the project printed when it failed: one line for people, and all of it in the logs. */
import { isAbsolute, relative } from 'node:path';
import { firstErrorLine } from '../../domain/first-error.ts';
import type { RoomCommandResult } from '../../verify/run/room-command.ts';
import type { FlightPlace } from './contract.ts';

/** As the shell reports it. */
const MISSING = /^(?:\S+: )?(?:line )?(?:\d+: )?([\w@./-]+): (?:command )?not found$/m;

const NPX = /^npx (?:-\S+ )*([\w@./-]+)/;
/** What npx reports of a package that it would have to fetch. */
const OUT_OF_REACH = /\bENOTCACHED\b|\bEAI_AGAIN\b|\bENOTFOUND\b/;

type Ended = Pick<RoomCommandResult, 'exit_code' | 'timed_out' | 'output'>;

/** `"npm run lint" failed with status 1: src/a.js: 1:2 error …` */
export function failureOf(command: string, { exit_code, timed_out, output }: Ended): string {
  const missing = missingProgram(command, { exit_code, output });
  if (missing !== undefined) return `"${command}" needs ${missing}, which is not installed`;
  const how = timed_out ? 'timed out' : exit_code === null ? 'was ended by a signal' : `failed with status ${exit_code}`;
  const line = firstErrorLine(output);
  return `"${command}" ${how}${line === '' ? ' and printed nothing' : `: ${line}`}`;
}

function missingProgram(command: string, { exit_code, output }: Pick<Ended, 'exit_code' | 'output'>): string | undefined {
  if (exit_code === 127) return MISSING.exec(output)?.[1];
  return exit_code !== 0 && OUT_OF_REACH.test(output) ? NPX.exec(command)?.[1] : undefined;
}

/** The path of the log, as a person at the project's root names it. */
export async function keepOutput({ root, shelf }: Pick<FlightPlace, 'root' | 'shelf'>, name: string, output: string): Promise<string> {
  const file = `output-${name.replaceAll(/[^\w-]+/g, '-')}.txt`;
  await shelf.in('logs').write(file, output);
  const path = shelf.in('logs').where(file);
  return isAbsolute(path) ? relative(root, path) : path;
}
