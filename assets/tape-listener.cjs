// Behind `scripts-listener.cjs` and `fromRoom`.
const Results = fromRoom('tape/lib/results');
const push = Results.prototype.push;
const known = new Set();
const follow = (test, file, names) => {
  const name = [...names, String(test.name)];
  const one = { begun: false, ended: false, failed: null, skipped: 0, held: 0, inner: [] };
  const row = told(file, name, 'skipped', undefined);
  known.add(one);
  test.once('prerun', () => {
    one.begun = true;
  });
  test.on('result', (result) => {
    if (typeof result !== 'object' || result === null) return;
    if (result.skip) one.skipped += 1;
    else if (result.ok) one.held += 1;
    else if (!result.todo) one.failed ??= said(result);
  });
  test.on('end', () => {
    one.ended = true;
  });
  test.on('test', (inner) => one.inner.push(follow(inner, file, name)));
  atEnd(() => {
    const isPutOff = Boolean(test._skip) || (one.skipped > 0 && one.held === 0 && one.failed === null);
    const below = failureIn(one);
    if (below !== null) {
      row.status = 'failed';
      row.message = one.failed ?? below;
    } else row.status = test._todo ? 'todo' : one.ended && !isPutOff ? 'passed' : 'skipped';
  });
  return one;
};
const failureIn = (one) =>
  one.failed ??
  (one.begun && !one.ended
    ? 'the test did not end'
    : one.inner.some((test) => failureIn(test) !== null)
      ? 'a test within it failed'
      : null);
const said = ({ operator, name, expected, actual, error }) => {
  const values =
    operator === 'fail' || operator === 'error' || operator === 'throws'
      ? ''
      : '\nexpected: ' + shownValue(expected) + '\nactual: ' + shownValue(actual);
  return 'AssertionError: ' + [operator, name].filter(Boolean).join(': ') + values + (error === undefined ? '' : '\n' + shown(error));
};
Results.prototype.push = function (test) {
  follow(test, caller(), []);
  return push.call(this, test);
};
watch(() => known.size > 0 && [...known].every((one) => one.ended));
