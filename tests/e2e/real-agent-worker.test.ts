/** `harness worker` with agents from npm against a scripted model on loopback: what reaches the model, a completed report, a caught lie. */
import { afterEach, describe, expect, test } from 'vitest';
import type { RecordedRequest } from '../../src/agents/scripted/server.ts';
import { isInstalled } from '../conformance/installed-agents.ts';
import { file, output, type Conversation } from './flow-scenarios.ts';
import { ACP_AGENTS, OWN_BACKENDS } from './real-agent-list.ts';
import { closeServers, wiredSceneWith, type RealAgent } from './real-agent-project.ts';
import { git, startHarness } from './support.ts';
import { answerIn, CALCULATOR, writeTask, type Answer } from './worker-agents.ts';

afterEach(closeServers);

const SOURCE = file('src/sub.js', 'export function sub(a, b) {\n  return a - b;\n}\n');
const TEST = file(
  'test/sub.test.js',
  "import assert from 'node:assert';\nimport test from 'node:test';\nimport { sub } from '../src/sub.js';\n\ntest('subtracts', () => assert.equal(sub(3, 1), 2));\n",
);
const CLAIM = {
  summary: 'sub subtracts',
  self_review: [{ rule: 'all-declared-symbols-called', evidence: 'called from main.js, seen with grep' }],
};
const report = output('report.json', JSON.stringify(CLAIM));
const HONEST: Conversation = { steps: [{ tools: [SOURCE, TEST] }, { tools: [report] }, { text: 'Done.' }] };
const LIE: Conversation = { steps: [{ tools: [SOURCE] }, { tools: [report] }, { text: 'Done.' }] };

const CLAUDE = ['Bash', 'Edit', 'Read', 'Write', 'ReportFindings', 'ToolSearch', 'DeferredToolPlaceholder', 'TodoWrite', 'Glob', 'Grep']
  .concat(['Monitor', 'NotebookEdit', 'WebFetch', 'WebSearch'])
  .concat(['TaskCreate', 'TaskGet', 'TaskList', 'TaskOutput', 'TaskStop', 'TaskUpdate']);

/** What an agent may hand to its model: nothing of it starts another agent or talks to one. What is new here has to be looked at. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': CLAUDE,
  'claude-agent-acp': CLAUDE,
  codex: ['exec_command', 'write_stdin', 'request_user_input', 'view_image', 'get_goal', 'create_goal', 'update_goal', 'web_search'],
  opencode: ['bash', 'edit', 'glob', 'grep', 'read', 'skill', 'todowrite', 'webfetch', 'write'],
};

const isLongCheck = process.env['HARNESS_LONG_CHECK'] !== undefined;

for (const agent of [...OWN_BACKENDS, ...ACP_AGENTS.filter(({ name }) => isLongCheck && HARMLESS[name] !== undefined)])
  describe.skipIf(!isInstalled(agent.name))(`${agent.name} from npm`, () => {
    const takesEffort = agent.backend !== 'acp';

    test('a report is completed; the effort and nothing that starts other agents reach the model', async () => {
      const { answer, requests, code } = await worked(agent, HONEST, { effort: 'low' });
      expect(code).toBe(0);
      expect(answer).toMatchObject({ status: 'completed', effort_applied: takesEffort ? 'low' : null, summary: 'sub subtracts' });
      expect(answer['files_changed']).toEqual(['src/sub.js', 'test/sub.test.js']);
      if (takesEffort) expect(requests.map(effortOf)).toEqual(['low', 'low', 'low']);
      const tools = requests.flatMap(toolsOf);
      expect(tools).toEqual(expect.arrayContaining(agent.keyOf === 'ANTHROPIC_API_KEY' ? ['Bash', 'WebFetch'] : []));
      expect(tools.filter((name) => !HARMLESS[agent.name]!.includes(name))).toEqual([]);
    });

    test.runIf(takesEffort && isLongCheck)('a level that the agent lowers for its model is reported as it was sent', async () => {
      const { answer, requests } = await worked(agent, HONEST, { effort: 'xhigh' });
      expect(answer).toMatchObject({ status: 'completed', effort_applied: effortOf(requests[0]!) });
      expect(answer['effort_applied']).toBe(agent.name === 'codex' ? 'xhigh' : 'high');
    });

    test.runIf(agent.name === 'codex' || (isLongCheck && takesEffort))(
      'a claim about code that nobody calls is no evidence: sent back twice, then escalated',
      async () => {
        const { answer, code } = await worked(agent, LIE, {});
        expect(code).toBe(3);
        expect(answer).toMatchObject({
          status: 'escalated',
          commit: null,
          task_complexity_note: expect.stringContaining('3 agent sessions'),
        });
        expect(answer['self_review']).toContainEqual({
          rule: 'all-declared-symbols-called',
          verified: false,
          evidence: 'no call site: sub (src/sub.js)',
          claim: 'called from main.js, seen with grep',
        });
      },
    );
  });

async function worked(
  agent: RealAgent,
  conversation: Conversation,
  task: object,
): Promise<{ answer: Answer; requests: RecordedRequest[]; code: number | null }> {
  const { scene, server } = await wiredSceneWith(agent, CALCULATOR, [conversation]);
  const head = await git(scene, 'rev-parse', 'HEAD');
  const mode = agent.name === 'codex' ? 'codex' : 'solo';
  const path = await writeTask(scene, 'task.json', { task: 'Subtract', task_id: '43.3.1', mode, ...task });
  const run = await startHarness(scene, ['worker', '--task', path]).ended;
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(head);
  return { answer: await answerIn(run), requests: server.requests, code: run.code };
}

function effortOf({ body }: RecordedRequest): unknown {
  const { output_config, reasoning } = body as Record<'output_config' | 'reasoning', { effort?: unknown } | undefined>;
  return (output_config ?? reasoning)?.effort;
}

/** Those with a schema, and the names of those that Claude Code fetches the schema of when they are wanted. */
function toolsOf({ body, raw }: RecordedRequest): string[] {
  const { tools = [] } = body as { tools?: { name?: string; type: string }[] };
  const deferred = /deferred tools are now available .*? before calling them:((?:\\n\w+)+)/.exec(raw)?.[1]?.split('\\n') ?? [];
  return [...tools.map((tool) => tool.name ?? tool.type), ...deferred.filter((name) => name !== '')];
}
