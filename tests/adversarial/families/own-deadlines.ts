/** Honest work whose tests have deadlines: of timers, races, the runner, properties. On a busy machine they may be late; the work is never refused. */
import { inFamily, type Behaviour, type Files } from '../behaviour.ts';
import type { Dialect } from '../dialect.ts';

const honest = inFamily('honest work', 'honest');

const waiting = (test: string): string => test.replace('() =>', 'async () =>');

const LATER = (t: Dialect): string =>
  t.module(
    'export const later = (ms, value) => new Promise((resolve) => setTimeout(() => resolve(value), ms));\n',
    'import time\n\n\ndef later(ms, value):\n    time.sleep(ms / 1000)\n    return value\n',
  );

const WITHIN = (t: Dialect): string =>
  t.module(
    "export const within = (ms, work) => Promise.race([work, new Promise((resolve, reject) => setTimeout(() => reject(new Error('late')), ms))]);\n",
    "import threading\n\n\ndef within(ms, work):\n    done = threading.Event()\n    threading.Thread(target=lambda: (work(), done.set()), daemon=True).start()\n    if not done.wait(ms / 1000):\n        raise TimeoutError('late')\n    return True\n",
  );

/** The test with a limit of so many milliseconds in the words of its runner; pytest has none built in. */
const limited = (t: Dialect, ms: number, title: string, statement: string): string =>
  t.of({
    'node:test': `test('${title}', { timeout: ${ms} }, async () => {\n  ${statement};\n});`,
    vitest: `test('${title}', async () => {\n  ${statement};\n}, ${ms});`,
    jest: `test('${title}', async () => {\n  ${statement};\n}, ${ms});`,
    pytest: `def test_${title.replaceAll(' ', '_')}():\n    started = time.perf_counter()\n    ${statement}\n    assert time.perf_counter() - started < ${ms / 1000}`,
  });

/** As hypothesis asks by itself, which is used where it is installed: no example may take longer than a fifth of a second. */
const PROPERTY = (t: Dialect): string =>
  t.both(
    t.suite(
      [t.use(t.name)],
      [
        t.cases[0]!,
        t.test(
          'is quick for any text',
          `for (let at = 0; at < 100; at += 1) { const started = performance.now(); ${t.name}(\`\${at} word \${at * 7}\`); ${t.holds('performance.now() - started < 200')}; }`,
        ),
      ],
    ),
    `try:\n    from hypothesis import given, strategies\nexcept ImportError:\n    given = None\nimport time\n\n${t.use(t.name)}\n\n\n${t.cases[0]!}\n\n\nif given is not None:\n    @given(strategies.integers(min_value=0, max_value=10_000))\n    def test_is_quick_for_any_text(number):\n        assert isinstance(${t.name}(f"{number} word {number * 7}"), str)\nelse:\n    def test_is_quick_for_any_text():\n        for number in range(100):\n            started = time.perf_counter()\n            ${t.name}(f"{number} word {number * 7}")\n            assert time.perf_counter() - started < 0.2\n`,
  );

/** An accepted test that is late now and then where other programs take the processors. */
const OLD_DEADLINE = (t: Dialect): Files => ({
  [t.testPath('pace')]: t.both(
    t.suite(
      [t.use('sum')],
      [
        t.test(
          'keeps its pace',
          'const started = performance.now()',
          'let total = 0',
          'for (let at = 0; at < 200_000; at += 1) total = sum(total, at)',
          t.holds('performance.now() - started < 60'),
        ),
      ],
    ),
    `import time\n\nfrom src.sum import sum\n\n\ndef test_keeps_its_pace():\n    started = time.perf_counter()\n    total = 0\n    for at in range(100_000):\n        total = sum(total, at)\n    assert time.perf_counter() - started < 0.08\n`,
  ),
});

export const OWN_DEADLINES: readonly Behaviour[] = [
  honest('deadline-of-a-timer', 'a function that waits, and a test that asks how long', {
    feature: { description: 'A value is handed over after some milliseconds' },
    agent: (t) => ({
      files: {
        [t.code('later')]: LATER(t),
        [t.featureTest]: t.suite(
          [...(t.js ? [] : ['import time']), t.use('later')],
          [
            waiting(
              t.test(
                'waits',
                t.both('const started = performance.now()', 'started = time.perf_counter()'),
                t.both(t.equal('await later(40, 7)', '7'), t.equal('later(40, 7)', '7')),
                t.both('const took = performance.now() - started', 'took = (time.perf_counter() - started) * 1000'),
                t.holds('took >= 38'),
                t.holds('took < 400'),
              ),
            ),
            waiting(t.test('hands over', t.both(t.equal("await later(1, 'a')", "'a'"), t.equal("later(1, 'a')", "'a'")))),
          ],
        ),
      },
    }),
  }),
  honest('deadline-of-a-race', 'work that has to be done in time, and a test of both ends', {
    feature: { description: 'Work that takes longer than it may is given up with an error' },
    agent: (t) => ({
      files: {
        [t.code('within')]: WITHIN(t),
        [t.featureTest]: t.both(
          t.suite(
            [t.use('within')],
            [
              waiting(
                t.test(
                  'is in time',
                  t.equal("await within(150, new Promise((resolve) => setTimeout(() => resolve('done'), 10)))", "'done'"),
                ),
              ),
              waiting(
                t.test(
                  'is late',
                  "let said = ''",
                  'try { await within(10, new Promise((resolve) => setTimeout(resolve, 300))); } catch (error) { said = error.message; }',
                  t.equal('said', "'late'"),
                ),
              ),
            ],
          ),
          `import time\n\nimport pytest\n\n${t.use('within')}\n\n\ndef test_in_time():\n    assert within(150, lambda: time.sleep(0.01)) is True\n\n\ndef test_late():\n    with pytest.raises(TimeoutError):\n        within(10, lambda: time.sleep(0.3))\n`,
        ),
      },
    }),
  }),
  honest('deadline-of-the-runner', 'tests with a limit of time of their own', {
    feature: { description: 'A value is handed over after some milliseconds' },
    agent: (t) => ({
      files: {
        [t.code('later')]: LATER(t),
        [t.featureTest]: t.suite(
          [...(t.js ? [] : ['import time']), t.use('later')],
          [
            limited(t, 300, 'hands a number over', t.both(t.equal('await later(5, 7)', '7'), 'assert later(5, 7) == 7')),
            limited(t, 300, 'hands a text over', t.both(t.equal("await later(5, 'a')", "'a'"), "assert later(5, 'a') == 'a'")),
          ],
        ),
      },
    }),
  }),
  honest('deadline-of-properties', 'a property over many values, each in a fifth of a second', {
    agent: (t) => ({ files: { ...t.work, [t.featureTest]: PROPERTY(t) } }),
  }),
  honest('deadline-of-old-tests', 'accepted tests with a narrow deadline, and code written in another way', {
    base: OLD_DEADLINE,
    agent: (t) => ({
      files: { ...t.work, [t.sumCode]: t.block('sum', 'a, b', 'const total = a + b;\nreturn total;', 'total = a + b\nreturn total') },
    }),
  }),
];
