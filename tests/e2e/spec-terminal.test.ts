/** A person at a terminal, through a real pseudo-terminal: every key that they press, and what they see. */
import { expect, test } from 'vitest';
import { DOWN, ENTER, hasScript, INTERRUPT, sitDown, UP } from './sit-down.ts';
import { DOCS, specCommand, specScene, specText, TASK } from './spec-support.ts';
import { exists, read } from './support.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

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
      [/Which mode should be used/, DOWN, ENTER],
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

test.runIf(hasScript)('a spec that does not fit on the screen opens in the pager, and again where the person asks for it', async () => {
  const lines = Array.from({ length: 90 }, (_, index) => `- statement ${index}`);
  const spec = `${specText('Draft')}\n${lines.join('\n')}\n- the last one [unconfirmed]`;
  const scene = await specScene({
    'discovery-analyst': `echo '{"questions":[]}' > "$HARNESS_OUTPUT"; echo asked`,
    synthesis: `cat > "$HARNESS_OUTPUT" <<'END'\n${spec}\nEND\necho written`,
  });
  const pages = join(scene.folder, 'pages.txt');
  const env = { ...scene.env, PAGER: `tee -a '${pages}' > /dev/null` };
  const { code, seen } = await sitDown({ ...scene, env }, specCommand(TASK, '--mode', 'quick'), [
    [/CLAUDE\.md/, DOWN, ENTER],
    [/more lines: choose "Read all of it".*Please read the spec above/, DOWN, DOWN, ENTER],
    [/Please read the spec above/, UP, UP, ENTER],
    [/Should it be built now/, DOWN, DOWN, ENTER],
  ]);
  expect(code, seen.slice(-3000)).toBe(0);
  const read = await readFile(pages, 'utf8');
  expect(read.split('- the last one [unconfirmed]')).toHaveLength(3);
  expect(read).toContain(`${DOCS}/spec.md`);
  expect(read).toContain('1 statement is marked [unconfirmed]');
});
