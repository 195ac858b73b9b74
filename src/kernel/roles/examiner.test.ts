import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Feature } from '../../domain/feature.ts';
import { allSessionRecords } from '../../journal/query.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import type { Examiner, ExaminerRequest } from '../../verify/examine/contract.ts';
import { readCosts } from '../books/costs-file.ts';
import type { Place } from '../place.ts';
import { createPlaceBench, type PlaceBench } from '../test-support.ts';
import { examinerFor } from './examiner.ts';
import { writeConsent } from './examiner-consent.ts';
import type { BackendName } from '../../agents/registry.ts';

const FEATURE: Feature = {
  id: 7,
  description: 'A user subtracts',
  verification_steps: ['5 - 2 is 3'],
  interface: 'subtract(a, b)',
  passes: false,
};
const REQUEST: ExaminerRequest = {
  feature: FEATURE,
  interface: 'subtract(a, b)',
  skeleton: 'export function subtract(a, b)',
  program: ['package.json bin: {"calc":"cli.js"}'],
  stands_on: [{ id: 3, description: 'A user adds', interface: 'add(a, b)' }],
  style: 'node:test',
  path: 'test/x.test.js',
};
const USABLE = async (): Promise<boolean> => true;
const PAID = `echo '{"type":"usage","input_tokens":10,"output_tokens":1,"cost_usd":0.05}'\n`;
const REPLY = "## Signs are kept\n\n```js\nimport { test } from 'node:test';\ntest('signs', () => {});\n```\n";
const WRITES = `cat > "$HARNESS_OUTPUT" <<'END'\n${REPLY}END\n`;

let bench: PlaceBench;
beforeEach(() => void (bench = createPlaceBench({ git: true })));
afterEach(() => bench.dispose());

async function examiner(place: Place, mode: 'auto' | 'off' | 'on' = 'on'): Promise<Examiner> {
  const config = { ...place.config, verification: { ...place.config.verification, examiner: mode } };
  return (await examinerFor({ ...place, config }, FEATURE)).examiner ?? expect.fail('there is no examiner');
}

const sessions = (): number => bench.events.filter((event) => event.type === 'session.start').length;

test.each<['auto' | 'on' | 'off', BackendName, number, boolean | null, boolean]>([
  ['off', 'anthropic', 0, null, false],
  ['on', 'command', 9, null, true],
  ['auto', 'command', 0, null, false],
  ['auto', 'scripted', 0, null, false],
  ['auto', 'anthropic', 0, null, true],
  ['auto', 'anthropic', 9, null, false],
  ['auto', 'anthropic', 9, true, true],
  ['auto', 'codex', 9, false, false],
])('%s with the backend %s after %i sessions, agreed: %s', async (mode, backend, last, agreed, isThere) => {
  await bench.hold('', async (place) => {
    if (last > 0) bench.write({ '.harness/session_state.json': JSON.stringify({ last_session: last }) });
    if (agreed !== null) await writeConsent(place, agreed);
    const { agent, verification } = place.config;
    const config = { ...place.config, agent: { ...agent, backend }, verification: { ...verification, examiner: mode } };
    expect((await examinerFor({ ...place, config }, FEATURE)).examiner !== undefined).toBe(isThere);
  });
});

test('is paid once for a feature, however often its work is judged, until its text changes or its tests cannot be run', async () => {
  await bench.hold(`cat > /dev/null\n${PAID}${WRITES}`, async (place) => {
    const first = await (await examiner(place)).ask(REQUEST, USABLE);
    expect(first).toMatchObject({ tests: [{ behaviour: 'Signs are kept' }] });
    expect(await (await examiner(place)).ask(REQUEST, USABLE)).toEqual(first);
    const { cumulative } = await readCosts(place, { writer: false });
    expect(cumulative).toMatchObject({ total_sessions: 1, by_feature: [{ feature_id: 7, cost_usd: 0.05, sessions: 1 }] });
    const records = await allSessionRecords(place.platform, join(place.stateDir, 'logs'));
    expect(records).toMatchObject([{ role: 'project/examiner', feature_id: 7, cost_usd: 0.05, outcome: 'complete' }]);
    await (await examiner(place)).ask({ ...REQUEST, skeleton: 'export function subtract(a, b, c)' }, USABLE);
    expect(sessions()).toBe(1);
    await (await examiner(place)).ask({ ...REQUEST, feature: { ...FEATURE, description: 'A user divides' } }, USABLE);
    expect(sessions()).toBe(2);
    await (await examiner(place)).ask({ ...REQUEST, feature: { ...FEATURE, description: 'A user divides' } }, async () => false);
    expect(sessions()).toBe(3);
  });
});

/** A test of the examiner that holds what it saw, as comments. */
const TELLS = (look: string): string =>
  `seen=$({ ${look}; } 2>&1 | tr -d '\`~' | sed 's,^,// ,')\n{ echo '## Signs are kept'; echo '~~~js'; echo "import { test } from 'node:test';"; echo "test('signs', () => {});"; printf '%s\n' "$seen"; echo '~~~'; } > "$HARNESS_OUTPUT"\n`;

async function seenBy(look: string): Promise<string> {
  const answer = await bench.hold(TELLS(look), async (place) => (await examiner(place)).ask(REQUEST, USABLE));
  expect(answer).toMatchObject({ tests: [{ behaviour: 'Signs are kept' }] });
  return 'tests' in answer ? answer.tests.map(({ code }) => code).join('\n') : '';
}

