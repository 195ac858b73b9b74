// Loaded first where code is wrong on purpose: a program that ends the process fails the test that asked it to, and the runner lives on.
'use strict';
{
  const room = given_room;
  const { exit } = process;
  const isOfProject = (line) => line.includes(room) && !line.includes('/node_modules/');
  process.exit = function (...given) {
    const { stackTraceLimit, prepareStackTrace } = Error;
    Error.stackTraceLimit = 60;
    Error.prepareStackTrace = undefined;
    const lines = String(new Error('exit').stack).split('\n');
    Error.stackTraceLimit = stackTraceLimit;
    Error.prepareStackTrace = prepareStackTrace;
    if (lines.some(isOfProject)) throw new Error(`the program ended the process with ${String(given[0] ?? 0)}`);
    return exit.apply(this, given);
  };
}
