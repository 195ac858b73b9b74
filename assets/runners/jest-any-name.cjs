// Starts jest so that it takes these files by whatever name. Settings say which names it takes in one of two ways, and jest bears one at a time.
const program = given_program;
const argv = process.argv;
argv[1] = program;
const at = argv.findIndex((word) => word === '-c' || word === '--config');
const config = at > 0 ? argv[at + 1] : argv.find((word) => word.startsWith('--config='))?.slice('--config='.length);
const settings = async () => {
  try {
    const near = (name, from) => require.resolve(name, { paths: [from] });
    const { readConfigs } = require(near('jest-config', near('jest-cli', require('node:fs').realpathSync(program))));
    const { configs } = await readConfigs({ _: [], $0: 'jest', ...(config === undefined ? {} : { config }) }, [process.cwd()]);
    return configs;
  } catch {
    return [];
  }
};
const start = async () => {
  const configs = await settings();
  const isPattern = configs.some(({ testRegex = [] }) => testRegex.length > 0) || argv.some((word) => word.startsWith('--testRegex'));
  const names = isPattern ? given_patterns : given_globs;
  argv.splice(2, 0, ...names);
  require(program);
};
void start();
