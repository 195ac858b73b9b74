/** The harness inside Claude Code and Codex from npm, whose model is scripted. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isInstalled } from '../conformance/installed-agents.ts';
import { calculator, HONEST, projectWithAgent } from './calculator.ts';
import { BIN, claude, closeHosts, modelFor, startClaude, toolResults, type StartedHost } from './host-support.ts';
import { exists, git, write } from './support.ts';

afterEach(closeHosts);

const SERVER = JSON.stringify({ mcpServers: { harness: { command: process.execPath, args: [BIN, 'mcp'] } } });

describe.skipIf(!isInstalled('claude-code'))('Claude Code', () => {
  test('a model asks for the status and has a broken working tree judged', async () => {
    const scene = await calculator();
    await write(scene, { 'src/add.js': 'export const add = () => 7;\n' });
    const server = await modelFor([
      {
        steps: [
          { text: 'Looking.', tools: [{ name: 'mcp__harness__harness_status' }] },
          { text: 'Judging.', tools: [{ name: 'mcp__harness__harness_judge' }] },
          { text: 'It is not finished.' },
        ],
      },
    ]);
    const run = await claude(scene, server, ['--mcp-config', SERVER, '--strict-mcp-config', 'Is it done?']);
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
    expect(run.stdout).toContain('"name":"harness","status":"connected"');
    const [status, verdict] = toolResults(server);
    expect(status).toContain('harness init');
    expect(verdict).toContain('rejected');
    expect(verdict).toContain('test/add.test.js');
    expect(run.stdout).toContain(join('test', 'add.test.js'));
  });

  const isLong = process.env['HARNESS_LONG_CHECK'] !== undefined;
  test.runIf(isLong)('a host that is killed in the middle loses nothing: two others join its run and hear the same end', async () => {
    const folder = '$HOME/meet';
    const waiting = `touch "${folder}/at-work"\nwhile [ ! -e "${folder}/go" ]; do sleep 0.1; done`;
    const scene = await projectWithAgent(`${waiting}\n${HONEST}`, { checked: true, settings: 'sandbox:\n  mode: off\n' });
    const place = join(scene.env['HOME'] ?? '', 'meet');
    await mkdir(place, { recursive: true });
    const run = { text: 'Running.', tools: [{ name: 'mcp__harness__harness_run' }] };
    const server = await modelFor([{ steps: [run, { text: 'It has ended.' }] }]);
    const start = (): StartedHost => startClaude(scene, server, ['--mcp-config', SERVER, '--strict-mcp-config', 'Build the next feature.']);
    const until = async (holds: () => Promise<boolean> | boolean): Promise<void> => {
      while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 100));
    };

    const first = start();
    await until(() => exists(join(place, 'at-work')));
    first.child.kill('SIGKILL');
    await first.ended;
    const others = [start(), start()];
    await until(() => others.every(({ said }) => said().includes('"tool_use"')));
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await write({ ...scene, project: place }, { go: '' });
    for (const { ended } of others) {
      const { code, stdout, stderr } = await ended;
      expect(code, stdout + stderr).toBe(0);
      expect(stdout).toContain('joined');
      expect(stdout).toContain('verified');
    }
    expect(await git(scene, 'rev-list', '--count', 'HEAD')).toBe('3');
  });
});
