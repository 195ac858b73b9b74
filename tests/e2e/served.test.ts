/** A project with a server of its own: tests meet the one that was built, and never the agent's. */
import { expect, test } from 'vitest';
import { claim, projectWithAgent } from './calculator.ts';
import { harness } from './support.ts';

const PORT = 20_000 + (process.pid % 10_000);
const SERVER = `import http from 'node:http';
import { routes } from './routes.js';
http.createServer((request, response) => {
  const answer = routes[request.url];
  response.statusCode = answer === undefined ? 404 : 200;
  response.end(answer?.() ?? 'unknown');
}).listen(Number(process.env.PORT ?? ${PORT}), '127.0.0.1');
`;
const ask = (path: string, answer: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
test('the server answers on ${path}', async () => {
  const response = await fetch(\`http://127.0.0.1:\${process.env.PORT ?? ${PORT}}${path}\`);
  assert.equal(await response.text(), '${answer}');
});
`;
const HEALTH = `node -e "fetch('http://127.0.0.1:${PORT}/health').then(() => process.exit(0), () => process.exit(1))"`;
const SERVED = {
  settings: `environment:\n  init: sh start.sh\n  health_check: ${JSON.stringify(HEALTH)}\n`,
  files: {
    'src/server.js': SERVER,
    'src/routes.js': "export const routes = { '/health': () => 'well' };\n",
    'test/health.test.js': ask('/health', 'well'),
    'start.sh': 'node src/server.js > /dev/null 2>&1 &\n',
  },
};

/** Its own server stands on another port, so that its run is a real one. */
const agent = (routes: string): string => `set -e
cat > src/routes.js <<'END'
export const routes = { '/health': () => 'well', ${routes} };
END
cat > test/subtract.test.js <<'END'
${ask('/subtract', '3')}END
export PORT=${PORT + 10_000}
cat > "$TMPDIR/own.mjs" <<'END'
import http from 'node:http';
http.createServer((request, response) => response.end('3')).listen(${PORT + 10_000}, '127.0.0.1');
END
node "$TMPDIR/own.mjs" & own=$!
sleep 1
node --test test/subtract.test.js
kill $own
${claim(2)}`;

test('an honest session is verified against the server of its own tree', async () => {
  const scene = await projectWithAgent(agent("'/subtract': () => String(5 - 2)"), SERVED);
  const run = await harness(scene, 'run');
  expect(run.stdout + run.stderr).toContain('baseline tests: 2 of 2 pass');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
});

test('a server that answers only in the agent’s copy proves nothing', async () => {
  const scene = await projectWithAgent(agent("'/other': () => '4'"), SERVED);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 4, last: { reasons: ['test.failed'] } });
});
