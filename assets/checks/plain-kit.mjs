// Stands in for a runner in a program that has none; `plain-kit-handed.mjs` follows it. Nothing of the project is loaded yet.
import looseAssert from 'node:assert';
import strictAssert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
const { is, assign, entries, fromEntries, keys, getOwnPropertyNames } = Object;
const { isArray } = Array;
const { stringify } = JSON;
const { abs } = Math;
const later = setTimeout;
const clock = performance.now.bind(performance);
const looseEqual = looseAssert.deepEqual;
let running = null;
const unknown = (what) => {
  if (running !== null) running.state = 'unknown';
  throw new ReferenceError(String(what));
};
const beyond = (known) =>
  new Proxy(known, {
    get: (target, name) => (name in target || typeof name === 'symbol' || name === 'then' ? target[name] : unknown(name)),
  });
const saw = (error) => {
  running?.thrown.push(String(error?.constructor?.name));
  return error;
};
const number = (value) => {
  if (running !== null && is(value, NaN)) running.nans += 1;
  return value;
};
const counts =
  (run) =>
  (...given) => {
    if (running !== null) running.asserted += 1;
    for (const one of given) number(one);
    return run(...given);
  };
const assertsOf = (real) => {
  const taken = Object.fromEntries(
    entries(real).map(([name, one]) => [name, typeof one === 'function' && /^[a-z]/.test(name) ? counts(one) : one]),
  );
  const own = assign((...given) => taken.ok(...given), taken, {
    throws: (run, ...more) =>
      taken.throws(
        () => {
          try {
            return run();
          } catch (error) {
            throw saw(error);
          }
        },
        ...more,
      ),
    rejects: (run, ...more) =>
      taken.rejects(
        async () => {
          try {
            return await (typeof run === 'function' ? run() : run);
          } catch (error) {
            throw saw(error);
          }
        },
        ...more,
      ),
  });
  own.default = own;
  return own;
};
const strictly = assertsOf(strictAssert);
const loosely = assertsOf(looseAssert);
strictly.strict = loosely.strict = strictly;
const isLike = (left, right) => {
  if (isDeepStrictEqual(left, right) || (stringify(left) !== undefined && stringify(left) === stringify(right))) return true;
  try {
    looseEqual(left, right);
    return true;
  } catch {
    return false;
  }
};
const isRecord = (value) =>
  value !== null &&
  typeof value === 'object' &&
  !isArray(value) &&
  !(value instanceof RegExp || value instanceof Date || value instanceof Map || value instanceof Set);
const holds = (value, wanted) =>
  isRecord(wanted)
    ? isRecord(value) && entries(wanted).every(([name, part]) => name in value && holds(value[name], part))
    : isArray(wanted)
      ? isArray(value) && value.length === wanted.length && wanted.every((part, at) => holds(value[at], part))
      : isLike(value, wanted);
const fits = (error, wanted) => {
  if (wanted === undefined) return true;
  const text = String(error?.message ?? error);
  if (typeof wanted === 'string') return text.includes(wanted);
  if (wanted instanceof RegExp) return wanted.test(text);
  return typeof wanted === 'function' ? error instanceof wanted : text === String(wanted?.message);
};
const throwing = (value, wanted, isSettled) => {
  if (isSettled) return fits(saw(value), wanted);
  try {
    value();
  } catch (error) {
    return fits(saw(error), wanted);
  }
  return false;
};
const callsOf = (value) => value?.mock?.calls ?? unknown('calls');
const MATCHERS = {
  toBe: is,
  toEqual: isLike,
  toStrictEqual: isLike,
  toMatchObject: holds,
  toBeCloseTo: (value, wanted, digits = 2) => value === wanted || abs(value - wanted) < 10 ** -digits / 2,
  toBeTruthy: (value) => !!value,
  toBeFalsy: (value) => !value,
  toBeNull: (value) => value === null,
  toBeNaN: (value) => is(value, NaN),
  toBeUndefined: (value) => value === undefined,
  toBeDefined: (value) => value !== undefined,
  toBeGreaterThan: (value, wanted) => value > wanted,
  toBeGreaterThanOrEqual: (value, wanted) => value >= wanted,
  toBeLessThan: (value, wanted) => value < wanted,
  toBeLessThanOrEqual: (value, wanted) => value <= wanted,
  toContain: (value, wanted) => (typeof value === 'string' ? value.includes(wanted) : [...value].some((one) => is(one, wanted))),
  toContainEqual: (value, wanted) => [...value].some((one) => isLike(one, wanted)),
  toHaveLength: (value, wanted) => value.length === wanted,
  toMatch: (value, wanted) => (typeof wanted === 'string' ? value.includes(wanted) : wanted.test(value)),
  toBeInstanceOf: (value, wanted) => value instanceof wanted,
  toBeTypeOf: (value, wanted) => typeof value === wanted,
  toThrow: throwing,
  toThrowError: throwing,
  toHaveBeenCalled: (value) => callsOf(value).length > 0,
  toHaveBeenCalledTimes: (value, times) => callsOf(value).length === times,
  toHaveBeenCalledWith: (value, ...given) => callsOf(value).some((call) => isLike(call, given)),
};
const expects = (value, isTurned = false, settled = null) =>
  beyond({
    get not() {
      return expects(value, !isTurned, settled);
    },
    get resolves() {
      return expects(value, isTurned, async () => [await value, false]);
    },
    get rejects() {
      return expects(value, isTurned, async () => {
        let got;
        try {
          got = await (typeof value === 'function' ? value() : value);
        } catch (error) {
          return [error, true];
        }
        throw new Error(String(got));
      });
    },
    ...Object.fromEntries(
      entries(MATCHERS).map(([name, matcher]) => {
        const decide = (seen, given, isSettled) => {
          if (
            !!matcher(seen, ...given, ...(matcher === throwing ? [...(given.length === 0 ? [undefined] : []), isSettled] : [])) === isTurned
          )
            throw new Error(name);
        };
        return [
          name,
          settled === null
            ? (...given) => decide(value, given, false)
            : async (...given) => {
                const [seen, isSettled] = await settled();
                decide(seen, given, isSettled);
              },
        ];
      }),
    ),
  });