test('is shown how the program starts, the skeleton, and the interfaces that the feature depends on', async () => {
  const seen = await seenBy('cat');
  for (const line of ['"calc":"cli.js"', '#3 A user adds', 'add(a, b)', 'export function subtract(a, b)']) expect(seen).toContain(line);
});

test('sees the feature and nothing of the project', async () => {
  bench.write({ 'secret.js': 'export const secret = 1;\n' });
  bench.git('add', '-A');
  bench.git('commit', '-q', '-m', 'The secret way');
  const looks = ['cat', 'ls -A', 'git log --all --format=%s', `ls -A ${bench.root}`, `cat ${bench.root}/secret.js`, 'git ls-files'];
  const seen = await seenBy(looks.join('; '));
  for (const shown of ['A user subtracts', '5 - 2 is 3', 'subtract(a, b)', 'node:test', 'test/x.test.js']) expect(seen).toContain(shown);
  expect(seen).not.toMatch(/The secret way|hello\.txt/);
  const { hides } = await bench.hold('', (place) => chosenSandbox(place.platform, 'auto'));
  if (hides) expect(seen).not.toMatch(/secret = 1|secret\.js\n/);
});

test('leaves nothing of what it wrote in any event', async () => {
  const script = `cat > /dev/null\ncat <<'END'\n${REPLY}END\necho '{"type":"tool","name":"Write","input":{"content":"HIDDEN-CODE"}}'\n`;
  await bench.hold(script, async (place) => {
    await (await examiner(place)).ask(REQUEST, USABLE);
    expect(JSON.stringify(bench.events)).not.toMatch(/Signs are kept|HIDDEN-CODE/);
  });
});

test('does not start below an agent that the harness started', async () => {
  await bench.hold('', async (place) => {
    const platform = { ...place.platform, env: { ...place.platform.env, HARNESS_DEPTH: '1' } };
    const config = { ...place.config, verification: { ...place.config.verification, examiner: 'on' as const } };
    expect(await examinerFor({ ...place, platform, config }, FEATURE)).toEqual({});
  });
});

describe('the second call', () => {
  const DISPUTE = { feature: FEATURE, interface: null, tests: [{ behaviour: 'Signs are kept', code: 'x' }], changes: ['f(1) was 1, is 2'] };

  test('answers by number, and the same question is paid once', async () => {
    const script = `cat > /dev/null\n${PAID}printf '1: entailed — it says so\\nchanged 1: no — nothing says so\\n' > "$HARNESS_OUTPUT"\n`;
    await bench.hold(script, async (place) => {
      const first = await (await examiner(place)).entail(DISPUTE);
      expect(first).toEqual({
        tests: [{ ruling: 'entailed', reason: 'it says so' }],
        changes: [{ account: 'no', reason: 'nothing says so' }],
      });
      expect(await (await examiner(place)).entail(DISPUTE)).toEqual(first);
      expect(sessions()).toBe(1);
      await (await examiner(place)).entail({ ...DISPUTE, changes: [] });
      expect(sessions()).toBe(2);
    });
  });

  test('that fails is a reason, and is asked again the next time', async () => {
    await bench.hold('cat > /dev/null; exit 3\n', async (place) => {
      expect(await (await examiner(place)).entail(DISPUTE)).toMatchObject({ why: expect.stringMatching(/second call was stopped/) });
      await (await examiner(place)).entail(DISPUTE);
      expect(sessions()).toBe(2);
    });
  });
});

test('is stopped at the cost of one examination, and the work is not examined', async () => {
  const answer = await bench.hold(`cat > /dev/null\n${PAID.replace('0.05', '0.5')}${WRITES}`, async (place) =>
    (await examiner(place)).ask(REQUEST, USABLE),
  );
  expect(answer).toMatchObject({ why: expect.stringMatching(/the examiner was stopped: .*budget/) });
});

describe('what goes wrong with the examiner', () => {
  test.each<[string, string, RegExp]>([
    ['an agent that fails', 'cat > /dev/null; exit 3\n', /stopped/],
    ['a reply that is none', 'cat > /dev/null; echo "I would rather not."\n', /wrote no test/],
    ['a flood', `cat > /dev/null; head -c 400000 /dev/zero | tr '\\0' x > "$HARNESS_OUTPUT"\n`, /too long/],
    ['a link to a file of the user', 'cat > /dev/null; ln -s /etc/passwd "$HARNESS_OUTPUT"\n', /wrote nothing/],
  ])('%s is a reason why the work was not examined', async (_, script, why) => {
    const answer = await bench.hold(script, async (place) => (await examiner(place)).ask(REQUEST, USABLE));
    expect('why' in answer && answer.why).toMatch(why);
  });

  test('a budget that is used up starts nobody', async () => {
    const answer = await bench.hold(WRITES, async (place) =>
      (
        await examiner({ ...place, books: { ...place.books, account: async () => ({ ...(await place.books.account(7)), budget: SPENT }) } })
      ).ask(REQUEST, USABLE),
    );
    expect('why' in answer && answer.why).toMatch(/budget/);
    expect(sessions()).toBe(0);
  });

  test('one that never comes to an end is not begun for ever', async () => {
    const answers = await bench.hold('cat > /dev/null; exit 3\n', async (place) => [
      await (await examiner(place)).ask(REQUEST, USABLE),
      await (await examiner(place)).ask(REQUEST, USABLE),
      await (await examiner(place)).ask(REQUEST, USABLE),
    ]);
    expect(answers[2]).toMatchObject({ why: expect.stringContaining('did not finish') });
    expect(sessions()).toBe(2);
  });
});

const SPENT = { perSession: 1, perFeature: 1, perProject: 1, featureSpent: 2, projectSpent: 2 };
