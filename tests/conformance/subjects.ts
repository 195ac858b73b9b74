/** The backends under the conformance suite, each made to play the same parts. A new backend joins by one entry here. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentBackend } from '../../src/agents/contract.ts';
import { createBackend } from '../../src/agents/registry.ts';
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer } from '../../src/agents/scripted/server.ts';
import type { Bench } from '../../src/agents/test-support.ts';

/** work: say, do, count, finish. hang: start children, one of them detached, and wait for ever. fail: end badly. */
export type Part = 'work' | 'hang' | 'fail';

export interface Subject {
  name: string;
  usage: AgentBackend['usage'];
  injects: boolean;
  manyTurns: boolean;
  /** The class with which the part `fail` ends. */
  failsAs: string;
  /** The agent's loop runs in the harness; only its tools are processes. */
  inProcess?: boolean;
  /** What the agent calls the tool that runs commands; the built-in name unless it says otherwise. */
  shellTool?: string;
  /** Variables that the agent itself adds for its commands, besides those that it was given. */
  addsVariables?: RegExp;
  /** The agent keeps its commands inside the workspace by itself, where the harness does not. */
  confinesItself?: boolean;
  backend(bench: Bench, part: Part): Promise<{ backend: AgentBackend; env?: Record<string, string>; close(): Promise<void> }>;
}

export const WORK_COMMAND =
  'pwd > where.txt; env > environment.txt; cat > /dev/null; touch "$HOME/outside.txt" 2> /dev/null; echo "tests passed"';
export const HANG_COMMAND = 'setsid sleep 1001 > /dev/null 2>&1 < /dev/null & sleep 1000 & touch hanging; wait';

export const SCENARIOS: Record<Part, ScenarioInput> = {
  work: {
    conversations: [
      {
        steps: [
          { text: 'I begin.', tools: [{ name: 'shell', input: { command: WORK_COMMAND } }] },
          { text: 'I am done.' },
          { text: 'Still done.' },
        ],
      },
    ],
  },
  hang: { conversations: [{ steps: [{ text: 'I begin.', tools: [{ name: 'shell', input: { command: HANG_COMMAND } }] }] }] },
  fail: { conversations: [{ steps: [{ text: 'I begin.', fault: { kind: 'status', status: 401, times: 99 } }] }] },
};

const PROGRAMS: Record<Part, string> = {
  work: `echo "I begin."; echo '{"type":"tool","name":"shell","input":{"command":"work"}}'
${WORK_COMMAND}
echo '{"type":"usage","input_tokens":1200,"output_tokens":34,"cache_read_input_tokens":0,"cost_usd":0.01}'; echo "I am done."`,
  hang: `echo "I begin."; echo '{"type":"tool","name":"shell","input":{"command":"hang"}}'\n${HANG_COMMAND}`,
  fail: `echo '{"type":"error","message":"no access"}'; exit 7`,
};

export const SUBJECTS: Subject[] = [
  {
    name: 'command',
    usage: 'reported',
    injects: false,
    manyTurns: false,
    failsAs: 'agent',
    backend: async (bench, part) => {
      const program = join(bench.task.temporary, 'agent.sh');
      await writeFile(program, `#!/bin/sh\n${PROGRAMS[part]}\n`);
      await chmod(program, 0o755);
      return { backend: await createBackend('command', { command: program }), close: async () => {} };
    },
  },
  {
    name: 'anthropic',
    usage: 'exact',
    injects: true,
    manyTurns: true,
    failsAs: 'auth',
    inProcess: true,
    backend: async (bench, part) => {
      const server = await startScriptedServer(bench.platform, scriptedModel(SCENARIOS[part]), { apiKey: 'key' });
      return {
        backend: await createBackend('anthropic', { apiKey: 'key', baseUrl: server.url, idleTimeoutMs: 60_000_000 }),
        close: server.close,
      };
    },
  },
  {
    name: 'scripted',
    usage: 'exact',
    injects: true,
    manyTurns: true,
    failsAs: 'auth',
    inProcess: true,
    backend: async (_, part) => ({
      backend: await createBackend('scripted', { scenario: SCENARIOS[part], idleTimeoutMs: 60_000_000 }),
      close: async () => {},
    }),
  },
  {
    name: 'acp',
    usage: 'reported',
    injects: false,
    manyTurns: true,
    failsAs: 'auth',
    shellTool: 'execute',
    backend: async (bench, part) => {
      const program = fileURLToPath(new URL('./fixtures/acp-agent.mjs', import.meta.url));
      const commands = { work: WORK_COMMAND, hang: HANG_COMMAND, fail: '' };
      await writeFile(join(bench.task.temporary, 'part.json'), JSON.stringify({ part, command: commands[part] }));
      const command = `exec '${process.execPath}' '${program}' '${join(bench.task.temporary, 'part.json')}'`;
      return { backend: await createBackend('acp', { command }), close: async () => {} };
    },
  },
];
