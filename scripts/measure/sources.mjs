// Which files of a copy are sources and which are tests.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function readSources(copy) {
  const all = [...listed(copy, 'src'), ...listed(copy, 'tests')].map((path) => ({ path, text: readFileSync(join(copy, path), 'utf8') }));
  const isTest = ({ path }) => path.startsWith('tests/') || path.endsWith('.test.ts') || /\/test-support[^/]*\.ts$/.test(path);
  return { sources: all.filter((file) => !isTest(file)), tests: all.filter(isTest) };
}

function listed(copy, folder) {
  return readdirSync(join(copy, folder), { recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => path.endsWith('.ts') && !/\/(fixtures|repositories)\//.test(path))
    .toSorted();
}
