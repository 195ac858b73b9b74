/** A project with real tests and a real agent, for the kills: two features, a background process, everything marked. */
import { randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeGround, put, type Ground } from './ground.ts';

const testOf = (name: string, sum: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${name} } from '../src/${name}.js';
test('${name} gives the result', () => assert.equal(${sum}));
`;

const FEATURES = `{
  "project": "calculator",
  "features": [
    { "id": 1, "description": "A user adds two numbers", "test_file": "test/add.test.js", "passes": true },
    { "id": 2, "description": "A user subtracts two numbers", "test_file": "test/subtract.test.js", "passes": false }
  ]
}
`;

const FILES = {
  'package.json': '{ "name": "calculator", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': testOf('add', 'add(1, 2), 3'),
  'features.json': FEATURES,
};

/** Works, shows a run of its test, leaves a process outside of its group and without a parent, and claims. */
const AGENT = `cat > /dev/null
set -e
(setsid sleep 300 > /dev/null 2>&1 &)
mkdir -p src test
echo '{"type":"usage","input_tokens":1000,"output_tokens":50,"cost_usd":0.01}'
cat > src/subtract.js <<'END'
export const subtract = (a, b) => a - b;
END
cat > test/subtract.test.js <<'END'
${testOf('subtract', 'subtract(5, 2), 3')}END
echo '{"type":"tool","name":"bash","input":{"command":"node --test test/subtract.test.js"}}'
node --test test/subtract.test.js
sed -i '/subtract/s/"passes": false/"passes": true/' features.json
`;

export async function realGround(folder: string, sandbox: 'off' | 'auto', program: string): Promise<Ground> {
  const ground = makeGround(folder, {
    ...FILES,
    '.harness.yaml': `project:\n  name: calculator\ntesting:\n  full: npm test\nagent:\n  backend: command\n  command: sh "$HOME/agent.sh"\n  env: [CRASH_MARK]\nlogging:\n  level: debug\nsandbox:\n  mode: ${sandbox}\n`,
  });
  ground.env['CRASH_MARK'] = randomUUID();
  writeFileSync(join(ground.env['HOME']!, 'agent.sh'), AGENT);
  execFileSync(process.execPath, [program, 'init', '--features', 'features.json', '--yes', '--json', '--cwd', ground.project], {
    env: ground.env,
    stdio: 'ignore',
  });
  put(ground, { 'untracked.txt': 'mine\n' });
  return ground;
}