const expect = beyond(
  assign(
    counts((value) => expects(value)),
    {},
  ),
);
const spy = (run = () => undefined) => {
  const calls = [];
  const own = (...given) => {
    calls.push(given);
    return run(...given);
  };
  own.mock = beyond({ calls });
  own.mockImplementation = (other) => {
    run = other;
    return own;
  };
  own.mockReturnValue = (value) => own.mockImplementation(() => value);
  own.mockResolvedValue = (value) => own.mockImplementation(async () => value);
  own.mockRejectedValue = (error) =>
    own.mockImplementation(async () => {
      throw error;
    });
  return own;
};
const nodeSpy = (run = () => undefined) => {
  const calls = [];
  const own = (...given) => {
    const result = run(...given);
    calls.push(beyond({ arguments: given, result }));
    return result;
  };
  own.mock = beyond({ calls, callCount: () => calls.length });
  return own;
};
const groupOf = (up, title) => ({ up, title, members: [], first: [], last: [], around: [], behind: [] });
let root = groupOf(null, '');
let open = root;
const take = (title, given, run) => {
  const options = given.find((one) => one !== null && typeof one === 'object');
  if (options?.skip || options?.todo || run === undefined) return;
  if (options !== undefined && getOwnPropertyNames(options).some((name) => !/^(?:skip|todo|timeout|concurrency)$/.test(name)))
    unknown('options');
  open.members.push({ title: String(title?.name ?? title), run });
};
const none = () => {};
const eachOf =
  (made) =>
  (rows, ...parts) => {
    if (parts.length > 0 || !isArray(rows)) unknown('each');
    return (title, run) => rows.forEach((row, at) => made(`${title} ${at}`, () => run(...(isArray(row) ? row : [row]))));
  };
const test = (title, ...given) =>
  take(
    title,
    given,
    given.find((one) => typeof one === 'function'),
  );
const describe = (title, ...given) => {
  const group = groupOf(open, String(title?.name ?? title));
  open.members.push({ group });
  open = group;
  try {
    if (given.find((one) => typeof one === 'function')?.() instanceof Promise) unknown('group');
  } finally {
    open = group.up;
  }
};
const hooks = {
  beforeAll: (run) => void open.first.push(run),
  afterAll: (run) => void open.last.push(run),
  beforeEach: (run) => void open.around.push(run),
  afterEach: (run) => void open.behind.push(run),
};
hooks.before = hooks.beforeAll;
hooks.after = hooks.afterAll;
assign(test, { each: eachOf(test), skip: none, todo: none, skipIf: (is) => (is ? none : test), runIf: (is) => (is ? test : none) });
assign(describe, { each: eachOf(describe), skip: none, todo: none });
const tests = beyond(assign((...given) => test(...given), test));
const groups = beyond(assign((...given) => describe(...given), describe));
const given = beyond({
  ...hooks,
  test: tests,
  it: tests,
  describe: groups,
  suite: groups,
  context: groups,
  expect,
  vi: beyond({ fn: spy }),
  jest: beyond({ fn: spy }),
});
const ofNode = beyond(
  assign((...some) => test(...some), test, hooks, {
    test: tests,
    it: tests,
    describe: groups,
    suite: groups,
    mock: beyond({ fn: nodeSpy }),
  }),
);
ofNode.default = ofNode;
/** By the name of a module: what stands in for it. `plain-kit-handed.mjs` fills it. */
const MORE = {};
const KIT = (module) =>
  MORE[module]?.() ??
  (module.endsWith('assert/strict') ? strictly : module.endsWith('assert') ? loosely : module === 'node:test' ? ofNode : given);
