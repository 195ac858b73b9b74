/** Claude Code and Codex from npm as hosts: their own programs, an empty home, a dummy key, a scripted model on loopback. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/agents/scripted/server.ts';
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { AGENT_CACHE } from '../conformance/installed-agents.ts';
import { writeCodexSettings } from '../conformance/real-subjects.ts';
import type { Scene } from './support.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const BIN = join(ROOT, 'bin', 'harness.js');

export const CLAUDE = join(
  AGENT_CACHE,
  'claude-code',
  'node_modules',
  '@anthropic-ai',
  `claude-agent-sdk-${process.platform}-${process.arch}`,
  'claude',
);
export const CODEX = join(AGENT_CACHE, 'codex', 'node_modules', '.bin', 'codex');

const servers: ScriptedServer[] = [];

export async function closeHosts(): Promise<void> {
  for (const server of servers.splice(0)) await server.close();
}

export async function modelFor(conversations: ScenarioInput['conversations']): Promise<ScriptedServer> {
  const server = await startScriptedServer(nodePlatform({}), scriptedModel({ conversations }), { apiKey: 'key' });
  servers.push(server);
  return server;
}

/** What a user of Claude Code on this machine would have, and nothing else. */
export function claudeEnv(scene: Scene, server: ScriptedServer): Record<string, string> {
  return {
    ...scene.env,
    ANTHROPIC_API_KEY: 'key',
    ANTHROPIC_BASE_URL: server.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    IS_SANDBOX: '1',
  };
}

export async function codexEnv(scene: Scene, server: ScriptedServer): Promise<Record<string, string>> {
  const home = scene.env['HOME'] ?? '';
  await writeCodexSettings(home, server.url);
  return { ...scene.env, OPENAI_API_KEY: 'key' };
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface StartedHost {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** What it has printed until now. */
  said(): string;
}

export function startProgram(file: string, args: readonly string[], how: { cwd: string; env: Record<string, string> }): StartedHost {
  const child = spawn(file, [...args], { ...how, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
  return { child, ended, said: () => stdout };
}

/** One prompt to Claude Code, with everything that it reports. */
export async function claude(scene: Scene, server: ScriptedServer, args: readonly string[]): Promise<Ended> {
  await mkdir(scene.env['HOME'] ?? '', { recursive: true });
  return await startClaude(scene, server, args).ended;
}

/** The same, while it is at work. */
export function startClaude(scene: Scene, server: ScriptedServer, args: readonly string[]): StartedHost {
  const all = ['-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions', ...args];
  return startProgram(CLAUDE, all, { cwd: scene.project, env: claudeEnv(scene, server) });
}

/** What tools answered, as the model was told in its last request. */
export function toolResults(server: ScriptedServer): string[] {
  const last = server.requests.filter(({ raw }) => raw.includes('"tool_result"')).at(-1);
  const messages = (last?.body as { messages?: { content: unknown }[] } | undefined)?.messages ?? [];
  return messages.flatMap(({ content }) =>
    (Array.isArray(content) ? content : []).flatMap((part: { type?: string; content?: unknown }) =>
      part.type === 'tool_result' ? [typeof part.content === 'string' ? part.content : JSON.stringify(part.content)] : [],
    ),
  );
}

/** The package as it is published, installed for the user; `harness`, `claude` and `codex` are on the path. */
export async function installPackage(scene: Scene): Promise<void> {
  const prefix = join(scene.folder, 'prefix');
  const home = scene.env['HOME'] ?? '';
  await mkdir(join(prefix, 'bin'), { recursive: true });
  await mkdir(home, { recursive: true });
  const npm = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('npm', args, { cwd: prefix, env: { ...scene.env, npm_config_loglevel: 'error' } })).stdout;
  const packed = (await npm('pack', '--ignore-scripts', ROOT)).trim().split('\n').at(-1) ?? '';
  await npm('install', '-g', '--prefix', prefix, '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${packed}`);
  for (const [name, program] of [
    ['claude', CLAUDE],
    ['codex', CODEX],
  ] as const)
    if (existsSync(program)) await symlink(program, join(prefix, 'bin', name));
  scene.env['PATH'] = `${join(prefix, 'bin')}:${scene.env['PATH']}`;
}

/** A command of the user's own shell. */
export async function typed(scene: Scene, env: Record<string, string>, file: string, ...args: string[]): Promise<Ended> {
  return await startProgram(file, args, { cwd: scene.project, env }).ended;
}
