/** The harness inside Claude Code and Codex from npm, whose model is scripted. */
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isInstalled } from '../conformance/installed-agents.ts';
import { calculator } from './calculator.ts';
import { BIN, claude, closeHosts, modelFor, toolResults } from './host-support.ts';
import { write } from './support.ts';

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
});
