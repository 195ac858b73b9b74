/** Runs the shell blocks of a page of the docs, one after the other, as a reader would. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Scene } from './support.ts';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));

/** What each block printed. A block that fails ends it with its words. */
export async function followPage(name: string, scene: Scene): Promise<string[]> {
  const page = await readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]!);
  const env = { ...scene.env, PATH: `${await programs(scene)}:${scene.env['PATH']}` };
  const told: string[] = [];
  for (const block of blocks) {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-eu', '-c', block], { cwd: scene.project, env }).catch(
      (error: Error & { stdout?: string; stderr?: string }) => {
        throw new Error(`this block failed:\n${block}\n${error.stdout}\n${error.stderr}`, { cause: error });
      },
    );
    told.push(stdout + stderr);
  }
  return told;
}

/** A folder in which `harness` is the built program. */
async function programs(scene: Scene): Promise<string> {
  const folder = join(scene.folder, 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'harness'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(join(folder, 'harness'), 0o755);
  return folder;
}
