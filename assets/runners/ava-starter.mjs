// Behind `seal.mjs` and `settings`. One test has one result: where a second is told, the worse counts. What was chosen and never told has not ended.
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
const home = realpathSync(join(settings.room, 'node_modules/ava'));
const part = (path) => pathToFileURL(join(home, path)).href;
// Version 3 wants to know its colours before anything of it is loaded, and its command would tell it a second time.
const { bin, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
if (version.startsWith('3.') && existsSync(join(home, 'lib/chalk.js'))) {
  const colours = createRequire(import.meta.url)(join(home, 'lib/chalk.js'));
  if (colours.set !== undefined) {
    colours.set({ level: 0 });
    colours.set = () => colours.get();
  }
}
const { default: Api } = await import(part(existsSync(join(home, 'lib/api.js')) ? 'lib/api.js' : 'api.js'));
const rows = new Map();
const problems = [];
const messages = (error) => {
  try {
    return [
      (error.avaAssertionError || error.assertion ? 'AssertionError: ' : '') + String(error.message ?? ''),
      ...(error.formattedDetails ?? error.values ?? []).map((one) => [one.label, one.formatted].filter(Boolean).join('\n')),
      String(error.stack ?? error.formattedError ?? ''),
    ]
      .filter(Boolean)
      .join('\n')
      .slice(0, 8000);
  } catch {
    return 'an error that cannot be shown';
  }
};
const row = (event, name) => {
  const key = event.testFile + '\0' + name;
  if (!rows.has(key)) rows.set(key, { file: event.testFile, name: [name], status: 'skipped' });
  return rows.get(key);
};
const fail = (one, message) => {
  one.status = 'failed';
  one.message ??= message;
  one.told = true;
};
const broken = (event, message) => (event.testFile ? fail(row(event, given_whole_file), message) : problems.push(message));
const hear = (event) => {
  if (event.type === 'declared-test') row(event, event.title);
  else if (event.type === 'selected-test') row(event, event.title).status = event.skip ? 'skipped' : event.todo ? 'todo' : 'begun';
  else if (event.type === 'test-passed') {
    const one = row(event, event.title);
    if (one.told) fail(one, 'the test told more than one result');
    else Object.assign(one, { status: event.knownFailing ? 'xfail' : 'passed', duration: event.duration, told: true });
  } else if (event.type === 'test-failed') fail(row(event, event.title), messages(event.err ?? {}));
  else if (event.type === 'hook-failed') {
    const one = row(event, event.title);
    one.hook = true;
    fail(one, messages(event.err ?? {}));
  } else if (event.type === 'missing-ava-import') broken(event, 'the file ended without reporting a test');
  else if (event.type === 'process-exit') broken(event, 'the file left its process: ' + String(event.stack ?? ''));
  else if (event.type === 'worker-failed')
    broken(event, messages(event.err ?? { message: 'its process ended with ' + (event.nonZeroExitCode ?? event.signal) }));
  else if (/^(?:uncaught-exception|unhandled-rejection|internal-error|shared-worker-error|line-number-selection-error)$/.test(event.type))
    broken(event, messages(event.err ?? {}));
  else if (event.type === 'timeout' || event.type === 'interrupt') problems.push('ava ended the run: ' + event.type);
};
const { run } = Api.prototype;
Api.prototype.run = async function (given = {}) {
  Object.assign(this.options, { workerThreads: false, failFast: false, updateSnapshots: false });
  let files = [];
  this.on('run', (event) => {
    const { status, files: chosen } = event.status === undefined ? event.data : event;
    files = chosen ?? [];
    const { emitStateChange } = status;
    status.emitStateChange = function (told) {
      hear(told);
      return emitStateChange.call(this, told);
    };
  });
  const status = await run.call(
    this,
    settings.files === null ? given : { ...given, filter: [], files: settings.files.map((file) => resolve(settings.room, file)) },
  );
  for (const file of files)
    if (![...rows.values()].some((one) => one.file === file))
      fail(row({ testFile: file }, given_whole_file), 'the file ended without reporting a test');
  for (const one of rows.values()) if (one.status === 'begun') fail(one, 'the test did not end');
  const text = stringify({ tests: [...rows.values()], problems, failures: 0 }) + '\n';
  writeFileSync(settings.report, text + seal(text));
  return status;
};
process.argv = [process.argv[0], join(home, typeof bin === 'string' ? bin : bin.ava), ...settings.args];
await import(part(typeof bin === 'string' ? bin : bin.ava));
