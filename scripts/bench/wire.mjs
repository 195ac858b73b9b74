// A project whose agent is driven by a scripted model on loopback, for every backend that can talk to one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeProject } from './project.mjs';

const KEY = 'key-of-the-bench';

export const AGENT_CACHE = process.env.HARNESS_AGENT_CACHE ?? join(homedir(), '.cache', 'universal-agent-harness', 'agents');

/** Variables with which the agent of a backend finds the server. */
const VARIABLES = {
  command: () => ({}),
  anthropic: (server) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url }),
  'claude-code': (server) => ({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url }),
  codex: () => ({ OPENAI_API_KEY: KEY }),
  acp: (server, home) => ({
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: server.url,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    IS_SANDBOX: '1',
  }),
};

/** The package in the cache that a backend needs; the ACP row is driven with Claude Code's adapter. */
const PACKAGES = { 'claude-code': 'claude-code', codex: 'codex', acp: 'claude-agent-acp' };

const COMMANDS = { acp: join(AGENT_CACHE, 'claude-agent-acp', 'node_modules', '.bin', 'claude-agent-acp') };

export function isInstalled(backend) {
  return PACKAGES[backend] === undefined || existsSync(join(AGENT_CACHE, PACKAGES[backend]));
}

/** `more`: steps of a session before its claim. */
export async function wiredProject(sources, place, { backend, features, files = 50, more = () => [] }) {
  const model = sources.scriptedModel({ conversations: Array.from({ length: features }, (_, index) => conversation(index + 1, more)) });
  const server = await sources.startScriptedServer(sources.nodePlatform({}), model, { apiKey: KEY });
  const { root, env } = await makeProject(place, { files, features });
  const variables = VARIABLES[backend](server, env.HOME);
  if (backend === 'codex') await writeCodexSettings(env.HOME, server.url);
  const file = join(root, '.harness.yaml');
  const settings = (await readFile(file, 'utf8')).replace(
    /^( +)backend: command$/m,
    `$1backend: ${backend}\n$1env: [${Object.keys(variables).join(', ')}]`,
  );
  await writeFile(
    file,
    COMMANDS[backend] === undefined ? settings : settings.replace(/^( +)command: .*$/m, `$1command: ${COMMANDS[backend]}`),
  );
  spawnSync('git', ['-C', root, 'commit', '--quiet', '--all', '--message', `Agent: ${backend}`], { env });
  return { root, env: { ...env, ...variables, HARNESS_AGENT_CACHE: AGENT_CACHE }, server };
}

async function writeCodexSettings(home, url) {
  await mkdir(join(home, '.codex'), { recursive: true });
  const provider = `[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n`;
  await writeFile(
    join(home, '.codex', 'config.toml'),
    `model = "gpt-test"\nmodel_provider = "scripted"\n[features]\nplugins = false\n${provider}`,
  );
}

function conversation(feature, more) {
  const shell = (command) => ({ text: 'Next.', tools: [{ name: 'shell', input: { command } }] });
  const test = `tests/answer-${feature}.test.js`;
  const source = `import { equal } from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { answer } from '../src/answers/answer-${feature}.js';\ntest('answers with ${feature}', () => equal(answer(), ${feature}));\n`;
  return {
    when: { contains: `Implement feature #${feature}.` },
    steps: [
      shell(
        `mkdir -p src/answers tests && echo "export const answer = () => ${feature};" > src/answers/answer-${feature}.js && cat > ${test} <<'END'\n${source}END`,
      ),
      ...more(shell),
      shell(`node --test ${test}`),
      shell(`sed -i '/"id": ${feature},/,/}/ s/"passes": false/"passes": true/' features.json`),
      { text: 'The feature is done.' },
    ],
  };
}
