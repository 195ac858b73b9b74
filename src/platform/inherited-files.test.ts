/** A caller that leaves files open below and above the gap up to which Node marks them. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = fileURLToPath(new URL('inherited-files.ts', import.meta.url));

/** What a child of a process sees that was started with these redirections. */
async function seenByChild(redirections: string, close: boolean): Promise<string> {
  const { buildSync } = await import('esbuild');
  const [built] = buildSync({ entryPoints: [module], bundle: true, platform: 'node', format: 'cjs', write: false }).outputFiles;
  const list = `require('node:child_process').spawnSync('ls', ['/proc/self/fd'], { stdio: ['ignore', 1, 2] })`;
  const code = `${close ? `{ const module = { exports: {} }; ${built!.text}; module.exports.closeInheritedFiles(); }` : ''}; ${list}`;
  const script = `exec "$0" -e "$1" ${redirections}`;
  const { stdout } = await promisify(execFile)('bash', ['-c', script, process.execPath, code]);
  return stdout.trim().split('\n').toSorted().join(' ');
}

test.runIf(process.platform === 'linux')('what the caller left open reaches no child, wherever it is, and Node keeps working', async () => {
  const open = '9>>/dev/null 14</dev/zero 200>>/dev/null 201</ 255>/dev/null';
  expect(await seenByChild(open, false)).toMatch(/\b200 201 .*255\b/);
  expect(await seenByChild(open, true)).toBe('0 1 2 3');
  expect(await seenByChild('', true)).toBe('0 1 2 3');
});
