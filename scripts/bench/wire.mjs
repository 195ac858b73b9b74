// A project whose agent is driven by a scripted model on loopback, for every backend that can talk to one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
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
};

export function isInstalled(backend) {
  return backend !== 'claude-code' || existsSync(join(AGENT_CACHE, backend));
}

/** `more`: steps of a session before its claim. */
export async function wiredProject(sources, place, { backend, features, files = 50, more = () => [] }) {
  const model = sources.scriptedModel({ conversations: Array.from({ length: features }, (_, index) => conversation(index + 1, more)) });
  const server = await sources.startScriptedServer(sources.nodePlatform({}), model, { apiKey: KEY });
  const { root, env } = await makeProject(place, { files, features });
  const variables = VARIABLES[backend](server);
  const file = join(root, '.harness.yaml');
  const settings = (await readFile(file, 'utf8')).replace(
    /^( +)backend: command$/m,
    `$1backend: ${backend}\n$1env: [${Object.keys(variables).join(', ')}]`,
  );
  await writeFile(file, settings);
  spawnSync('git', ['-C', root, 'commit', '--quiet', '--all', '--message', `Agent: ${backend}`], { env });
  return { root, env: { ...env, ...variables, HARNESS_AGENT_CACHE: AGENT_CACHE }, server };
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
