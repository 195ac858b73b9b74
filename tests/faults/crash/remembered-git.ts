/**
 * Git questions whose answer cannot change are asked once: what an object holds, what is configured, where the repository is.
 * An answer about objects is given again only while the objects named in the question are there.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Processes, RunResult, RunSpec } from '../../../src/platform/processes.ts';

/** For all platforms of this process: their grounds are configured alike. */
const known = new Map<string, RunResult>();
const OF_OBJECTS = new Set(['cat-file', 'ls-tree', 'diff-tree']);

export function rememberedGit(run: Processes['run']): Processes['run'] {
  return async (spec) => {
    if (spec.file !== 'git' || !mayRemember(spec)) return await run(spec);
    const key = JSON.stringify([spec.cwd, spec.args, spec.env['GIT_DIR'], spec.env['GIT_INDEX_FILE'], String(spec.stdin ?? '')]);
    const answer = known.get(key) ?? (await run(spec));
    if (answer.code === 0) known.set(key, answer);
    return answer;
  };
}

function mayRemember(spec: RunSpec): boolean {
  const command = spec.args.find((word, at) => !word.startsWith('-') && spec.args[at - 1] !== '-c') ?? '';
  if (command === 'config') return true;
  if (command === 'rev-parse') return spec.args.includes('--show-toplevel') || spec.args.includes('--git-path') || isByObject(spec);
  return OF_OBJECTS.has(command) && isByObject(spec);
}

/** Everything it asks about is named by its hash and is there. */
function isByObject(spec: RunSpec): boolean {
  const question = `${spec.args.join(' ')}\n${String(spec.stdin ?? '')}`;
  if (/\b(HEAD|refs\/)/.test(question)) return false;
  const names = question.match(/\b[0-9a-f]{40}\b/g) ?? [];
  const objects = join(spec.env['GIT_DIR'] ?? join(spec.cwd, '.git'), 'objects');
  return names.length > 0 && names.every((name) => existsSync(join(objects, name.slice(0, 2), name.slice(2))));
}
