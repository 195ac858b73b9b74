/** The page of a scene, as an outsider asks it; each is ended after its test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { request, type IncomingHttpHeaders } from 'node:http';
import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect } from 'vitest';
import { projectWithAgent } from './calculator.ts';
import { harness, type Scene } from './support.ts';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));

export interface Page {
  child: ChildProcess;
  port: number;
  token: string;
  /** The project that it was started in. */
  root: string;
  origin: string;
  stderr(): string;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = new Promise((resolve) => child.once('close', resolve));
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await ended;
  }
});

export async function openPage(scene: Scene, ...args: string[]): Promise<Page> {
  const child = spawn(process.execPath, [program, 'ui', '--port', '0', '--no-open', '--json', '--cwd', scene.project, ...args], {
    cwd: scene.folder,
    env: scene.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('close', (code) => reject(new Error(`harness ui ended with ${code}: ${stderr}`)));
  });
  const ready = JSON.parse(line) as { type: string; url: string; port: number };
  expect(ready).toEqual({ type: 'ui.ready', url: `http://127.0.0.1:${ready.port}/#token=${ready.url.split('=')[1]}`, port: ready.port });
  return {
    child,
    port: ready.port,
    token: ready.url.split('=')[1]!,
    root: await realpath(scene.project),
    origin: `http://127.0.0.1:${ready.port}`,
    stderr: () => stderr,
  };
}

/** With every header as it is given: `fetch` would set some itself. */
export function ask(page: Page, method: string, path: string, headers: Record<string, string> = {}, body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: page.port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export const get = async (page: Page, path: string): Promise<Answer> => ask(page, 'GET', `/api/${path}`, { 'X-Harness-Token': page.token });
export const json = async <T>(page: Page, path: string): Promise<T> => JSON.parse((await get(page, path)).text) as T;
export const post = (page: Page, path: string, body: unknown = {}): Promise<Answer> =>
  ask(page, 'POST', `/api/${path}`, { 'X-Harness-Token': page.token, Origin: page.origin }, body);
export const idOf = async (page: Page): Promise<string> =>
  (await json<{ id: string; root: string }[]>(page, 'projects')).find(({ root }) => root === page.root)!.id;

/** It adds what is asked, touches a protected file, and leaves a key and a path in what it says. */
const ASKING_AGENT = `printf 'export const subtract = (a, b) => a - b;\\n' > src/subtract.js
printf "import assert from 'node:assert/strict';\\nimport { test } from 'node:test';\\nimport { subtract } from '../src/subtract.js';\\ntest('subtract gives', () => assert.equal(subtract(3, 1), 2));\\n" > test/subtract.test.js
printf 'logs/\\n' >> .gitignore
echo 'my key is sk-ant-REDACTED, in '"$HOME"'/keys'
printf '<script>alert(1)</script> \\342\\200\\256evil\\n'
node --test test/subtract.test.js
node -e "const f = require('fs'); f.writeFileSync('features.json', f.readFileSync('features.json', 'utf8').replace('\\"passes\\" : false', '\\"passes\\" : true'))"
`;

/** A project in which a question waits. */
export async function askingScene(): Promise<Scene> {
  const scene = await unaskedScene();
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout.slice(-2_000) + run.stderr).toMatchObject({ code: 8 });
  return scene;
}

/** The same before its first session. */
export function unaskedScene(): Promise<Scene> {
  return projectWithAgent(ASKING_AGENT, { checked: true });
}
