// Behind `mocha-options.cjs`, `seal.mjs` and `showing.mjs`.
const { writeFileSync } = require('node:fs');
for (const name of ['node-option', ...Object.keys(options).filter((one) => isNodeFlag(one))]) delete options[name];
for (const name of [
  'reporter',
  'R',
  'reporter-option',
  'reporterOption',
  'reporter-options',
  'reporterOptions',
  'O',
  'bail',
  'b',
  'watch',
  'w',
  'dry-run',
  'dryRun',
  'parallel',
  'p',
  'config',
  'package',
  'fail-zero',
  'failZero',
  'pass-on-failing-test-suite',
  'passOnFailingTestSuite',
  'allow-uncaught',
  'allowUncaught',
])
  delete options[name];
Object.assign(options, { reporter: settings.reporter, color: false, diff: false, config: false, package: false, opts: false });
if (settings.forceExit) options.exit = true;
if (settings.files !== null) {
  options._ = [...settings.files];
  delete options.spec;
  delete options.file;
}
const fileOf = (one) => {
  for (let at = one; at; at = at.parent) if (at.file) return at.file;
  return '';
};
const namesOf = (one) => {
  const names = [];
  for (let at = one; at && !at.root; at = at.parent) names.unshift(String(at.title));
  return names;
};
const results = new Map();
const note = (test, status, error) => {
  const known = results.get(test) ?? {
    file: fileOf(test),
    name: namesOf(test),
    status,
    hook: test.type === 'hook' || undefined,
    duration: test.duration,
    retries: test.type === 'hook' ? 0 : (test.currentRetry?.() ?? 0),
    message: undefined,
  };
  if (status === 'failed') {
    known.status = 'failed';
    known.message = messages(error);
  }
  results.set(test, known);
};
module.exports = function Reporter(runner) {
  runner.on('pass', (test) => note(test, 'passed'));
  runner.on('fail', (test, error) => note(test, 'failed', error));
  runner.on('pending', (test) => note(test, 'skipped'));
  runner.once('end', () => {
    const text = stringify({ tests: [...results.values()], failures: runner.failures, total: runner.total }) + '\n';
    writeFileSync(settings.report, text + seal(text));
  });
};
// A file that cannot be loaded fails alone.
const failing = (error) => {
  const define = globalThis.it ?? globalThis.test;
  if (typeof define !== 'function') throw error;
  define('(file)', () => {
    throw error;
  });
  return {};
};
const guarded =
  (load) =>
  async (...given) => {
    try {
      return await load(...given);
    } catch (error) {
      return failing(error);
    }
  };
const newer = part('nodejs/esm-utils');
const older = part('esm-utils');
const loader = (newer ?? older) ? require(newer ?? older) : {};
if (loader.requireOrImport) loader.requireOrImport = guarded(loader.requireOrImport);
else {
  // Before mocha 8 nothing can be put around the loading of one file.
  const take = guarded(async (file) => (file.endsWith('.mjs') ? import(require('node:url').pathToFileURL(file).href) : require(file)));
  loader.loadFilesAsync = async (files, before, after) => {
    for (const file of files) {
      before(file);
      after(file, await take(file));
    }
  };
  require(part('mocha')).prototype.loadFiles = function (done) {
    for (const file of this.files.map((one) => require('node:path').resolve(one))) {
      this.suite.emit('pre-require', globalThis, file, this);
      let result;
      try {
        result = require(file);
      } catch (error) {
        result = failing(error);
      }
      this.suite.emit('require', result, file, this);
      this.suite.emit('post-require', globalThis, file, this);
    }
    done?.();
  };
}
// Up to mocha 8 options cannot be handed over.
if (!newer) require(part('cli/options')).loadOptions = () => options;
process.argv.length = 2;
import(require('node:url').pathToFileURL(part('cli/cli')).href).then(({ main, default: whole }) => (main ?? whole.main)([], options));
