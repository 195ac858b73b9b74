/**
 * A process as a person's own, for the code of the project alone: what runners and rooms leave in it is out of sight.
 *
 * 1. Numbers of processes and network devices are those of any machine; nobody but the project listens, no parent has a channel, and no
 *    module of a runner is in memory.
 * 2. There is a terminal: that is the one thing that honest code looks at, so it can be left out.
 */

import machine from '../../../assets/parts/machine.cjs';
import ordinary from '../../../assets/parts/ordinary.cjs';
import ordinaryProgram from '../../../assets/parts/ordinary.py';
import terminal from '../../../assets/parts/terminal.cjs';
import terminalInPython from '../../../assets/parts/terminal.py';
import { fill } from '../../domain/fill-program.ts';

/** Numbers of processes and processors, memory and network devices, for everybody. */
export const ORDINARY_MACHINE = `\n${machine}`;

/** Statements of JavaScript; `asked()` there says whether the code of the project asks, and `isProgram` whether a test started it as a program. */
export function ordinaryProcess(keepTerminal: boolean): string {
  return `\n${machine}${ordinary}${keepTerminal ? '' : terminal}builtin('node:module').syncBuiltinESMExports();\n`;
}

/**
 * The same for Python. Packages ask the system about processes, and a fork has another number. The interpreter's own list of modules stays
 * what it is: the project's code has a view of it, through which it can change everything but what it does not see.
 */
export function ordinaryPython(room: string, keepTerminal: boolean): string {
  return `${fill(ordinaryProgram, { room: JSON.stringify(`${room}/`) })}${keepTerminal ? '' : terminalInPython}`;
}
