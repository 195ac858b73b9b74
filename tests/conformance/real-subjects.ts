/** Real agents from npm, against the scripted model on loopback: run where they are installed (scripts/install-agents.mjs). */
import { createBackend } from '../../src/agents/registry.ts';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer } from '../../src/agents/scripted/server.ts';
import { SCENARIOS, type Subject } from './subjects.ts';

export const REAL_SUBJECTS: Subject[] = [
  {
    name: 'claude-code',
    usage: 'exact',
    injects: true,
    manyTurns: true,
    failsAs: 'auth',
    shellTool: 'Bash',
    addsVariables: /^(CLAUDE|ANTHROPIC_|BASH_(DEFAULT|MAX)_TIMEOUT_MS$|DISABLE_|IS_SANDBOX$|GIT_EDITOR$|AI_AGENT$|SHELL$|COREPACK_|NoDefault|OTEL_)/,
    backend: async (bench, part) => {
      const server = await startScriptedServer(bench.platform, scriptedModel(SCENARIOS[part]), { apiKey: 'key' });
      return { backend: await createBackend('claude-code'), env: { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url }, close: server.close };
    },
  },
];
