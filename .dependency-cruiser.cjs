/**
 * The table of rooms. A room imports rooms to its right, never to its left, and never a neighbour in its own group:
 *
 *   main → cli → fleet → page/server · mcp → reading → flows → kernel → session · verify · workspace · gates · prompts · github → store · journal · config
 *   → agents · verify/runners → platform → domain
 *
 * Flows reach nothing below the kernel but `gates`, `prompts` and `domain`. The MCP server starts commands and knows no flow.
 *
 * What a setting may name stands below the settings: the backends and the test runners, one object each. `verify/runners` is a room
 * of its own inside `verify`; it is pure.
 */
const ORDER = [
  ['cli'],
  ['fleet'],
  ['page/server', 'mcp'],
  ['page/app'],
  ['reading'],
  ['flows'],
  ['kernel'],
  ['session', 'verify', 'workspace', 'gates', 'prompts', 'github'],
  ['store', 'journal', 'config'],
  ['agents', 'verify/runners'],
  ['platform'],
  ['domain'],
];

/** The host's watch reads the contract; `verify` and `workspace` see neither agents nor each other. */
const APART = { verify: ['agents', 'store', 'journal'], workspace: ['agents', 'store', 'journal'], 'verify/runners': ['platform'] };

const rooms = ORDER.flat();
const room = (names) => `^src/(${names.join('|')})/`;

const roomRules = ORDER.flatMap((group, level) =>
  group.map((name) => {
    const allowed = [name, ...ORDER.slice(level + 1).flat()].filter((other) => !(APART[name] ?? []).includes(other));
    return {
      name: `room-${name}`,
      comment: `${name} may import: ${allowed.join(', ')}`,
      severity: 'error',
      from: {
        path: room([name]),
        pathNot: ['\\.test\\.ts$|/test-support', ...rooms.filter((other) => other.startsWith(`${name}/`)).map((other) => room([other]))],
      },
      to: { path: '^src/', pathNot: [room(allowed), '^src/markdown\\.d\\.ts$'] },
    };
  }),
);

/** Below the kernel a flow knows two rooms of words, its questions and its prompts, and the pure values of `domain`. */
const WORDS = ['gates', 'prompts'];

const belowKernel = ORDER.slice(ORDER.findIndex((group) => group.includes('kernel')) + 1).flat();

const flowRules = [
  {
    name: 'flows-stand-on-the-kernel',
    comment: `flows import kernel, ${WORDS.join(', ')}, domain`,
    severity: 'error',
    from: { path: '^src/flows/', pathNot: '\\.test\\.ts$|/test-support' },
    to: { path: room(belowKernel), pathNot: room([...WORDS, 'domain']) },
  },
  {
    name: 'flows-do-not-know-each-other',
    severity: 'error',
    from: { path: '^src/flows/([^/]+)/' },
    to: { path: '^src/flows/', pathNot: '^src/flows/$1/' },
  },
  {
    name: 'the-server-starts-commands',
    comment: 'mcp imports no flow and nothing of the kernel: what it does, a command does',
    severity: 'error',
    from: { path: '^src/mcp/' },
    to: { path: room(['flows', 'kernel']) },
  },
  {
    name: 'machines-are-pure',
    comment: 'machine/ imports pure rooms, pure parts of the kernel, and other machines',
    severity: 'error',
    from: { path: '^src/flows/[^/]+/machine/', pathNot: '\\.test\\.ts$|/test-support' },
    to: { path: '^src/flows/[^/]+/(steps|people)/', dependencyTypesNot: ['type-only'] },
  },
];

const BUNDLED = [
  '@dagrejs/dagre',
  '@preact/signals',
  '@agentclientprotocol/sdk',
  '@anthropic-ai/sdk',
  '@babel/parser',
  '@clack/prompts',
  '@modelcontextprotocol/(server|core)',
  '@octokit/core',
  '@octokit/plugin-retry',
  '@octokit/plugin-throttling',
  'any-ascii',
  'fast-xml-parser',
  'franc-min',
  'preact',
  'tap-parser',
  'yaml',
  'zod',
];

module.exports = {
  forbidden: [
    ...roomRules,
    ...flowRules,
    { name: 'no-circular', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    {
      name: 'no-unknown-room',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: [room(rooms), '^src/(main|quick|markdown\\.d)\\.ts$'] },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true, pathNot: '^@anthropic-ai/claude-agent-sdk$|^@agentclientprotocol/' },
    },
    {
      name: 'only-platform-touches-the-machine',
      comment: 'files, processes and threads come in through a Platform value',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/|\\.test\\.ts$|/test-support' },
      to: {
        path: '^(node:)?(fs|fs/promises|child_process|worker_threads|cluster|net|dgram|inspector|vm)$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'only-the-scripted-agent-and-the-page-serve',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(agents/scripted|page/server)/|\\.test\\.ts$|/test-support' },
      to: { path: '^(node:)?(http|https|http2)$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-page-runs-in-a-browser',
      comment: 'page/app knows of the other rooms what is pure: the folds of reading, and types',
      severity: 'error',
      from: { path: '^src/page/app/' },
      to: { path: '^src/', pathNot: '^src/(page/app|reading|domain)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'verifying-core-has-few-dependencies',
      comment: 'zod, a YAML reader for documents, the parsers of test reports and the parser of sources',
      severity: 'error',
      from: { path: room(['verify', 'workspace', 'store', 'platform']), pathNot: '\\.test\\.ts$|/test-support' },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer'],
        pathNot: 'node_modules/(zod|yaml|fast-xml-parser|tap-parser|@babel/parser)/',
      },
    },
    {
      name: 'no-development-tools-in-the-program',
      comment: 'packages are bundled, so all of them are installed for development only; these belong to the program',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$|/test-support' },
      to: { dependencyTypes: ['npm-dev'], pathNot: `node_modules/(${BUNDLED.join('|')})/` },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$|/test-support' },
      to: { path: '\\.test\\.ts$|/test-support' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(fixtures|repositories)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.md'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
