// A real project of a chosen size, adopted by `harness init --features`, with an agent that does one small honest thing.
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HARNESS } from './sources.mjs';

const FILES_A_FOLDER = 100;

/** `changed`: how many files the agent writes beside its feature and test. */
export async function makeProject(place, { files, features, changed = 0 }) {
  const root = join(place, 'project');
  const userHome = join(place, 'user');
  const env = { PATH: process.env.PATH, HOME: userHome, HARNESS_HOME: join(place, 'harness'), LANG: 'C.UTF-8' };
  await mkdir(userHome, { recursive: true });
  await writeFile(join(userHome, '.gitconfig'), '[user]\n\tname = Bench\n\temail = bench@example.com\n[init]\n\tdefaultBranch = main\n');
  await writeSources(root, files);
  await writeFile(join(root, 'package.json'), JSON.stringify({ name: 'bench', type: 'module', scripts: { test: 'node --test' } }));
  await writeFile(join(root, 'features.json'), JSON.stringify({ project: 'bench', features: makeFeatures(features) }, null, 2));
  const agent = join(place, 'agent.sh');
  await writeFile(agent, agentScript(changed));
  succeed('git', ['init', '--quiet', root], { env });
  succeed('git', ['-C', root, 'add', '--all'], { env });
  succeed('git', ['-C', root, 'commit', '--quiet', '--message', 'Start'], { env });
  succeed(process.execPath, [HARNESS, 'init', '--features', 'features.json', '--agent', 'command', '--agent-command', `sh ${agent}`], {
    env,
    cwd: root,
  });
  return { root, env, userHome };
}

async function writeSources(root, count) {
  for (let index = 0; index < count; index++) {
    const folder = join(root, 'src', `part-${Math.floor(index / FILES_A_FOLDER)}`);
    if (index % FILES_A_FOLDER === 0) await mkdir(folder, { recursive: true });
    const lines = Array.from({ length: 30 }, (_, line) => `export const value${line} = ${index * 31 + line};`);
    await writeFile(join(folder, `file-${index}.js`), `${lines.join('\n')}\n`);
  }
  await mkdir(join(root, 'tests'), { recursive: true });
}

function makeFeatures(count) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    description: `answer with ${index + 1}`,
    test_file: `tests/answer-${index + 1}.test.js`,
    passes: false,
  }));
}

function agentScript(changed) {
  return `set -e
n=$HARNESS_FEATURE_ID
mkdir -p src/answers tests
echo "export const answer = () => $n;" > src/answers/answer-$n.js
cat > "$HARNESS_TEST_FILE" <<END
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { answer } from '../src/answers/answer-$n.js';
test('answers with $n', () => equal(answer(), $n));
END
i=0
mkdir -p src/more-$n
while [ $i -lt ${changed} ]; do echo "export const more = $i;" > src/more-$n/more-$i.js; i=$((i + 1)); done
echo "Running node --test $HARNESS_TEST_FILE"
node --test "$HARNESS_TEST_FILE"
sed -i "/\\"id\\": $n,/,/}/ s/\\"passes\\": false/\\"passes\\": true/" features.json
`;
}

function succeed(program, args, options) {
  const { status, stdout, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${`${stdout}${stderr}`.trim().slice(-400)}`);
}
