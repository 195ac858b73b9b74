import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import program from '../../../assets/exit-fails-test.cjs';
import { fill } from '../../domain/fill-program.ts';

const room = mkdtempSync(join(tmpdir(), 'exit-fails-'));
const support = mkdtempSync(join(tmpdir(), 'exit-support-'));
afterAll(() => [room, support].forEach((folder) => rmSync(folder, { recursive: true, force: true })));

test('a program that ends the process fails where it asked, and the runner lives on', () => {
  const first = join(support, 'first.cjs');
  writeFileSync(first, fill(program, { room: JSON.stringify(`${room}/`) }));
  const script = join(room, 'main.cjs');
  writeFileSync(script, "try { process.exit(3); } catch (error) { console.log(error.message); }\nconsole.log('still here');\n");
  expect(execFileSync(process.execPath, ['--require', first, script], { encoding: 'utf8' })).toBe(
    'the program ended the process with 3\nstill here\n',
  );
  const other = spawnSync(process.execPath, ['--require', first, '--eval', 'process.exit(3)'], { cwd: tmpdir() });
  expect(other.status).toBe(3);
});
