// Behind `scripts-listener.cjs`.
const known = [];
const LISTS = ['tests', 'only', 'before', 'after', 'bEach', 'aEach'];
const { isArray } = Array;
const isSuite = (value) => typeof value === 'object' && value !== null && LISTS.every((name) => isArray(value[name]));
const follow = ({ tests, only, bEach, aEach, skips, state }) => {
  const file = caller();
  const group = typeof state?.__suite__ === 'string' && state.__suite__ !== '' ? [state.__suite__] : [];
  const chosen = (only.length > 0 ? only : tests).map((test) => ({ test, begun: false, ended: false, failed: null }));
  const fail = (one, error) => {
    if (one !== undefined) one.failed ??= said(error);
    throw error;
  };
  for (const one of chosen) {
    const { handler } = one.test;
    one.row = told(file, [...group, String(one.test.name)], 'skipped', undefined);
    one.test.handler = async (...given) => {
      one.begun = true;
      try {
        await handler(...given);
        one.ended = true;
      } catch (error) {
        fail(one, error);
      }
    };
  }
  if (only.length > 0) for (const test of tests) told(file, [...group, String(test.name)], 'skipped', undefined);
  for (let at = 1; at <= skips; at += 1) told(file, [...group, 'skipped ' + at], 'skipped', undefined);
  const around = (hooks, which) =>
    hooks.forEach((hook, at) => {
      hooks[at] = async (...given) => {
        try {
          await hook(...given);
        } catch (error) {
          fail(which(), error);
        }
      };
    });
  around(bEach, () => chosen.find((one) => !one.begun && one.failed === null));
  around(aEach, () => chosen.findLast((one) => one.begun));
  known.push(...chosen);
};
const said = (error) =>
  (error?.code === 'ERR_ASSERTION' ? 'AssertionError: ' : '') +
  shown(error) +
  (error?.code === 'ERR_ASSERTION'
    ? '\nexpected: ' + shownValue(error.expects ?? error.expected) + '\nactual: ' + shownValue(error.actual)
    : '');
Object.assign = new Proxy(Object.assign, {
  apply: (assign, self, given) => {
    if (isSuite(given[0])) follow(given[0]);
    return Reflect.apply(assign, self, given);
  },
});
atEnd(() => {
  for (const { row, begun, ended, failed } of known) {
    row.status = failed !== null || (begun && !ended) ? 'failed' : ended ? 'passed' : 'skipped';
    row.message = row.status === 'failed' ? (failed ?? 'the test did not end') : undefined;
  }
});
watch(() => known.length > 0 && known.every((one) => one.ended || one.failed !== null));
