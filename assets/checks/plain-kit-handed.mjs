// Behind `plain-kit.mjs`: what tape, tap, ava, uvu and chai give to tests.
const asThrown = (run, wanted) => {
  try {
    run();
  } catch (error) {
    const { instanceOf, message, name, code } = isRecord(wanted) && !(wanted instanceof Error) ? wanted : {};
    const isOther = (instanceOf && !(error instanceof instanceOf)) || (name && error?.name !== name) || (code && error?.code !== code);
    if (isOther || !fits(saw(error), message ?? (isRecord(wanted) && !(wanted instanceof Error) ? undefined : wanted)))
      throw new Error('throws', { cause: error });
    return error;
  }
  throw new Error('throws');
};
const must = (holds) =>
  counts((...given) => {
    if (!holds(...given)) throw new Error('not so');
    return true;
  });
const same = must((value, wanted) => value === wanted || is(value, wanted) || isLike(value, wanted));
const other = must((value, wanted) => value !== wanted && !is(value, wanted));
const alike = must(isLike);
const unlike = must((value, wanted) => !isLike(value, wanted));
const yes = must((value) => !!value);
const no = must((value) => !value);
const ASSERTS = {
  equal: same,
  equals: same,
  is: same,
  strictEqual: same,
  strictEquals: same,
  not: other,
  notEqual: other,
  notEquals: other,
  notStrictEqual: other,
  deepEqual: alike,
  deepEquals: alike,
  same: alike,
  strictSame: alike,
  notDeepEqual: unlike,
  notSame: unlike,
  ok: yes,
  true: yes,
  truthy: yes,
  assert: yes,
  notOk: no,
  false: no,
  falsy: no,
  throws: counts(asThrown),
  doesNotThrow: counts((run) => void run()),
  notThrows: counts((run) => void run()),
  match: must((value, wanted) => (typeof value === 'string' && wanted instanceof RegExp ? wanted.test(value) : unknown('match'))),
  regex: must((value, wanted) => wanted.test(value)),
  pass: counts(none),
  fail: counts((text) => {
    throw new Error(String(text));
  }),
  throwsAsync: counts(async (run, wanted) => {
    let got;
    try {
      got = await (typeof run === 'function' ? run() : run);
    } catch (error) {
      return asThrown(() => {
        throw error;
      }, wanted);
    }
    throw new Error(String(got));
  }),
  comment: none,
  log: none,
};
ASSERTS.rejects = ASSERTS.throwsAsync;
/** It ends when it says so, when it has asserted as often as it planned, or with its promise. */
const handing = (run) => () =>
  new Promise((done, failed) => {
    let left = Infinity;
    const count = () => {
      left -= 1;
      if (left <= 0) done();
    };
    const asserting =
      (one) =>
      (...given) => {
        try {
          const made = one(...given);
          count();
          return made;
        } catch (error) {
          failed(error);
        }
      };
    const t = beyond({
      ...fromEntries(entries(ASSERTS).map(([name, one]) => [name, asserting(one)])),
      end: (error) => (error ? failed(error) : done()),
      plan: (count) => {
        left = count;
      },
      test: (title, ...given) => asserted(handing(given.find((one) => typeof one === 'function'))()),
      context: {},
    });
    const asserted = (inner) => {
      inner.then(count, failed);
      return inner;
    };
    try {
      const made = run(t);
      if (made instanceof Promise || typeof made?.then === 'function') made.then(() => done(), failed);
      else if (run.length === 0 || isAva) done();
    } catch (error) {
      failed(error);
    }
  });
let isAva = false;
const handed = (title, ...given) => {
  const run = given.find((one) => typeof one === 'function');
  return test(String(title), run === undefined ? undefined : handing(run));
};
const handedTests = beyond(assign((...some) => handed(...some), { skip: none, todo: none }));
assign(handedTests, { test: handedTests, serial: handedTests });
handedTests.default = handedTests;
const ofSuite = () =>
  beyond(
    assign((...some) => test(...some), {
      run: none,
      skip: none,
      before: assign((run) => hooks.beforeAll(run), { each: hooks.beforeEach }),
      after: assign((run) => hooks.afterAll(run), { each: hooks.afterEach }),
    }),
  );
