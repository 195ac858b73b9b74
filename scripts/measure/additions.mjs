// How many places one more of something touches, and how many of them the compiler names.
//
// The method, with what it cannot see:
// 1. A place is a file. A probe makes the smallest edit that declares the new thing (a member of a union, a row of a registry) in the
//    scratch copy and asks the compiler: a file of `src` or `tests/adversarial` with a new error is a place that it names. Where
//    nothing can be declared, because no type stands for such things, it names none.
// 2. A file with a list is a place too, whatever the compiler says: enough of the known siblings within a few lines of each other.
//    Tests and catalogues of words are left out.
// 3. Where things are no names but ways (a store, a lane, a page, a sandbox), a place is a file with the code that would have to change.
// 4. The file of the thing itself is not counted. A place that spells no sibling is not seen, and a list that would not have to
//    change is counted all the same: the numbers are for comparing states.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilerErrors } from './compiler.mjs';
import { readSources } from './sources.mjs';

const NEAR = 3;

/** `probe`: edits as [file, text to find, text to put in its place]; those whose text is not there are left out. `more`: asked again with these. */
export const ADDITIONS = [
  {
    name: 'test runner',
    probe: [['src/domain/verdict.ts', /export type RunnerName = /, "export type RunnerName = 'probe' | "]],
    more: [['src/verify/runners/registry.ts', /(const ROWS = \{\n)/, '$1  probe: pytestRunner,\n']],
    siblings: [/\bvitest\b/i, /\bjest\b/i, /\bpytest\b/i, /node:test|node-test|node --test/],
    least: 2,
  },
  {
    name: 'gate',
    probe: [
      [
        'src/gates/project-gates.ts',
        /export interface ProjectGateFacts \{\n/,
        "export interface ProjectGateFacts {\n  'project.probe': { feature: number };\n",
      ],
      [
        'src/gates/project-gates.ts',
        /options: \[SPLIT, \{ label: 'Manual implement'/,
        "options: [SPLIT, { label: 'Probe', ...BY_HAND }, { label: 'Manual implement'",
      ],
    ],
    siblings: [
      'stuck',
      'regression',
      'budget',
      'cycle',
      'sanity',
      'review',
      'tampering',
      'dependencies',
      'exhausted',
      'baseline-broken',
      'manual-verify',
    ].map((id) => new RegExp(`'project\\.${id}'`)),
    least: 2,
  },
  {
    name: 'backend',
    probe: [
      [
        'src/agents/registry.ts',
        /(const (?:BACKENDS|ROWS) = \{\n)/,
        "$1  probe: { load: async () => (await import('./command/backend.ts')).commandBackend({ command: null }) },\n",
      ],
    ],
    siblings: ['claude-code', 'anthropic', 'codex', 'acp', 'command', 'scripted'].map((id) => new RegExp(`^\\s*'?${id}'?:|'${id}'`)),
    least: 2,
  },
  {
    name: 'daily budget',
    probe: [
      [
        'src/session/budget-monitor.ts',
        /export interface BudgetSettings \{\n/,
        'export interface BudgetSettings {\n  perDay: number | null;\n',
      ],
      ['src/domain/reasons.ts', /  'budget\.project',\n/, "  'budget.project',\n  'budget.day',\n"],
    ],
    siblings: [
      /per_session_usd|perSession|'budget\.session'/,
      /per_feature_usd|perFeature|'budget\.feature'/,
      /total_project_usd|perProject|'budget\.project'/,
    ],
    least: 2,
  },
  { name: 'lane', code: /\blast_session\b|\bcandidates\/\$\{/ },
  {
    name: 'event',
    probe: [
      ['src/domain/event.ts', /export type HarnessEvent =\n/, "export type HarnessEvent =\n  | { type: 'probe'; message: string }\n"],
    ],
    siblings: [
      'session.start',
      'session.end',
      'gate.asked',
      'gate.answered',
      'workspace.captured',
      'agent.text',
      'agent.tool',
      'escalation',
      'decision',
      'warning',
    ].map((id) => new RegExp(`'${id.replace('.', '\\.')}'|^\\s*${id}:`)),
    least: 3,
  },
  {
    name: 'protected rule',
    probe: [['src/verify/(?:checks/)?protected-paths.ts', /export type ProtectedKind =\n/, "export type ProtectedKind =\n  | 'probe'\n"]],
    siblings: ['runner-config', 'toolchain', 'lockfile', 'snapshot', 'hooks', 'modules', 'custom'].map((id) => new RegExp(`'${id}'`)),
    least: 2,
  },
  { name: 'store', code: /\bjoin\((?:\w+\.)*(?:stateDir|stateDirectory)\b|`\$\{(?:\w+\.)*stateDir\}/ },
  { name: 'sandbox', code: /\b(?:sandboxState|wrapInSandbox|bubblewrapHere)\b/ },
  {
    name: 'page',
    code: /\b(?:renderText|eventText)\b|'(?:events|decisions|sessions|agent_actions)\.jsonl'|\bFILES\.(?:events|decisions|actions|sessions)\b/,
  },
];

const LEFT_OUT = /\/words\/|^tests\/(?!adversarial\/[^/]*\.ts$)|\.test\.ts$|test-support/;

export function measureAdditions(copy) {
  const { sources, tests } = readSources(copy);
  const files = [...sources, ...tests].filter(({ path }) => !LEFT_OUT.test(path));
  const before = new Set(compilerErrors(copy));
  return Object.fromEntries(ADDITIONS.map((addition) => [addition.name, measureOne(copy, files, addition, before)]));
}

function measureOne(copy, files, addition, before) {
  if (addition.code !== undefined) {
    const places = files.filter(({ text }) => addition.code.test(text)).map(({ path }) => path);
    return { places, named: 0 };
  }
  const named = probe(copy, files, addition.probe, before);
  if (addition.more !== undefined) named.push(...probe(copy, files, [...addition.probe, ...addition.more], before));
  const lists = files.flatMap((file) => listsIn(file, addition));
  const places = [...new Set([...lists, ...named].map((place) => place.path))].toSorted().map((path) => {
    const lines = lists.filter((list) => list.path === path).map((list) => `${list.first}-${list.last}`);
    return `${path}${lines.length === 0 ? '' : ` ${lines.join(', ')}`}${named.some((place) => place.path === path) ? ' (named)' : ''}`;
  });
  return { places, named: places.filter((place) => place.endsWith('(named)')).length };
}

function listsIn({ path, text }, { siblings, least }) {
  const hits = text.split('\n').flatMap((line, index) => {
    const seen = siblings.flatMap((sibling, which) => (sibling.test(line) ? [which] : []));
    return seen.length === 0 ? [] : [{ line: index + 1, seen }];
  });
  const lists = [];
  for (const hit of hits) {
    const last = lists.at(-1);
    if (last !== undefined && hit.line - last.last <= NEAR) Object.assign(last, { last: hit.line, seen: [...last.seen, ...hit.seen] });
    else lists.push({ path, first: hit.line, last: hit.line, seen: hit.seen });
  }
  return lists.filter((list) => new Set(list.seen).size >= least);
}

/** Files that do not compile once the probe is in. */
function probe(copy, files, edits, before) {
  const changed = new Map();
  for (const [pattern, find, put] of edits) {
    const file = files.find(({ path }) => new RegExp(`^${pattern}$`).test(path));
    const text = file === undefined ? '' : (changed.get(file.path)?.now ?? file.text);
    if (file !== undefined && find.test(text)) changed.set(file.path, { old: file.text, now: text.replace(find, put) });
  }
  for (const [path, { now }] of changed) writeFileSync(join(copy, path), now);
  try {
    const counted = compilerErrors(copy).filter((error) => !before.has(error) && !LEFT_OUT.test(error.split(':')[0]));
    return [...new Set(counted.map((error) => error.split(':')[0]))].map((path) => ({ path }));
  } finally {
    for (const [path, { old }] of changed) writeFileSync(join(copy, path), old);
  }
}
