/** A person at a terminal, through a real pseudo-terminal: every key that they press, and what they see. */
import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DOCS, specCommand, specScene, TASK } from './spec-support.ts';
import { exists, read, type Scene } from './support.ts';
import { join } from 'node:path';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));
/** A program of util-linux that runs another one at a pseudo-terminal. */
const PSEUDO_TERMINAL = 'script';
const hasScript = spawnSync(PSEUDO_TERMINAL, ['--version']).stdout?.toString().includes('util-linux') ?? false;
if (!hasScript) console.warn('There is no "script" of util-linux here: the session at a pseudo-terminal is not shown.');

const [ENTER, UP, DOWN, INTERRUPT] = ['\r', '\u001b[A', '\u001b[B', '\u0003'];

/** A person who waits longer goes away; what they saw until then is in the report. */
const PATIENCE_MS = 100_000;

/** Waits for each text in turn and presses the keys for it. */
function sitDown(
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

const ROLES = {
  'discovery-analyst': `case "$(grep -o 'Round [123] of 3' "$PROMPT")" in
'Round 1 of 3') echo '{"questions":[{"question":"Who uses it?","why":"It decides the view."},{"question":"Which columns?","why":"It decides the scope."}]}' > "$HARNESS_OUTPUT";;
'Round 2 of 3') echo '{"questions":[{"question":"What does the back office do with the file?","why":"It decides the format."}]}' > "$HARNESS_OUTPUT";;
*) echo '{"questions":[]}' > "$HARNESS_OUTPUT";;
esac
echo asked`,
  'workflow/planner-single': `printf '# Spec\\nExport orders as CSV\\n' > "$HARNESS_OUTPUT"; echo 'spec written — export'`,
};

test.runIf(hasScript)(
  'a person answers two rounds of questions, has the spec revised, approves it and is taken to the gate of the workflow',
  async () => {
    const scene = await specScene(ROLES);
    const { code, seen } = await sitDown(scene, specCommand(TASK), [
      [/How should the spec be written/, DOWN, ENTER],
      [/Which models do the agents use/, ENTER],
      [/CLAUDE\.md/, DOWN, ENTER],
      [/a few things about this task/, ENTER],
      [/Who uses it\?/, 'The back office', ENTER],
      [/Which columns\?/, 'unsure', ENTER],
      [/Your answers raise/, ENTER],
      [/do with the file/, 'They load it into a sheet', ENTER],
      [/The critic found 1 Critical/, ENTER],
      [/Please read the spec above/, UP, UP, ENTER],
      [/Should it be built now/, ENTER],
      [/Which mode is this task/, DOWN, ENTER],
      [/Which models do the agents use/, UP, UP, ENTER],
      [/CLAUDE\.md/, DOWN, ENTER],
      [/Building it uses many tokens/, INTERRUPT],
    ]);
    expect(code, seen.slice(-3000)).toBe(130);
    expect(seen).toContain('Second draft');
    expect(await read(scene, `${DOCS}/qa_notes.md`)).toBe(
      '1. Q: Who uses it?\n   A: The back office\n2. Q: Which columns?\n   A: [unconfirmed]\n3. Q: What does the back office do with the file?\n   A: They load it into a sheet\n',
    );
    expect(await read(scene, `${DOCS}/critic_findings.md`)).toBe('none\n');
    expect(JSON.parse(await read(scene, '.harness/state.json'))).toMatchObject({ skill: 'workflow', docs_path: `${DOCS}/` });
    expect(await exists(join(scene.project, '.harness/gates/workflow.spec.json'))).toBe(true);
  },
);