const isForeign = (error) =>
  error instanceof ReferenceError ||
  error instanceof SyntaxError ||
  /^(?:ERR_(?:MODULE|PACKAGE|UNSUPPORTED|UNKNOWN|REQUIRE|IMPORT)|MODULE_NOT_FOUND)/.test(String(error?.code));
let told = [];
const tester = () =>
  beyond(
    assign(none, {
      test: async (_name, run) => {
        await run(tester());
      },
      diagnostic: none,
      mock: beyond({ fn: nodeSpy }),
    }),
  );
const groupsOf = (group) => (group === null ? [] : [...groupsOf(group.up), group]);
const runTest = async (member, group) => {
  const all = groupsOf(group);
  running = {
    title: [...all.slice(1).map((one) => one.title), member.title].join(' > ').slice(0, 100),
    state: 'held',
    thrown: [],
    asserted: 0,
    nans: 0,
  };
  told.push(running);
  const own = running;
  try {
    for (const one of all) for (const hook of one.around) await hook(tester());
    try {
      await member.run(tester());
    } finally {
      for (const one of all.toReversed()) for (const hook of one.behind) await hook(tester());
    }
  } catch (error) {
    if (own.state === 'held') own.state = isForeign(error) ? 'unknown' : 'off';
  }
};
const runGroup = async (group, begin) => {
  for (const hook of group.first) await hook(tester());
  for (const member of group.members) {
    if (clock() - begin > 3_000) return;
    if (member.group !== undefined) await runGroup(member.group, begin);
    else await runTest(member, group);
  }
  for (const hook of group.last) await hook(tester());
};
const tooLong = () =>
  new Promise((done) => {
    later(() => done(true), 5_000).unref?.();
  });
let named = {};
let takers = {};
const isName = (of, name, value) =>
  typeof value === 'symbol' ||
  (typeof value === 'string' && /^\S+$/.test(value)) ||
  (typeof value === 'number' && of !== '' && /^[A-Z]/.test(name));
const constantsOf = (of) => {
  const holder = of === '' ? fromEntries(named[of].map((name) => [name, takers[name]()])) : takers[of]();
  if (holder === null || !/object|function/.test(typeof holder)) return [];
  const own = entries(holder).filter(([name]) => !/^-?\d/.test(name));
  return named[of].map((name) => {
    const value = holder[name];
    const others = own.filter(([other]) => other !== name);
    const same = value === undefined ? ['given_nothing'] : others.filter(([, one]) => is(one, value)).map(([other]) => other);
    const apart = others
      .filter(([other, one]) => isName(of, name, value) && isName(of, other, one) && typeof one === typeof value && !is(one, value))
      .map(([other]) => other);
    return {
      title: `the constant ${of === '' ? '' : `${of}.`}${name}`.slice(0, 100),
      state: 'held',
      thrown: [],
      asserted: 0,
      nans: 0,
      same: same.length > given_most_same ? ['given_many'] : same,
      apart: [...(value === undefined ? [] : ['given_nothing']), ...apart].slice(0, given_most_apart),
    };
  });
};
const constants = () =>
  keys(named).flatMap((of) => {
    try {
      return constantsOf(of);
    } catch {
      return [];
    }
  });
assign(KIT, {
  number,
  names: (members, given) => {
    named = members;
    takers = given;
  },
});
const BEGIN = () => {
  root = open = groupOf(null, '');
  told = [];
  running = null;
  named = {};
};
const RUN = async () => {
  const isCut = await Promise.race([runGroup(root, clock()).catch(none), tooLong()]);
  if (isCut === true && running !== null) running.state = 'unknown';
  return [...told.map((one) => ({ ...one, thrown: one.thrown.slice(0, 5) })), ...constants()];
};
export { BEGIN, KIT, RUN };
