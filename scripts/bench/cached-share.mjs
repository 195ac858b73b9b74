// How much of what the built-in loop sends is read from the provider's cache, counted by a server that accounts prefixes as the provider does.
import { join } from 'node:path';
import { runOnce } from './run-once.mjs';
import { wiredProject } from './wire.mjs';

const SESSIONS = 10;
const TARGET = 0.95;
/** Requests of a session that look around, with results of the size that files and test runs have. */
const LOOKS = 30;

export async function measure({ scratch, quick, sources }) {
  const sessions = quick ? 3 : SESSIONS;
  const more = (shell) => Array.from({ length: LOOKS }, (_, index) => shell(`sed -n 1,15p src/part-0/file-${index}.js`));
  const { root, env, server } = await wiredProject(sources, join(scratch, 'cached'), { backend: 'anthropic', features: sessions, more });
  const usages = [];
  try {
    for (let session = 0; session < sessions; session++) {
      const own = [];
      await runOnce(sources, sources.nodePlatform(env), root, (event) => void (event.type === 'agent.usage' && own.push(event.usage)));
      usages.push(own);
    }
  } finally {
    await server.close();
  }
  const later = share(usages.flatMap((own) => own.slice(1)));
  const prefixes = new Set(server.requests.map(({ body }) => JSON.stringify([body.tools, body.system])));
  const requests = usages.flat().length;
  return [
    {
      name: `cached share of input, ${sessions} sessions of the built-in loop (${requests} requests), after the first request of each`,
      figure: percent(later),
      target: `at least ${percent(TARGET)}`,
      met: later >= TARGET,
    },
    { name: 'cached share of input, all requests', figure: percent(share(usages.flat())), target: '', met: null },
    {
      name: 'cached share of first requests, from the second session on',
      figure: percent(share(usages.slice(1).map((own) => own[0]))),
      target: '',
      met: null,
    },
    {
      name: 'different stable prefixes (tools and system), byte for byte',
      figure: `${prefixes.size}`,
      target: '1',
      met: prefixes.size === 1,
    },
  ];
}

function share(usages) {
  const sum = (key) => usages.reduce((total, usage) => total + usage[key], 0);
  const read = sum('cache_read_input_tokens');
  return read / (read + sum('input_tokens') + sum('cache_creation_input_tokens'));
}

function percent(value) {
  return `${(value * 100).toFixed(1)} %`;
}
