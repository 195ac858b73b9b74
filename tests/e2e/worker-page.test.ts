/** docs/worker.md, block by block, in a repository as a lead has it. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { git, type Scene } from './support.ts';
import { CALCULATOR, programs, workerScene, writesFunction } from './worker-agents.ts';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));

const AGENT = `task=$(grep -o '^## Task .*' "$TMPDIR/prompt" | cut -c9-)
case "$task" in
43.3.1) if grep -q 'name the function minus' "$TMPDIR/prompt"; then rm -f src/sub.js; printf 'export function minus(a, b) {\\n  return a - b;\\n}\\n' > src/minus.js; sed 's/sub/minus/g' test/sub.test.js > "$TMPDIR/t"; cat "$TMPDIR/t" > test/sub.test.js; else ${writesFunction('sub', '-')}; fi;;
43.3.2) grep -q 'By zero it throws' "$TMPDIR/prompt" || exit 1; ${writesFunction('div', '/')};;
many-*) mkdir -p notes; echo "$task" > "notes/$task.md";;
ci) echo ci > src/ci.txt;;
esac`;

test('the page goes as it is written', { timeout: 300_000 }, async () => {
  const page = await readFile(new URL('../../docs/worker.md', import.meta.url), 'utf8');
  const scene = await workerScene(AGENT, {
    ...CALCULATOR,
    'package.json': CALCULATOR['package.json']!.replace('node --test', 'sh check.sh'),
    'check.sh': 'for file in test/*.test.js; do node "$file" || exit 1; done\n',
  });
  const folder = await programs(scene, { harness: `exec "${process.execPath}" "${program}" "$@"` });
  const run = runner({ ...scene, env: { ...scene.env, PATH: `${folder}:${scene.env['PATH']}` } });
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]!);
  const told: string[] = [];
  for (const block of blocks) told.push(await run(block));
  const [first, refused, changed, advised, many] = told;
  expect(first).toBe('completed 40 src/sub.js test/sub.test.js\n');
  expect(refused).toContain('exit 2: Task 43.3.1 was begun with another task document.');
  expect(changed).toContain('src/minus.js');
  expect(changed!.trimEnd().split('\n').at(-1)).toBe('43.3.1: Add a function that subtracts');
  expect(advised!.trimEnd().split('\n').at(-1)).toBe('43.3.2: Divide, too <!-- advisor:required -->');
  expect(many).toBe('harness-work/many-1 harness-work/many-2\n');

  await git(scene, 'init', '-q', '--bare', '../origin.git');
  await git(scene, 'remote', 'add', 'origin', '../origin.git');
  await run(`printf '{"task":"x","task_id":"ci","files":["src"],"mode":"solo","spec_skip_reason":"mechanical-change"}' > task.json`);
  const ci = parse(/^```yaml\n(.*?)^```$/ms.exec(page)![1]!) as { steps: { run: string }[] };
  for (const step of ci.steps) await run(step.run);
  expect(await git(scene, 'ls-remote', 'origin', 'refs/heads/worker')).toMatch(/^[0-9a-f]{40}/);
});

function runner(scene: Scene): (block: string) => Promise<string> {
  return async (block) => {
    const done = await promisify(execFile)('sh', ['-eu', '-c', block], { cwd: scene.project, env: scene.env }).catch(
      (error: Error & { stdout?: string; stderr?: string }) => {
        throw new Error(`this block failed:\n${block}\n${error.stdout}\n${error.stderr}`, { cause: error });
      },
    );
    return done.stdout;
  };
}
