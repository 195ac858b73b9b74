/** A command always comes to a result, or fails: with a filled package cache, with nothing left to wait for, and where stopping takes too long. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { isLong } from '../../src/domain/test-support-long.ts';
import { linkCaches } from '../lived-in-home.ts';
import { calculator, projectWithAgent, settingsFor } from './calculator.ts';
import { exists, harness, processesWith, startHarness } from './support.ts';
import { answerIn, workerScene, writeTask } from './worker-agents.ts';

const CALLS = isLong ? 200 : 3;

test(
  `${CALLS} calls of harness worker with an agent that ends while the package caches are filled, ${CALLS} reports`,
  { timeout: CALLS * 30_000 },
  async () => {
    const scene = await workerScene('echo "// $HARNESS_SESSION" > src/note.js');
    linkCaches(scene.env['HOME']!);
    for (let call = 1; call <= CALLS; call++) {
      const run = await harness(scene, 'worker', '--task', await writeTask(scene, 'task.json', { task: 'Note', task_id: `call-${call}` }));
      expect(run.code, run.stderr).toBe(0);
      expect(await answerIn(run)).toMatchObject({ status: 'completed', task_id: `call-${call}`, files_changed: ['src/note.js'] });
    }
  },
);

/** Nothing that is asked of the disk in the background comes back: what waits for it is left with nothing to wait for. */
const STRANDED = `const fs = require('node:fs');
for (const name of ['readdir', 'readFile', 'lstat', 'stat', 'open', 'access', 'mkdir']) {
  fs.promises[name] = () => new Promise(() => {});
  fs[name] = () => {};
}
`;

test('no command ends without a result: one that is left with nothing to wait for exits 1 and says so, also in its JSON', async () => {
  const scene = await calculator({ '.harness.yaml': settingsFor('') });
  const preload = join(scene.folder, 'stranded.cjs');
  await writeFile(preload, STRANDED);
  const env = { NODE_OPTIONS: `--require ${JSON.stringify(preload)}` };
  const chosen = COMMANDS.filter(({ name }) =>
    isLong ? name !== 'demo' : ['run', 'log tail', 'features', 'workflow', 'gates'].includes(name),
  );
  const stranded: string[] = [];
  for (const row of chosen) {
    const words = row.arguments.filter((one) => one.name.startsWith('<')).map(() => 'one');
    const started = startHarness(scene, [...row.name.split(' '), ...words, '--json'], env);
    const late = setTimeout(() => started.child.kill('SIGKILL'), 30_000);
    const run = await started.ended;
    clearTimeout(late);
    expect(run.stdout, row.name).not.toBe('');
    const isStranded = run.stderr.includes('the command ended without a result');
    if (run.code === 1) expect(isStranded, `${row.name}: ${run.stderr}`).toBe(true);
    if (isStranded) stranded.push(row.name);
    if (row.output === 'stream') expect(run.last, row.name).toMatchObject({ type: 'end', exit_code: run.code });
    else if (isStranded) expect(JSON.parse(run.stdout), row.name).toMatchObject({ error: { exit_code: 1 } });
  }
  expect(stranded).toContain('log tail');
});

test(
  'where stopping takes too long, SIGTERM ends the command within ten seconds, and nothing of it runs on',
  { timeout: 60_000 },
  async () => {
    const scene = await projectWithAgent('true');
    const [folder, mark] = [join(scene.folder, 'bin'), join(scene.folder, 'asked')];
    await mkdir(folder);
    await writeFile(join(folder, 'git'), `#!/bin/sh\ntrap '' TERM\necho $$ > "${mark}"\nwhile :; do sleep 1; done\n`);
    await chmod(join(folder, 'git'), 0o755);
    const started = startHarness(scene, ['run', '--json'], { PATH: `${folder}:${scene.env['PATH']}` });
    while (!(await exists(mark))) await new Promise((resolve) => setTimeout(resolve, 50));
    const begin = performance.now();
    started.child.kill('SIGTERM');
    const run = await started.ended;
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(run).toMatchObject({ code: 130, last: { type: 'end', exit_code: 130, reasons: ['interrupted'] } });
    expect(await processesWith(join(folder, 'git'))).toEqual([]);
  },
);
