/** A command at a pseudo-terminal of its own, through the program `script` of util-linux. Without that program it cannot be started. */
import { quoted } from './side-by-side.ts';

const PROGRAM = '/usr/bin/script';

/** Program and arguments. Its status is the command's; nothing is typed at it. */
export function atTerminal(file: string, args: readonly string[]): [string, string[]] {
  const command = ['exec', quoted(file), ...args.map(quoted)].join(' ');
  return ['/usr/bin/env', ['SHELL=/bin/sh', PROGRAM, '-qefc', command, '/dev/null']];
}
