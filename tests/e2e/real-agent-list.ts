/** The agents of scripts/install-agents.mjs that tests drive, and how a user sets each of them up for a model on loopback. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AGENT_CACHE } from '../conformance/installed-agents.ts';
import { writeCodexSettings } from '../conformance/real-subjects.ts';
import type { RealAgent } from './real-agent-project.ts';

const program = (agent: string, name: string): string => join(AGENT_CACHE, agent, 'node_modules', '.bin', name);

/** Whatever the agent looks for outside fails at once. */
const LOOPBACK_ONLY = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' };

export const OWN_BACKENDS: readonly RealAgent[] = [
  {
    name: 'claude-code',
    backend: 'claude-code',
    keyOf: 'ANTHROPIC_API_KEY',
    variables: (server) => ({ ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url }),
  },
  {
    name: 'codex',
    backend: 'codex',
    keyOf: 'OPENAI_API_KEY',
    variables: () => ({ OPENAI_API_KEY: 'key' }),
    prepare: (home, server) => writeCodexSettings(home, server.url),
  },
];

export const ACP_AGENTS: readonly RealAgent[] = [
  {
    name: 'claude-agent-acp',
    backend: 'acp',
    command: program('claude-agent-acp', 'claude-agent-acp'),
    keyOf: 'ANTHROPIC_API_KEY',
    variables: (server, home) => ({
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: server.url,
      CLAUDE_CONFIG_DIR: join(home, '.claude'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      IS_SANDBOX: '1',
    }),
  },
  {
    name: 'codex-acp',
    backend: 'acp',
    command: program('codex-acp', 'codex-acp'),
    keyOf: 'OPENAI_API_KEY',
    variables: () => ({ OPENAI_API_KEY: 'key' }),
    prepare: (home, server) => writeCodexSettings(home, server.url),
  },
  {
    name: 'opencode',
    backend: 'acp',
    command: `${join(AGENT_CACHE, 'opencode', 'node_modules', `opencode-${process.platform}-${process.arch}`, 'bin', 'opencode')} acp`,
    variables: () => ({
      ANTHROPIC_API_KEY: 'key',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      ...LOOPBACK_ONLY,
    }),
    prepare: async (home, server) => {
      const settings = {
        model: 'anthropic/claude-sonnet-4-5',
        share: 'disabled',
        autoupdate: false,
        provider: { anthropic: { options: { baseURL: `${server.url}/v1`, apiKey: 'key' } } },
      };
      await mkdir(join(home, '.config', 'opencode'), { recursive: true });
      await writeFile(join(home, '.config', 'opencode', 'opencode.json'), JSON.stringify(settings));
    },
  },
];
