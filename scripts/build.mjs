// Bundles src/ into dist/: the program as one file whose parts are run on demand, one file for quick answers, and what starts the program.
// The new bundle is made beside the old one and takes its place at the end, so that a running command never misses a file for long.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { programsAsText, TEXTS } from './text-assets.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const next = `${root}dist.${process.pid}.next`;
const old = `${root}dist.${process.pid}.old`;

/** The messages of zod in forty languages are half of its size and never shown. */
const oneLocale = {
  name: 'one-locale',
  setup(bundler) {
    bundler.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: path.replace(/\/index\.js$/, ''),
    }));
  },
};

/** Loaded as a file of its own. */
const importing = {
  name: 'importing',
  setup: (bundler) => bundler.onResolve({ filter: /\/load-module\.ts$/ }, () => ({ path: './load-module.cjs', external: true })),
};

/** One command needs it. */
const protocol = {
  name: 'protocol',
  setup: (bundler) =>
    bundler.onResolve({ filter: /^\.\/sdk\.ts$/ }, ({ resolveDir }) =>
      resolveDir === `${root}src/mcp` ? { path: './mcp-sdk.cjs', external: true } : undefined,
    ),
};

/** Large, and rarely asked for: in files of their own, which are read when one of their functions is first called, or where they are imported on demand. */
const APART = { '@anthropic-ai/sdk': [], 'any-ascii': ['default'], 'franc-min': ['francAll'] };
const fileApart = (name) => name.replace(/^@/, '').replaceAll('/', '-');
const apart = {
  name: 'apart',
  setup(bundler) {
    for (const [name, functions] of Object.entries(APART)) {
      const file = `./${fileApart(name)}.cjs`;
      const external = { path: file, external: true };
      bundler.onResolve({ filter: new RegExp(`^${name}$`) }, () =>
        functions.length === 0 ? external : { path: name, namespace: 'apart' },
      );
      bundler.onResolve({ filter: /^\.\//, namespace: 'apart' }, ({ path }) => ({ path, external: true }));
      bundler.onLoad({ filter: new RegExp(`^${name}$`), namespace: 'apart' }, () => ({
        contents: [
          `const load = () => require('${file}');`,
          ...functions.map((one) => `const call_${one} = (...args) => load()['${one}'](...args); export { call_${one} as ${one} };`),
        ].join('\n'),
      }));
    }
  },
};

/** Hosts update a plugin by its version. */
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
for (const manifest of ['.claude-plugin/plugin.json', '.codex-plugin/plugin.json']) {
  const own = JSON.parse(await readFile(`${root}plugin/${manifest}`, 'utf8')).version;
  if (own !== version) throw new Error(`plugin/${manifest} has version ${own}, package.json has ${version}`);
}
const action = await readFile(`${root}action.yml`, 'utf8');
if (!action.includes(`universal-agent-harness@${version}\n`))
  throw new Error(`action.yml does not install version ${version} of package.json`);

const NOT_ASCII = /[\u0080-\uffff]/g;

const common = {
  absWorkingDir: root,
  outdir: next,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
};

/** Everything in one file, whose parts are run when they are first asked for. It imports nothing: see `src/platform/load-module.ts`. */
const program = await build({
  ...common,
  entryPoints: { main: 'src/main.ts' },
  external: ['@anthropic-ai/claude-agent-sdk'],
  loader: TEXTS,
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'bundleUrl' },
  plugins: [oneLocale, importing, protocol, apart, programsAsText],
  minifyWhitespace: true,
});
/** Files that need no other: what they would load on demand they never ask for. */
const quick = await build({
  ...common,
  minifyWhitespace: true,
  entryPoints: { quick: 'src/quick.ts', 'quick-status': 'src/quick-status.ts' },
  plugins: [
    {
      name: 'nothing-on-demand',
      setup: (bundler) =>
        bundler.onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined)),
    },
  ],
});
/** The parser is loaded by a thread of its own, which cannot share the bundle. */
const others = await build({
  ...common,
  entryPoints: {
    start: 'src/platform/start.ts',
    'load-module': 'src/platform/load-module.ts',
    'babel-parser': '@babel/parser',
    'mcp-sdk': 'src/mcp/sdk.ts',
    ...Object.fromEntries(Object.keys(APART).map((name) => [fileApart(name), name])),
  },
});
/** The page: its code and its look in one file each, as `src/page/server/assets.ts` reads them. */
const page = await build({
  absWorkingDir: root,
  entryPoints: { app: 'src/page/app/main.tsx' },
  outdir: `${next}/page`,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: ['chrome120', 'firefox121', 'safari17'],
  tsconfig: 'src/page/app/tsconfig.json',
  minify: true,
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
});
for (const name of ['index.html', 'icon.svg'])
  page.outputFiles.push({ path: `${next}/page/${name}`, text: await readFile(`${root}src/page/app/${name}`, 'utf8') });
for (const { path, text } of [...program.outputFiles.map(asFunction), ...quick.outputFiles, ...others.outputFiles, ...page.outputFiles]) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
await replaceBundle();

/** As `src/platform/start.ts` wants it: an id, and one function. Read as Latin-1, so that no byte has to be decoded: what esbuild leaves, in comments and regular expressions, is escaped. */
function asFunction({ path, text }) {
  const plain = text.replaceAll(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const id = createHash('sha256').update(plain).digest('hex').slice(0, 16);
  const url = "const bundleUrl = require('node:url').pathToFileURL(__filename).href;";
  return { path, text: `// ${id}\n(function (exports, require, module, __filename, __dirname) {\n${url}\n${plain}\n})\n` };
}

/** Two builds at once both end with a whole bundle in place. */
async function replaceBundle() {
  for (let attempt = 1; ; attempt++) {
    await rename(`${root}dist`, old).catch(() => {});
    try {
      await rename(next, `${root}dist`);
      break;
    } catch (error) {
      if (attempt === 5) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}
