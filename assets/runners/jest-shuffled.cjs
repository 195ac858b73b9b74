// Starts jest in another order; before 29.2 it knows none, and ends where it is asked for one.
const [major, minor] = require(given_manifest).version.split('.').map(Number);
const program = given_program;
process.argv[1] = program;
if (major > 29 || (major === 29 && minor >= 2)) process.argv.splice(2, 0, '--randomize', '--seed=given_seed');
require(program);
