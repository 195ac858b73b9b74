/** A hand-made node:test project with one accepted and two open features, and the shell agents that work on it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { copyScene, harness, makeScene, type Scene } from './support.ts';

/** Formatted as no serializer would write it. */
export const FEATURES = `{
  "project":   "calculator",
  "features": [
    { "id": 1, "description": "A user adds two numbers", "test_file": "test/add.test.js", "verification_steps": [ "1 + 2 is 3" ], "passes": true },
    { "id": 2, "description": "A user subtracts two numbers",
      "test_file": "test/subtract.test.js", "passes" : false },

    { "id": 3, "description": "A user multiplies two numbers", "test_file": "test/multiply.test.js", "depends_on": [1], "passes": false }
  ]
}
`;

const testOf = (name: string, sum: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${name} } from '../src/${name}.js';
test('${name} gives the result', () => assert.equal(${sum}));
`;

export const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "calculator", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': testOf('add', 'add(1, 2), 3'),
  '.gitignore': 'private/\n',
  'private/notes.txt': 'ignored by git\n',
};

/** A committed repository with the feature list; untracked and ignored files lie beside it. */
export async function calculator(extra: Readonly<Record<string, string>> = {}): Promise<Scene> {
  return await makeScene({ ...FILES, 'features.json': FEATURES, ...extra });
}

export interface AdoptOptions {
  /** Sections of `.harness.yaml` besides project, testing and agent. */
  settings?: string;
  /** The quick type check of the project. */
  sanity?: string;
  /** More files of the first commit. */
  files?: Readonly<Record<string, string>>;
  /** The self-check of the set-up is known, so that runs without a person begin at once. */
  checked?: true;
}

/** A project that is set up and whose agent is this shell script. Set up once for each kind, then copied. */
export async function projectWithAgent(script: string, options: AdoptOptions = {}): Promise<Scene> {
  const key = JSON.stringify(options);
  const template = templates.get(key) ?? adopt(options);
  templates.set(key, template);
  const scene = await copyScene(await template);
  await setAgent(scene, script);
  await writeFile(join(scene.project, 'untracked.txt'), 'mine\n');
  return scene;
}

const templates = new Map<string, Promise<Scene>>();

async function adopt(options: AdoptOptions): Promise<Scene> {
  const scene = await calculator({ '.harness.yaml': settingsFor(options.settings ?? '', 'npm test', options.sanity), ...options.files });
  const adopted = await harness(scene, 'init', '--features', 'features.json', ...(isUnconfined(options) ? ['--yes'] : []));
  expect(adopted, adopted.stderr).toMatchObject({ code: 0 });
  if (options.checked === true) {
    const checked = await harness(scene, 'doctor', '--verify');
    expect(checked, checked.stdout + checked.stderr).toMatchObject({ code: 0 });
  }
  return scene;
}

/** Without a sandbox `init` asks before it runs anything. */
function isUnconfined({ settings = '' }: AdoptOptions): boolean {
  return settings.includes('mode: off');
}

export function settingsFor(extra: string, full = 'npm test', typeCheck?: string): string {
  const sanity = typeCheck === undefined ? '' : `  sanity:\n    type_check: ${typeCheck}\n`;
  return `project:\n  name: calculator\ntesting:\n  full: ${full}\n${sanity}agent:\n  backend: command\n  command: sh "$HOME/agent.sh"\n${extra}`;
}

export function agentPath(scene: Scene): string {
  return join(scene.env['HOME']!, 'agent.sh');
}

/** What the agent does from the next session on. */
export async function setAgent(scene: Scene, script: string): Promise<void> {
  await writeFile(agentPath(scene), `cat > "$TMPDIR/prompt.txt"\n${script}\n`);
}

/** Shell text that changes the parsed list `l` and writes it back, formatted differently. */
export function editList(change: string): string {
  return `node -e 'const fs=require("fs"); const l=JSON.parse(fs.readFileSync("features.json","utf8")); ${change}; fs.writeFileSync("features.json", JSON.stringify(l, null, 4));'`;
}

export function claim(id: number): string {
  return editList(`l.features.find((f) => f.id === ${id}).passes = true`);
}

export const WRITE_SUBTRACT = `cat > src/subtract.js <<'END'
export const subtract = (a, b) => a - b;
END
cat > test/subtract.test.js <<'END'
${testOf('subtract', 'subtract(5, 2), 3')}END`;

export const WRITE_MULTIPLY = `cat > src/multiply.js <<'END'
export const multiply = (a, b) => a * b;
END
cat > test/multiply.test.js <<'END'
${testOf('multiply', 'multiply(5, 2), 10')}END`;

export const RUN_SUBTRACT = 'node --test test/subtract.test.js';

export const HONEST = `set -e
${WRITE_SUBTRACT}
${RUN_SUBTRACT}
${claim(2)}`;

/** Works on whichever open feature it is given. */
export const HONEST_BOTH = `set -e
if [ "$HARNESS_FEATURE_ID" = 2 ]; then
${WRITE_SUBTRACT}
else
${WRITE_MULTIPLY}
fi
node --test "$HARNESS_TEST_FILE"
node -e 'const fs=require("fs"); const l=JSON.parse(fs.readFileSync("features.json","utf8")); l.features.find((f) => f.id === Number(process.env.HARNESS_FEATURE_ID)).passes = true; fs.writeFileSync("features.json", JSON.stringify(l));'`;