const uvuIs = assign((...given) => must((value, wanted) => value === wanted)(...given), { not: other });
const uvuAsserts = beyond({
  ok: yes,
  is: uvuIs,
  equal: alike,
  throws: counts(asThrown),
  match: must((value, wanted) => (typeof wanted === 'string' ? value.includes(wanted) : wanted.test(value))),
  not: assign((...given) => no(...given), { equal: unlike, ok: no, throws: counts((run) => void run()) }),
  type: must((value, wanted) => typeof value === wanted),
  instance: must((value, wanted) => value instanceof wanted),
  unreachable: counts(() => {
    throw new Error('reached');
  }),
});
const CHAIN = new Set([
  'to',
  'be',
  'been',
  'is',
  'that',
  'which',
  'and',
  'has',
  'have',
  'with',
  'at',
  'of',
  'same',
  'but',
  'does',
  'still',
  'also',
]);
const chained = (value, isTurned = false, isDeep = false) => {
  const decide = (holds) => {
    if (!!holds === isTurned) throw new Error('not so');
    return true;
  };
  const equal = (wanted) => {
    number(value);
    return decide(isDeep ? isLike(value, wanted) : value === wanted);
  };
  const like = (wanted) => {
    number(value);
    return decide(isLike(value, wanted));
  };
  const raised = (wanted, text) => {
    try {
      value();
    } catch (error) {
      return decide(fits(saw(error), wanted) && (text === undefined || fits(error, text)));
    }
    return decide(false);
  };
  const above = (wanted) => decide(number(value) > wanted);
  const least = (wanted) => decide(number(value) >= wanted);
  const below = (wanted) => decide(number(value) < wanted);
  const most = (wanted) => decide(number(value) <= wanted);
  const length = (wanted) => decide(value.length === wanted);
  const inside = (wanted) =>
    typeof value === 'string'
      ? decide(value.includes(wanted))
      : isArray(value)
        ? decide(value.some((one) => (isDeep ? isLike(one, wanted) : one === wanted)))
        : unknown('include');
  const ways = {
    equal,
    equals: equal,
    eq: equal,
    eql: like,
    eqls: like,
    above,
    gt: above,
    greaterThan: above,
    least,
    gte: least,
    below,
    lt: below,
    lessThan: below,
    most,
    lte: most,
    lengthOf: length,
    include: inside,
    includes: inside,
    contain: inside,
    contains: inside,
    match: (wanted) => decide(wanted.test(value)),
    instanceof: (wanted) => decide(value instanceof wanted),
    instanceOf: (wanted) => decide(value instanceof wanted),
    throw: raised,
    throws: raised,
    Throw: raised,
  };
  const truths = {
    true: () => value === true,
    false: () => value === false,
    null: () => value === null,
    undefined: () => value === undefined,
    ok: () => !!value,
    NaN: () => is(value, NaN),
    exist: () => value !== null && value !== undefined,
    empty: () => (isRecord(value) ? keys(value).length === 0 : value.length === 0),
  };
  return new Proxy(
    {},
    {
      get: (_target, name) => {
        if (typeof name === 'symbol' || name === 'then') return undefined;
        if (CHAIN.has(name)) return chained(value, isTurned, isDeep);
        if (name === 'not') return chained(value, !isTurned, isDeep);
        if (name === 'deep') return chained(value, isTurned, true);
        if (name in truths) return decide(truths[name]());
        return name in ways ? ways[name] : unknown(name);
      },
    },
  );
};
const chaiAsserts = beyond(
  assign((...given) => yes(...given), {
    ok: yes,
    isOk: yes,
    isTrue: must((value) => value === true),
    isFalse: must((value) => value === false),
    isNull: must((value) => value === null),
    isUndefined: must((value) => value === undefined),
    equal: must((value, wanted) => value == wanted),
    notEqual: must((value, wanted) => value != wanted),
    strictEqual: must((value, wanted) => value === wanted),
    notStrictEqual: must((value, wanted) => value !== wanted),
    deepEqual: alike,
    notDeepEqual: unlike,
    throws: counts(asThrown),
    instanceOf: must((value, wanted) => value instanceof wanted),
    lengthOf: must((value, wanted) => value.length === wanted),
  }),
);
const ofChai = beyond({ expect: counts((value) => chained(value)), assert: chaiAsserts });
ofChai.default = ofChai;
assign(MORE, {
  tape: () => handedTests,
  tap: () => handedTests,
  ava: () => {
    isAva = true;
    return handedTests;
  },
  uvu: () => beyond({ test: ofSuite(), suite: ofSuite }),
  'uvu/assert': () => uvuAsserts,
  chai: () => ofChai,
});
