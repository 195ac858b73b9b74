/** Real agents from npm, against the scripted model on loopback: run where they are installed (scripts/install-agents.mjs). */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
    addsVariables:
      /^(CLAUDE|ANTHROPIC_|BASH_(DEFAULT|MAX)_TIMEOUT_MS$|DISABLE_|IS_SANDBOX$|GIT_EDITOR$|AI_AGENT$|SHELL$|COREPACK_|NoDefault|OTEL_)/,
    backend: async (bench, part) => {
      const server = await startScriptedServer(bench.platform, scriptedModel(SCENARIOS[part]), { apiKey: 'key' });
      return {
        backend: await createBackend('claude-code'),
        env: { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url },
        close: server.close,
      };
    },
  },
  {
    name: 'codex',
    usage: 'reported',
    injects: false,
    manyTurns: true,
    failsAs: 'auth',
    shellTool: 'exec_command',
    confinesItself: true,
    addsVariables: /^(CODEX_|OPENAI_|COLORTERM$|GH_PAGER$|GIT_PAGER$|PAGER$|NO_COLOR$|LC_|TERM$|SHELL$)/,
    backend: async (bench, part) => {
      const server = await startScriptedServer(bench.platform, scriptedModel(SCENARIOS[part]), { apiKey: 'key' });
      await writeCodexSettings(bench.task.env['HOME']!, server.url);
      return { backend: await createBackend('codex'), env: { OPENAI_API_KEY: 'key' }, close: server.close };
    },
  },
];

/** A provider on loopback, as a user would set one up, and a model whose tools are plain functions. */
export async function writeCodexSettings(home: string, url: string): Promise<void> {
  await mkdir(join(home, '.codex'), { recursive: true });
  const provider = `[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n`;
  await writeFile(
    join(home, '.codex', 'config.toml'),
    `model = "gpt-test"\nmodel_provider = "scripted"\n[features]\nplugins = false\n${provider}`,
  );
}
