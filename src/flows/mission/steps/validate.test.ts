/** What a validator can bring about, with a real program that answers in its place. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Issue, MissionState } from '../../../kernel/mission-schema.ts';
import { feature, flight, working } from '../machine/test-support.ts';
import type { MissionEvent } from '../machine/state.ts';
import { openMissionBench, type MissionBench } from '../test-support.ts';
import { convert } from './improve.ts';
import { validate } from './validate.ts';

let bench: MissionBench;
beforeAll(async () => void (bench = await openMissionBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const BASE = { 'test/old.test.js': 'exit 0\n', 'test/red.test.js': 'exit 1\n', 'readme.md': 'words\n' };
const WORK = { 'test/f1.test.js': 'exit 0\n', 'src/one.txt': 'one\n' };

type Validated = Extract<MissionEvent, { type: 'validated' }>;

async function told(work: Record<string, string>, proofs: object[], line = 'VERDICT: fail'): Promise<Validated> {
  bench.commit(BASE);
  const { commit } = bench.head();
  const said = JSON.stringify({ claims: [], issues: proofs.map((proof, at) => ({ title: `Issue ${at + 1}`, text: 'breaks', proof })) });
  bench.agent(`cat > /dev/null; printf '%s' '${said}' > "$HARNESS_OUTPUT"; echo '${line}'\n`);
  const flights = [flight(1, 'F-001', { phase: 'landing', base: commit, tree: await bench.tree({ ...WORK, ...work }) })];
  const state = working([feature(1, { status: 'validating' })], { flights, validating: [1] });
  const { event } = (await bench.perform(validate, state, { session: 1 })) as { event: Validated };
  return event;
}

describe('a validator', () => {
  test('does not block work with a command of its own, a test that failed before, or a file that is no test or not there', async () => {
    const proofs = [
      { tests: ['test/f1.test.js'], command: 'false' },
      { tests: ['test/red.test.js'] },
      { tests: ['readme.md'], command: 'exit 1' },
      { tests: ['src/one.txt'] },
      { tests: ['test/none.test.js'], command: 'exit 1' },
    ];
    const { holds, issues } = await told({}, proofs);
    expect(holds).toBeNull();
    expect(issues.map(({ title, state }) => [title, state])).toEqual(proofs.map((_, at) => [`Issue ${at + 1}`, 'open']));
  });

  test('holds work back with a failing test that it broke or brought along', async () => {
    const work = { 'test/old.test.js': 'exit 1\n', 'test/new.test.js': 'exit 1\n' };
    const { holds, issues } = await told(work, [{ tests: ['test/old.test.js'] }, { tests: ['test/new.test.js'] }]);
    expect(holds).toMatch(/Issue 1 \(test\/old\.test\.js.* fails\); Issue 2 \(test\/new\.test\.js.* fails\)/);
    expect(issues).toEqual([]);
  });

  test('does not lose a bare no', async () => {
    expect((await told({}, [])).issues).toMatchObject([{ title: expect.stringContaining('F-001') as string, proof: null }]);
  });

  test('is asked again for what is missing, and told what that is', async () => {
    await told({}, [], 'well');
    expect(bench.told('session.start')).toHaveLength(2);
    expect(bench.told('warning').map(({ message }) => message)).toContain(
      'validator: the reply has no line VERDICT: pass or VERDICT: fail; the verdict of the harness stands',
    );
  });
});

describe('a smoke run before the landing', () => {
  let program: MissionBench;
  let port: number;
  beforeAll(async () => {
    port = await freePort();
    program = await openMissionBench(
      `mission:\n  smoke_test: { enabled: true, startup_cmd: node serve.mjs, startup_wait_seconds: 1, urls: [{ url: 'http://127.0.0.1:${port}/', expect_status: 200 }] }\n`,
    );
  });
  afterAll(() => program.close());

  const answering = (status: number): string =>
    `import { createServer } from 'node:http';\ncreateServer((_, answer) => answer.writeHead(${status}).end()).listen(${port}, '127.0.0.1');\n`;

  async function smoked(base: number, work: number): Promise<Validated> {
    await program.reset();
    program.commit({ 'serve.mjs': answering(base) });
    const { commit } = program.head();
    program.agent(`cat > /dev/null; printf '%s' '{"claims":[],"issues":[]}' > "$HARNESS_OUTPUT"; echo 'VERDICT: pass'\n`);
    const tree = await program.tree({ ...WORK, 'serve.mjs': answering(work) });
    const flights = [flight(1, 'F-001', { phase: 'landing', base: commit, tree })];
    const state = working([feature(1, { status: 'validating' })], { flights, validating: [1] });
    const about = { session: 1, rules: { smoke: { onDone: false, onPass: true } } };
    return ((await program.perform(validate, state, about)) as { event: Validated }).event;
  }

  test.each<[string, number, number, object]>([
    ['lets work pass with which the program answers', 500, 200, { holds: null, issues: [] }],
    [
      'holds back work with which it no longer does',
      200,
      500,
      { holds: expect.stringMatching(/the smoke run fails with this work, and not before it: .* answered 500/) as string, issues: [] },
    ],
    ['makes an issue of what failed before', 404, 500, { holds: null, issues: [{ by: 'smoke', proof: null, state: 'open' }] }],
  ])('%s', async (_, base, work, event) => {
    expect(await smoked(base, work)).toMatchObject(event);
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('issues of one report', () => {
  const issue = (title: string, ...tests: string[]): Issue => ({
    title,
    text: '',
    proof: { tests, command: 'false', person: false },
    by: 'validator',
    feature: 'F-001',
    state: 'open',
  });

  test('that share a test file become one feature, whose proof is the test alone', async () => {
    bench.commit(BASE);
    const issues = [issue('Red', 'test/red.test.js'), issue('Redder', 'test/red.test.js')];
    const state: MissionState = working([feature(1, { status: 'passed' })], { issues });
    expect(await bench.perform(convert, state)).toMatchObject({
      event: {
        promoted: [{ issue: 0, feature: 'F-FIX-001', claim: { proof: { tests: ['test/red.test.js'], command: null } } }],
        noted: [1],
      },
    });
  });
});
