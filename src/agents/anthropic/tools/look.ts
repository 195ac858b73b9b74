/**
 * The tools that look around: search and list.
 *
 * 1. Neither follows links, and neither shows what the policy closes.
 * 2. Searching is done by grep, in the sandbox and under a time limit: a hostile pattern costs the harness nothing.
 */
import { join, relative, resolve } from 'node:path';
import { agentEnvironment } from '../../environment.ts';
import { clip } from './clip.ts';
import { confine, denialOf } from './confine.ts';
import { globMatcher, type Matcher } from './glob.ts';
import { done, refused, type Tool, type ToolContext } from './tool.ts';

const SKIPPED = ['.git', '.harness', 'node_modules'];
const SEARCH_TIMEOUT_MS = 20_000;
const SEARCH_BYTES = 4 * 1024 * 1024;
const MOST_MATCHES = 300;
const LONGEST_MATCH = 400;
const MOST_FILES = 2_000;

export const searchTool: Tool = {
  definition: {
    name: 'search',
    description:
      'Searches the files of the workspace for an extended regular expression and returns file, line number and line of each match. Leaves out .git and node_modules.',
    input_schema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'POSIX extended regular expression.' },
        path: { type: 'string', description: 'Directory or file to search, relative to the workspace; the whole workspace if left out.' },
        glob: { type: 'string', description: 'Only files whose name matches, e.g. *.ts' },
        ignore_case: { type: 'boolean', description: 'Ignore upper and lower case.' },
      },
      required: ['pattern'],
    },
  },
  run: async (context, input) => {
    const { platform, task, signal } = context;
    const pattern = input['pattern'];
    if (typeof pattern !== 'string' || pattern === '' || pattern.includes('\0')) return refused('search needs a pattern');
    const start = await confine(platform, task, typeof input['path'] === 'string' ? input['path'] : '.');
    if (!start.ok) return refused(start.message);
    const result = await platform.processes.run({
      file: 'grep',
      args: grepArguments(pattern, input, start.shown === '.' ? '.' : start.path),
      cwd: task.workspace,
      env: { ...agentEnvironment(task), LC_ALL: 'C.UTF-8' },
      sandbox: task.sandbox,
      timeoutMs: SEARCH_TIMEOUT_MS,
      graceMs: 0,
      maxOutputBytes: SEARCH_BYTES,
      signal,
    });
    if (result.timedOut) return refused('the search took too long; use a simpler pattern or a smaller directory');
    if (result.code !== 0 && result.code !== 1) return refused(`the search failed: ${clip(result.stderr.toString('utf8'), 1_000).trim()}`);
    return done(await showMatches(context, result.stdout.toString('utf8')));
  },
};

function grepArguments(pattern: string, input: Record<string, unknown>, start: string): string[] {
  return [
    '-rnHIE',
    '--null',
    ...(input['ignore_case'] === true ? ['-i'] : []),
    ...SKIPPED.map((name) => `--exclude-dir=${name}`),
    ...(typeof input['glob'] === 'string' ? [`--include=${input['glob']}`] : []),
    '-e',
    pattern,
    '--',
    start,
  ];
}

async function showMatches({ platform, task }: ToolContext, output: string): Promise<string> {
  const root = await platform.files.realpath(task.workspace);
  const shown: string[] = [];
  let more = 0;
  for (const line of output.split('\n')) {
    const zero = line.indexOf('\0');
    if (zero === -1) continue;
    const file = relative(root, resolve(root, line.slice(0, zero)));
    if (denialOf(task.tools.filesystem, file) !== null) continue;
    if (shown.length >= MOST_MATCHES) more += 1;
    else shown.push(`${file}:${line.slice(zero + 1, zero + 1 + LONGEST_MATCH)}`);
  }
  if (shown.length === 0) return 'no matches';
  return clip(more === 0 ? shown.join('\n') : `${shown.join('\n')}\n[${more} more matches]`);
}

export const listFilesTool: Tool = {
  definition: {
    name: 'list_files',
    description: 'Lists the files below a directory of the workspace. Leaves out .git and node_modules.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Directory, relative to the workspace; the whole workspace if left out.' },
        glob: { type: 'string', description: 'Only paths that match, e.g. src/**/*.ts' },
      },
      required: [],
    },
  },
  run: async (context, input) => {
    const start = await confine(context.platform, context.task, typeof input['path'] === 'string' ? input['path'] : '.');
    if (!start.ok) return refused(start.message);
    const info = await context.platform.files.lstat(start.path).catch(() => null);
    if (info === null || !info.isDirectory()) return refused(`${start.shown} is not a directory`);
    const wanted = typeof input['glob'] === 'string' && input['glob'] !== '' ? globMatcher(input['glob']) : null;
    const { files, more } = await walk(context, start.path, wanted);
    if (files.length === 0) return done('no files');
    return done(clip(more ? `${files.join('\n')}\n[more files; name a directory or a glob]` : files.join('\n')));
  },
};

async function walk(
  { platform, task, signal }: ToolContext,
  start: string,
  wanted: Matcher | null,
): Promise<{ files: string[]; more: boolean }> {
  const root = await platform.files.realpath(task.workspace);
  const files: string[] = [];
  const folders = [start];
  for (let folder = folders.shift(); folder !== undefined && !signal.aborted; folder = folders.shift()) {
    const entries = await platform.files.list(folder).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      const shown = relative(root, path);
      if (SKIPPED.includes(entry.name) || denialOf(task.tools.filesystem, shown) !== null) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (wanted === null || wanted(shown)) files.push(entry.isSymbolicLink() ? `${shown} (link)` : shown);
      if (files.length >= MOST_FILES) return { files, more: true };
    }
  }
  return { files: files.sort(), more: false };
}
