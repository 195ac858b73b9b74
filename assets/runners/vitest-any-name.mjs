// Vitest takes only files that its settings include, and its command line cannot include more: it is started by its own functions.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
const vitest = await import(pathToFileURL(createRequire(given_manifest).resolve('vitest/node')).href);
const words = process.argv.slice(2);
const parsed = vitest.parseCLI ? vitest.parseCLI(['vitest', ...words]) : byHand(words.slice(1));
const running = await vitest.startVitest('test', parsed.filter, { ...parsed.options, watch: false, run: true, include: given_files });
await running?.close();

function byHand(all) {
  const options = {};
  for (const [, no, name, value] of all.map((word) => /^--?(no-)?([^=]+)(?:=(.*))?$/.exec(word) ?? [])) {
    if (name === undefined) continue;
    const path = name.split('.');
    const last = path.pop();
    path.reduce((inside, part) => (inside[part] ??= {}), options)[last] =
      no !== undefined || value === 'false' ? false : value === undefined || value === 'true' ? true : value;
  }
  return { filter: all.filter((word) => !word.startsWith('-')), options };
}
