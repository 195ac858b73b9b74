// Behind `ordinary.cjs`: there is a terminal.
const done = (...given) => {
  const last = given.at(-1);
  if (typeof last === 'function') last();
  return true;
};
for (const stream of isProgram ? [] : [process.stdout, process.stderr]) {
  if (stream === undefined || stream.isTTY) continue;
  const parts = {
    columns: 80,
    rows: 24,
    getColorDepth: () => 8,
    hasColors: () => true,
    getWindowSize: () => [80, 24],
    clearLine: done,
    cursorTo: done,
    moveCursor: done,
    clearScreenDown: done,
  };
  stream.isTTY = undefined;
  told(stream, 'isTTY', () => true);
  for (const [name, part] of Object.entries(parts))
    if (!(name in stream)) {
      stream[name] = undefined;
      told(stream, name, () => part);
    }
}
const tty = builtin('node:tty');
const { isatty } = tty;
tty.isatty = (descriptor) => (!isProgram && descriptor >= 0 && descriptor < 3 && asked()) || isatty(descriptor);
