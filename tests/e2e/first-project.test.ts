/** The way of docs/first-project.md, block by block, in an empty directory. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followPage } from './follow-page.ts';
import { giveRoles } from './spec-support.ts';
import { emptyScene, git, harness } from './support.ts';

const NAMES = ['words', 'lines', 'characters'];

const INITIALIZER = `cat > package.json <<'END'
{ "name": "count", "type": "module", "scripts": { "test": "node --test" } }
END
mkdir -p test
for name in ${NAMES.join(' ')}; do echo "import { test } from 'node:test'; test.todo('$name');" > test/$name.test.js; done
printf '#!/bin/sh\\nexit 0\\n' > init.sh; cp init.sh reset.sh; chmod +x init.sh reset.sh
cat > features.json <<'END'
{ "project": "count", "features": [
${NAMES.map((name, at) => `  { "id": ${at + 1}, "description": "A user counts ${name}", "test_file": "test/${name}.test.js", "passes": false }`).join(',\n')}
] }
END`;

const CODER = `name=$(basename "$HARNESS_TEST_FILE" .test.js)
case $name in words) by='text.trim().split(/\\\\s+/).length';; lines) by='text.split(/\\\\n/).length';; *) by='[...text].length';; esac
mkdir -p src
echo "export const $name = (text) => $by;" > src/$name.js
cat > test/$name.test.js <<END
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { $name } from '../src/$name.js';
const wanted = { words: 3, lines: 2, characters: 12 };
test('$name are counted', () => assert.equal($name('one two\\\\nfour'), wanted.$name));
END
node --test test/$name.test.js
node -e 'const fs = require("fs"); const l = JSON.parse(fs.readFileSync("features.json", "utf8")); l.features.find((f) => f.id === Number(process.env.HARNESS_FEATURE_ID)).passes = true; fs.writeFileSync("features.json", JSON.stringify(l));'`;

test('an empty directory and a wish become three verified features, as the page tells it', { timeout: 400_000 }, async () => {
  const scene = await emptyScene();
  await giveRoles(scene, { 'project/initializer': INITIALIZER, 'project/coding': CODER });
  await writeFile(join(scene.env['HOME']!, 'agent.sh'), '. "$HOME/roles/agent.sh"\n');
  const told = await followPage('first-project.md', scene);
  const all = told.join('\n');
  expect(all).toContain('## Acceptance Criteria');
  expect(told.at(-1)).toContain('3 of 3 done');
  const rows = JSON.parse((await harness(scene, 'features', '--json')).stdout) as { state: string; commit: string | null }[];
  expect(rows.map((row) => row.state)).toEqual(['verified', 'verified', 'verified']);
  expect(
    (await git(scene, 'log', '--format=%(trailers:key=Harness-Feature,valueonly,separator=%x2C)'))
      .split('\n')
      .filter((line) => line !== ''),
  ).toEqual(['3', '2', '1']);
  expect(await git(scene, 'status', '--porcelain')).toBe('');
});
