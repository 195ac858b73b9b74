/**
 * The table of rooms. A room imports rooms to its right, never to its left, and never a neighbour in its own group:
 *
 *   main → cli → flows → kernel → session · verify · workspace · gates · prompts · github → store · journal · config
 *   → agents · verify/runners → platform → domain
 *
 * What a setting may name stands below the settings: the backends and the test runners, one object each. `verify/runners` is a room
 * of its own inside `verify`; it is pure.
 */
const ORDER = [
  ['cli'],
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

/** What a flow still takes from below the kernel. These lists only get shorter (docs/decisions/2026-11-15-named-documents.md). */
const BELOW_THE_KERNEL = {
  project: [
    'agents/registry',
    'agents/scripted/scenario',
    'config/detect',
    'config/read-config',
    'config/render-config',
    'config/schema',
    'config/user-settings',
    'gates/asker',
    'gates/escalation',
    'gates/gate-files',
    'gates/project-gates',
    'journal/query',
    'journal/session-record',
    'platform/files',
    'platform/git',
    'platform/own-name',
    'platform/platform',
    'prompts/key-files',
    'prompts/load-role',
    'prompts/orientation',
    'prompts/progress-file',
    'prompts/role',
    'session/contract',
    'session/wait-for-reset',
    'store/costs',
    'store/document',
    'store/folder-store',
    'store/lock',
    'store/migrations',
    'verify/checks/check-sanity',
    'verify/checks/evidence',
    'verify/describe',
    'verify/memory/baseline',
    'verify/memory/sizes',
    'verify/run/room-command',
    'verify/run/suite',
    'verify/run/test-command',
    'verify/runners/registry',
    'verify/self-check/self-check',
    'verify/self-check/set-up-hash',
    'workspace/agent-copy',
    'workspace/capture',
    'workspace/checkpoint',
    'workspace/clean-room',
    'workspace/commit-files',
    'workspace/home',
    'workspace/index-lock',
    'workspace/land',
    'workspace/paths',
    'workspace/refs',
    'workspace/restore',
    'workspace/wip',
  ],
  spec: [
    'config/detect',
    'gates/choice',
    'gates/escalation',
    'gates/gate-files',
    'platform/contained-path',
    'platform/git',
    'platform/platform',
    'prompts/load-role',
    'session/contract',
    'workspace/home',
  ],
  workflow: [
    'config/detect',
    'config/read-config',
    'gates/choice',
    'gates/gate-files',
    'platform/contained-path',
    'platform/git',
    'platform/platform',
    'prompts/load-role',
    'prompts/role',
    'session/contract',
    'verify/checks/check-capture',
    'verify/checks/check-protected',
    'verify/checks/check-sanity',
    'verify/checks/check-tests',
    'verify/contract',
    'verify/judge',
    'verify/memory/baseline',
    'verify/memory/cache',
    'verify/run/suite',
    'workspace/capture',
    'workspace/commit',
    'workspace/home',
    'workspace/land',
    'workspace/land-in-folder',
    'workspace/refs',
    'workspace/sandbox-policy',
    'workspace/snapshot',
  ],
};

const flowRules = Object.entries(BELOW_THE_KERNEL).map(([flow, allowed]) => ({
  name: `flow-${flow}`,
  comment: `${flow} imports kernel and domain`,
  severity: 'error',
  from: { path: `^src/flows/${flow}/`, pathNot: '\\.test\\.ts$|/test-support' },
  to: {
    path: room(ORDER.slice(ORDER.findIndex((group) => group[0] === 'kernel') + 1, -1).flat()),
    pathNot: allowed.map((file) => `^src/${file}\\.ts$`),
  },
}));

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
      name: 'only-the-scripted-agent-serves',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/agents/scripted/|\\.test\\.ts$|/test-support' },
      to: { path: '^(node:)?(http|https|http2)$', dependencyTypesNot: ['type-only'] },
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
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$|/test-support' },
      to: { dependencyTypes: ['npm-dev'] },
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
      extensions: ['.ts', '.mjs', '.js', '.json', '.md'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
