/** A small calculator in JavaScript, and agents for `harness worker` that are shell scripts beside it. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { makeScene, type Run, type Scene } from './support.ts';

export type Answer = Record<string, unknown>;

/** By the schemas that ship, whichever kind of answer it is. */
export async function answerIn(run: Pick<Run, 'stdout'>): Promise<Answer> {
  expect(run.stdout.trimEnd().split('\n')).toHaveLength(1);
  const value = JSON.parse(run.stdout) as Answer;
  const name = value['schema_version'] as string;
  const schema = JSON.parse(await readFile(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8')) as Parameters<
    typeof z.fromJSONSchema
  >[0];
  expect(z.fromJSONSchema(schema).safeParse(value).error).toBeUndefined();
  return value;
}

export const CALCULATOR: Readonly<Record<string, string>> = {
  'package.json': '{"name":"calculator","private":true,"type":"module","scripts":{"test":"node --test"}}\n',
  'README.md': '# Calculator\n',
  'src/add.js': 'export function add(a, b) {\n  return a + b;\n}\n',
  'test/add.test.js':
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.js';\n\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
};

/** The agent is what the user's own settings name, as for a lead that has no `.harness.yaml`. */
export async function workerScene(script: string, files: Readonly<Record<string, string>> = CALCULATOR): Promise<Scene> {
  const scene = await makeScene(files);
  await setAgent(scene, script);
  return scene;
}

export async function setAgent(scene: Scene, script: string): Promise<void> {
  await mkdir(join(scene.folder, 'agent'), { recursive: true });
  await writeFile(join(scene.folder, 'agent', 'agent.sh'), `cat > "$TMPDIR/prompt"\n${script}\n`);
  await mkdir(scene.env['HARNESS_HOME']!, { recursive: true });
  const command = `sh "${join(scene.folder, 'agent', 'agent.sh')}"`;
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), `agent:\n  backend: command\n  command: ${JSON.stringify(command)}\n`);
}

/** A folder with programs of one's own, for the front of the PATH. */
export async function programs(scene: Scene, scripts: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(scene.folder, 'bin');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return folder;
}

/** Writes a function of two numbers and its test. */
export function writesFunction(name: string, operator: string): string {
  return `printf 'export function ${name}(a, b) {\\n  return a ${operator} b;\\n}\\n' > src/${name}.js
printf "import assert from 'node:assert';\\nimport test from 'node:test';\\nimport { ${name} } from '../src/${name}.js';\\n\\ntest('${name}', () => assert.equal(${name}(6, 2), 6 ${operator} 2));\\n" > test/${name}.test.js`;
}

export async function writeTask(scene: Scene, name: string, task: object): Promise<string> {
  const file = join(scene.folder, name);
  await writeFile(file, JSON.stringify({ spec_skip_reason: 'mechanical-change', mode: 'solo', files: ['src', 'test'], ...task }));
  return file;
}
