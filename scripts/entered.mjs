// How many source files one verified session enters, and how often it goes from one room into another (`npm run entered`).
//
//   npm run entered                      the two numbers, and the files of each room
//   npm run entered -- --list            every file, the most entered first
//   npm run entered -- --json            for programs
//
// 1. The command is a real one: `harness run` on a small adopted project, whose agent does one honest feature and whose verdict accepts it.
// 2. A file is entered when one of its functions is called. Loading it, types and constants count for nothing, and so do other processes.
// 3. A switch is a call of a function in another room than the one that was called last. Rooms are those of `.dependency-cruiser.cjs`: the
//    folders of src, and each flow by itself.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { makeProject } from './bench/project.mjs';
import { ROOT } from './bench/sources.mjs';
import { programsAsText, TEXTS } from './text-assets.mjs';

/** Calls in a row of the same file count as one: what is kept is the order of files. */
const BANNER = `
import { createRequire as __createRequire } from 'node:module';
import { writeFileSync as __write } from 'node:fs';
const require = __createRequire(import.meta.url);
const __calls = [];
globalThis.__enter = (file) => { if (__calls.at(-1) !== file) __calls.push(file); };
process.on('exit', () => __write(process.env.HARNESS_HOME + '/entered.json', JSON.stringify(__calls)));
`;

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } });
const scratch = mkdtempSync(join(tmpdir(), 'harness-entered-'));
try {
  const { bundle, files } = await instrumented();
  const calls = await session(bundle);
  const found = summary(files, calls);
  console.log(values.json ? JSON.stringify(found, null, 2) : render(found));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The program with a mark at the beginning of each function. */
async function instrumented() {
  const files = [];
  const marks = {
    name: 'marks',
    setup: (bundler) =>
      bundler.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        return { contents: marked(path, text, files.push(relative(ROOT, path)) - 1), loader: 'ts' };
      }),
  };
  const bundle = join(scratch, 'dist', 'main.mjs');
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/main.ts'],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['@anthropic-ai/claude-agent-sdk'],
    loader: TEXTS,
    plugins: [marks, programsAsText],
    banner: { js: BANNER },
    logLevel: 'error',
  });
  symlinkSync(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
  return { bundle, files };
}

function marked(path, text, file) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const edits = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const { body } = node;
      if (ts.isBlock(body)) edits.push([body.getStart(source) + 1, `globalThis.__enter?.(${file});`]);
      else edits.push([body.getStart(source), `(globalThis.__enter?.(${file}),(`], [body.end, '))']);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  // From the end to the beginning; where two meet, the inner one closes first.
  const ordered = edits.map((edit, at) => [...edit, at]).toSorted((one, other) => other[0] - one[0] || one[2] - other[2]);
  return ordered.reduce((made, [at, mark]) => made.slice(0, at) + mark + made.slice(at), text);
}

async function session(bundle) {
  const { root, env } = await makeProject(join(scratch, 'place'), { files: 50, features: 1 });
  const { stdout, stderr } = spawnSync(process.execPath, [bundle, 'run', '--json'], { cwd: root, env, encoding: 'utf8' });
  if (!/"type":"session\.end".*"outcome":"verified"/.test(stdout)) throw new Error(`The session was not verified:\n${stdout}${stderr}`);
  return JSON.parse(readFileSync(join(env.HARNESS_HOME, 'entered.json'), 'utf8'));
}

function roomOf(file) {
  const [, first, second] = file.split('/');
  return first === 'flows' ? `flows/${second}` : first;
}

function summary(files, calls) {
  const counts = new Map();
  for (const call of calls) counts.set(files[call], (counts.get(files[call]) ?? 0) + 1);
  const rooms = calls.map((call) => roomOf(files[call]));
  const entered = [...counts].toSorted(([, one], [, other]) => other - one);
  const byRoom = new Map();
  for (const [file] of entered) byRoom.set(roomOf(file), (byRoom.get(roomOf(file)) ?? 0) + 1);
  return {
    files: counts.size,
    switches: rooms.filter((room, at) => at > 0 && room !== rooms[at - 1]).length,
    rooms: Object.fromEntries([...byRoom].toSorted(([, one], [, other]) => other - one)),
    entered: entered.map(([file]) => file),
  };
}

function render({ files, switches, rooms, entered }) {
  return [
    `files entered      ${files}`,
    `switches of room   ${switches}`,
    ...Object.entries(rooms).map(([room, count]) => `  ${room.padEnd(20)} ${count}`),
    ...(values.list ? entered : []),
  ].join('\n');
}
