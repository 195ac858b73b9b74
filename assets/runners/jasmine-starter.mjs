// Behind `seal.mjs`, `showing.mjs` and `settings`.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { exit } = process;
const { default: Jasmine } = await import(pathToFileURL(createRequire(settings.room + '/package.json').resolve('jasmine')).href);
const runner = new Jasmine({ projectBaseDir: settings.room });
await runner.loadConfigFile(settings.config ?? process.env.JASMINE_CONFIG_PATH);
if (settings.helpers.length > 0) (runner.addMatchingHelperFiles ?? runner.addHelperFiles).call(runner, settings.helpers);
if (settings.requires.length > 0) runner.addRequires(settings.requires);
if (settings.files !== null) runner.specFiles = settings.files.map((file) => resolve(settings.room, file));
else if (settings.named !== null) {
  runner.specDir = '';
  runner.specFiles = [];
  (runner.addMatchingSpecFiles ?? runner.addSpecFiles).call(runner, settings.named);
}
runner.env.configure({
  stopOnSpecFailure: false,
  seed: settings.seed,
  ...(settings.random === null ? {} : { random: settings.random === 'true' }),
});

const places = new Map();
const tests = [];
const problems = [];
const place = (suite, file, names) => {
  for (const child of suite.children ?? []) {
    const name = [...names, String(child.description)];
    if (!places.has(child.id)) places.set(child.id, { file, name });
    place(child, file, name);
  }
};
const load = runner.loader.load.bind(runner.loader);
runner.loader.load = async (file, ...rest) => {
  try {
    await load(file, ...rest);
  } catch (error) {
    if (!runner.specFiles.includes(file)) throw error;
    tests.push({ file, name: [given_whole_file], status: 'failed', message: messages(error) });
  }
  place(runner.env.topSuite(), file, []);
};
const STATUSES = { passed: 'passed', failed: 'failed' };
const said = (all) =>
  (all ?? [])
    .map(
      (one) =>
        (one.matcherName
          ? 'AssertionError: ' + one.matcherName + '\nexpected: ' + show(one.expected) + '\nactual: ' + show(one.actual) + '\n'
          : '') +
        (one.message ?? '') +
        '\n' +
        (one.stack ?? ''),
    )
    .join('\n')
    .slice(0, 8000);
const note = (result, status, hook) => {
  const { file, name } = places.get(result.id) ?? { file: result.filename ?? '', name: [result.fullName ?? result.description] };
  tests.push({
    file,
    name,
    status,
    hook,
    duration: result.duration ?? undefined,
    message: status === 'failed' ? said(result.failedExpectations) : undefined,
  });
};
const reporter = {
  specDone: (result) => note(result, STATUSES[result.status] ?? 'skipped'),
  suiteDone: (result) => {
    if (result.failedExpectations?.length > 0) note(result, 'failed', true);
  },
  jasmineDone: (result) => {
    for (const one of result.failedExpectations ?? []) problems.push(String(one.message ?? one));
    const text = stringify({ tests, problems, failures: 0 }) + '\n';
    writeFileSync(settings.report, text + seal(text));
    setImmediate(exit, problems.length > 0 || tests.some((one) => one.status === 'failed') ? 1 : 0);
  },
};
// Helpers of a project replace the usual reporter.
const { env } = runner;
const { clearReporters } = env;
env.clearReporters = () => {
  clearReporters.call(env);
  env.addReporter(reporter);
};
env.clearReporters();
runner.exitOnCompletion = false;
runner.exit = () => {};
process.argv.length = 2;
await runner.execute(null, settings.filter ?? undefined);
