import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('..', import.meta.url));

/** Places that join a path below the state directory, each with how often and why: what they name is on this machine, wherever the documents are. */
const OF_THIS_MACHINE: Readonly<Record<string, readonly [times: number, why: string]>> = {
  'cli/run-command-line.ts': [1, 'whether there is such a folder'],
  'fleet/drive.ts': [1, 'the journal, before it is shipped'],
  'fleet/view.ts': [2, 'the journal that was collected'],
  'flows/project/people/abort.ts': [3, 'the whole folder, and documents of a session in it, put aside'],
  'kernel/flight/in-place.ts': [1, "what an agent left in the user's tree, put aside"],
  'kernel/place.ts': [1, 'the journal'],
  'kernel/local-folder.ts': [1, 'the journal, and roles that a person wrote'],
  'kernel/hold-place.ts': [1, 'the places of tasks'],
  'kernel/hold-task.ts': [3, 'the places of tasks, roles, and leftovers of writes'],
  'kernel/list-tasks.ts': [1, 'the places of tasks'],
  'kernel/lanes/shown.ts': [2, 'the work of lanes, shown as files'],
  'kernel/documents/backup.ts': [1, 'a copy of the folder'],
  'flows/project/read-or-rebuild.ts': [1, 'a file that was set aside'],
  'reading/standing.ts': [4, 'marks of files, to see that something changed'],
  'workspace/dependencies.ts': [2, 'what an installer printed'],
  'workspace/installs/made-locks.ts': [3, 'lockfiles that the harness resolved here'],
};

const JOINED = /(?:\bjoin|\bfiles\.\w+)\(\s*(?:\w+\.)*stateDir\b/g;

test('documents are asked for by name: nothing else joins a path below the state directory', () => {
  const found: Record<string, number> = {};
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$|test-support/.test(file)) continue;
    const times = [...readFileSync(join(src, file), 'utf8').matchAll(JOINED)].length;
    if (times > 0) found[relative(src, join(src, file))] = times;
  }
  expect(found).toEqual(Object.fromEntries(Object.entries(OF_THIS_MACHINE).map(([file, [times]]) => [file, times])));
});
