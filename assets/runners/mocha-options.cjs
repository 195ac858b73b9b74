// Behind `settings`. Options that node has to be given come first: then the same module starts itself once more, and the first process never reads the key.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const part = (path) => ['.js', '.cjs'].map((ending) => join(settings.mocha, 'lib', path + ending)).find((one) => existsSync(one));
if (part('cli/options') === undefined)
  throw new Error('this version of mocha is too old to be read test by test; version 6 is the first that can be');
const { loadOptions } = require(part('cli/options'));
const { isNodeFlag } = require(part('cli/node-flags'));
const options = loadOptions(process.argv.slice(2));
const listed = [options['node-option'] ?? []].flat().map((one) => '--' + one);
const flags = Object.keys(options)
  .filter((name) => isNodeFlag(name))
  .flatMap((name) => [options[name]].flat().map((value) => (value === true ? '--' + name : '--' + name + '=' + value)));
if (process.env.HARNESS_MOCHA_FLAGS === undefined && listed.length + flags.length > 0) {
  const { spawnSync } = require('node:child_process');
  const again = spawnSync(process.execPath, [...process.execArgv, ...listed, ...flags, __filename, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, HARNESS_MOCHA_FLAGS: '1' },
  });
  process.exit(again.status ?? 1);
}
delete process.env.HARNESS_MOCHA_FLAGS;
