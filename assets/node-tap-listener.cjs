// Behind `scripts-listener.cjs` and `fromRoom`.
const loaded = fromRoom('tap');
const tap = loaded.t ?? loaded;
const parts = new Map();
const listen = (parser, names) => {
  let inner = null;
  parser.on('child', (child) => {
    inner = child;
    listen(child, [...names, child.name]);
  });
  parser.on('assert', (result) => {
    // A test that moved the clock can take less than no time, and the parser leaves that in the name.
    result.name = result.name.replace(/ # time=-?[\d.e+-]+m?s$/, '');
    const isPart = inner !== null && (inner.name === result.name || inner.fullname?.endsWith(result.name));
    inner = null;
    if (!isPart && names.length > 0) {
      if (!result.ok && !result.todo && !result.skip) parts.set(names.join('\0'), said(result));
      return;
    }
    const name = [...names, result.name === '' ? '#' + result.id : result.name];
    const reason = parts.get(name.join('\0')) ?? (result.ok ? undefined : said(result));
    const status =
      result.skip !== false && result.skip !== undefined
        ? 'skipped'
        : result.todo !== false && result.todo !== undefined
          ? 'todo'
          : result.ok
            ? 'passed'
            : 'failed';
    told(entry, name, status, status === 'failed' ? reason : undefined);
  });
  parser.on('bailout', (reason) => told(entry, ['(bail out)'], 'failed', String(reason)));
};
const said = ({ name, diag }) => {
  try {
    return 'AssertionError: ' + name + '\n' + stringify(diag ?? {}, null, 1).slice(0, 4000);
  } catch {
    return 'AssertionError: ' + name;
  }
};
listen(tap.parser, []);
let over = false;
tap.parser.on('complete', () => {
  over = true;
});
watch(() => over);
