/**
 * One command beside a server, on a loopback network that they share with nobody else.
 *
 * 1. Server, check and command each have a sandbox of their own: neither sees the processes of the others, and each writes what its spec says.
 * 2. The command runs once the server's command has ended well and the check succeeds. Where that does not happen in time it runs all the
 *    same, and `notePath` says why; without such a note the server was there.
 * 3. When the command ends, everything ends.
 * 4. The script around them sees the whole machine: it has an environment of the harness's own, and theirs is set inside their sandboxes.
 * 5. The script has the file that sandboxes want open, and each of them opens it anew.
 */
import type { Sandbox, SandboxSpec, Started } from './sandbox.ts';
import { FIRST_EXTRA } from './spawn-started.ts';

interface Placed {
  file: string;
  args: readonly string[];
  sandbox: SandboxSpec;
  /** Where it runs; absent: where the server does. */
  cwd?: string;
}

export interface SideBySide {
  cwd: string;
  /** Of server, check and command. */
  env: Readonly<Record<string, string>>;
  /** Shell commands; what `start` leaves in the background is the server. */
  server: { start: string; check: string; sandbox: SandboxSpec };
  command: Placed;
  /** The server's sandbox may write it: it says that `start` has ended well. */
  readyPath: string;
  /** No sandbox may write it. */
  notePath: string;
  /** How long `check` may fail after `start` has ended. */
  patienceSeconds: number;
  /** Where the first part of what the server prints is kept; no sandbox may write it. Absent: nowhere. */
  outputPath?: string;
}

const MOST_OUTPUT_BLOCKS = 16;

/** `path`: where the script finds its programs. */
export async function sideBySide(sandbox: Sandbox, plan: SideBySide, path: string): Promise<Started> {
  const { cwd, env, server, command } = plan;
  const wrap = async (one: Placed): Promise<string> => {
    const wrapped = await sandbox.wrap(
      { ...one.sandbox, network: 'host' },
      { ...one, cwd: one.cwd ?? cwd, env, envInside: true, extraPipes: 1 },
    );
    const words = [wrapped.file, ...wrapped.args].map(quoted).join(' ');
    return wrapped.open === undefined ? words : `${words} ${FIRST_EXTRA + 1}< /proc/self/fd/${FIRST_EXTRA} ${FIRST_EXTRA}<&-`;
  };
  const inServer = (script: string): Promise<string> => wrap({ file: '/bin/sh', args: ['-c', script], sandbox: server.sandbox });
  const kept =
    plan.outputPath === undefined
      ? '> /dev/null 2>&1'
      : `2>&1 | { dd bs=4096 count=${MOST_OUTPUT_BLOCKS} 2> /dev/null; cat > /dev/null; } > ${quoted(plan.outputPath)} 2>&1`;
  const script = [
    `${await inServer(`( ${server.start}\n) && : > ${quoted(plan.readyPath)} && while :; do sleep 3600; done`)} < /dev/null ${kept} &`,
    'server=$!',
    `while [ ! -e ${quoted(plan.readyPath)} ] && kill -0 "$server" 2> /dev/null; do sleep 0.05; done`,
    `if [ ! -e ${quoted(plan.readyPath)} ]; then echo start > ${quoted(plan.notePath)}; else`,
    `  until=$(( $(date +%s) + ${plan.patienceSeconds} ))`,
    `  until ${await inServer(server.check)} > /dev/null 2>&1 < /dev/null; do`,
    `    if [ "$(date +%s)" -ge "$until" ]; then echo check > ${quoted(plan.notePath)}; break; fi`,
    '    sleep 0.1',
    '  done',
    'fi',
    `exec ${await wrap(command)}`,
  ].join('\n');
  return { ...sandbox.apart(script, cwd), env: { PATH: path } };
}

/** One word of a shell script, whatever is in it. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
