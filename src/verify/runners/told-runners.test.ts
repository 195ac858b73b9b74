import { expect, test } from 'vitest';
import { cargoRunner } from './cargo-test.ts';
import { goRunner } from './go-test.ts';
import type { RunnerOutput } from './runner.ts';

const output = (stdout: string, code: number): RunnerOutput => ({ report: null, stdout, stderr: '', code, room: '/room', files: null });
const told = async (runner: typeof goRunner, stdout: string, code: number): Promise<unknown> => {
  const { tests, problems } = await runner.parse(output(stdout, code));
  return [Object.fromEntries(tests.map((one) => [one.id, one.status])), problems];
};

const GO = [
  { Action: 'start', Package: 'example.com/m/calc' },
  { Action: 'run', Package: 'example.com/m/calc', Test: 'TestAdd' },
  { Action: 'output', Package: 'example.com/m/calc', Test: 'TestAdd', Output: '    calc_test.go:9: got 4, want 3\\n' },
  { Action: 'pass', Package: 'example.com/m/calc', Test: 'TestAdd/zero', Elapsed: 0 },
  { Action: 'fail', Package: 'example.com/m/calc', Test: 'TestAdd', Elapsed: 0.01 },
  { Action: 'skip', Package: 'example.com/m/calc', Test: 'TestLater', Elapsed: 0 },
  { Action: 'fail', Package: 'example.com/m/calc', Elapsed: 0.01 },
]
  .map((event) => JSON.stringify(event))
  .join('\n');

test('go tells each test under its package', async () => {
  expect(await told(goRunner, GO, 1)).toEqual([
    {
      'example.com/m/calc::TestAdd > zero': 'passed',
      'example.com/m/calc::TestAdd': 'failed',
      'example.com/m/calc::TestLater': 'skipped',
    },
    [],
  ]);
});

test('a package that does not compile, or never ends, has not passed', async () => {
  const broken = `{"Action":"output","Package":"m","Output":"m.go:3: undefined: x\\n"}\n{"Action":"fail","Package":"m"}`;
  expect(await told(goRunner, broken, 1)).toEqual([{ 'm::(file)': 'error' }, []]);
  expect(await told(goRunner, '{"Action":"pass","Package":"m","Test":"TestA"}', 0)).toEqual([
    { 'm::TestA': 'passed' },
    ['go test did not end for m'],
  ]);
  expect(await told(goRunner, 'ok  m 0.1s', 0)).toEqual([{}, ['go test told of no package']]);
});

/** As cargo 1.95 prints it. */
const CARGO = `   Compiling calc v0.1.0 (/room)
    Finished \`test\` profile [unoptimized + debuginfo] target(s) in 0.40s
     Running unittests src/lib.rs (target/debug/deps/calc-0a1b)

running 2 tests
test tests::adds ... ok
test tests::later ... ignored

test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/whole.rs (target/debug/deps/whole-0a1b)

running 2 tests
test panics - should panic ... ok
test subtracts ... FAILED

failures:

---- subtracts stdout ----
assertion \`left == right\` failed

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests calc

running 2 tests
test src/lib.rs - add (line 13) ... ok
test src/lib.rs - add (line 3) ... ok

test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s
`;

test('cargo tells each test under its file', async () => {
  expect(await told(cargoRunner, CARGO, 101)).toEqual([
    {
      'src/lib.rs::tests > adds': 'passed',
      'src/lib.rs::tests > later': 'skipped',
      'tests/whole.rs::panics': 'passed',
      'tests/whole.rs::subtracts': 'failed',
      'src/lib.rs::add': 'passed',
      'src/lib.rs::add (2)': 'passed',
    },
    [],
  ]);
});

test('lines that a test prints itself do not agree with what cargo counted', async () => {
  const forged = CARGO.replace('test subtracts ... FAILED', 'test subtracts ... ok\ntest subtracts ... FAILED');
  expect(await told(cargoRunner, forged, 101)).toMatchObject([{}, ['cargo counted other tests in tests/whole.rs than it told of']]);
});

test('what does not compile is an error', async () => {
  expect(await told(cargoRunner, 'error[E0425]: cannot find value `x`', 101)).toEqual([{ '(crate)::(file)': 'error' }, []]);
});
