/** A person at a terminal, through a real pseudo-terminal: keys in, and what they see. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import type { Scene } from './support.ts';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));
/** A program of util-linux that runs another one at a pseudo-terminal. */
const PSEUDO_TERMINAL = 'script';
export const hasScript = spawnSync(PSEUDO_TERMINAL, ['--version']).stdout?.toString().includes('util-linux') ?? false;
if (!hasScript) console.warn('There is no "script" of util-linux here: the session at a pseudo-terminal is not shown.');

export const [ENTER, UP, DOWN, INTERRUPT] = ['\r', '\u001b[A', '\u001b[B', '\u0003'];

/** A person who waits longer goes away; what they saw until then is in the report. */
const PATIENCE_MS = 100_000;

/** Waits for each text in turn and presses the keys for it. */
export function sitDown(
  scene: Scene,
  args: readonly string[],
  turns: readonly (readonly [RegExp, ...string[]])[],
): Promise<{ code: number | null; seen: string }> {
  const quoted = [process.execPath, program, ...args, '--cwd', scene.project].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const child = spawn(PSEUDO_TERMINAL, ['-qec', `stty cols 100 rows 50; exec ${quoted}`, '/dev/null'], {
    cwd: scene.folder,
    env: { ...scene.env, TERM: 'xterm' },
  });
  let [seen, from, turn, busy] = ['', 0, 0, false];
  const press = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      child.stdin.write(key);
    }
    busy = false;
    look();
  };
  const look = (): void => {
    const wanted = turns[turn];
    if (busy || wanted === undefined) return;
    const [pattern, ...keys] = wanted;
    const rest = stripVTControlCharacters(seen.slice(from)).replace(/[\s│]+/g, ' ');
    if (!pattern.test(rest)) return;
    [from, turn, busy] = [seen.length, turn + 1, true];
    void press(keys);
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
    look();
  });
  const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearTimeout(patience);
      resolve({ code, seen: stripVTControlCharacters(seen) });
    }),
  );
}
