import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Feature } from '../../domain/feature.ts';
import { allSessionRecords } from '../../journal/query.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import type { Examiner, ExaminerRequest } from '../../verify/examiner/contract.ts';
import { readCosts } from '../books/costs-file.ts';
import type { Place } from '../place.ts';
import { createPlaceBench, type PlaceBench } from '../test-support.ts';
import { examinerFor } from './examiner.ts';

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
  program: ['package.json bin: {"calc":"cli.js"}'],
  stands_on: [{ id: 3, description: 'A user adds', interface: 'add(a, b)' }],
  style: 'node:test',
  path: 'test/x.test.js',
};
const PAID = `echo '{"type":"usage","input_tokens":10,"output_tokens":1,"cost_usd":0.25}'\n`;
const REPLY = "## Signs are kept\n\n```js\nimport { test } from 'node:test';\ntest('signs', () => {});\n```\n";
const WRITES = `cat > "$HARNESS_OUTPUT" <<'END'\n${REPLY}END\n`;

let bench: PlaceBench;
beforeEach(() => void (bench = createPlaceBench({ git: true })));
afterEach(() => bench.dispose());

function examiner(place: Place, session = 3, mode: 'off' | 'ask' = 'ask'): Examiner | undefined {
  const config = { ...place.config, verification: { ...place.config.verification, examiner: mode } };
  return examinerFor({ ...place, config }, { session }, { feature: FEATURE }).examiner;
}

const sessions = (): number => bench.events.filter((event) => event.type === 'session.start').length;

test('is not there unless the settings ask for it', async () => {
  await bench.hold('', async (place) => expect(examiner(place, 3, 'off')).toBeUndefined());
});

test('is paid once for a session, from the money of the feature, however often its work is judged', async () => {
  await bench.hold(`cat > /dev/null\n${PAID}${WRITES}`, async (place) => {
    const first = await examiner(place)!.ask(REQUEST);
    expect(first).toMatchObject({ tests: [{ behaviour: 'Signs are kept' }] });
    expect(await examiner(place)!.ask(REQUEST)).toEqual(first);
    const { cumulative } = await readCosts(place, { writer: false });
    expect(cumulative).toMatchObject({ total_sessions: 1, by_feature: [{ feature_id: 7, cost_usd: 0.25, sessions: 1 }] });
    const records = await allSessionRecords(place.platform, join(place.stateDir, 'logs'));
    expect(records).toMatchObject([{ role: 'project/examiner', feature_id: 7, cost_usd: 0.25, outcome: 'complete' }]);
    await examiner(place, 4)!.ask(REQUEST);
    expect(sessions()).toBe(2);
  });
});

test('is told how the program starts, and the interfaces that the feature stands on', async () => {
  await bench.hold(`grep -o -e '"calc":"cli.js"' -e '#3 A user adds' -e 'add(a, b)'\n${WRITES}`, async (place) => {
    await examiner(place)!.ask(REQUEST);
    const said = bench.events.flatMap((event) => (event.type === 'agent.text' ? event.text.trim() : []));
    expect(said.join('\n').split('\n')).toEqual(expect.arrayContaining(['"calc":"cli.js"', '#3 A user adds', 'add(a, b)']));
  });
});

test('sees the feature and nothing of the project', async () => {
  bench.write({ 'secret.js': 'export const secret = 1;\n' });
  bench.git('add', '-A');
  bench.git('commit', '-q', '-m', 'The secret way');
  const looks = ['cat', 'ls -A', 'git log --all --format=%s', `ls -A ${bench.root}`, `cat ${bench.root}/secret.js`, 'git ls-files']
    .map((command) => `${command} 2>&1`)
    .join('; ');
  await bench.hold(`seen=$({ ${looks}; })\nprintf '%s' "$seen"\n${WRITES}`, async (place) => {
    await examiner(place)!.ask(REQUEST);
    const seen = bench.events.flatMap((event) => (event.type === 'agent.text' ? [event.text] : [])).join('\n');
    for (const told of ['A user subtracts', '5 - 2 is 3', 'subtract(a, b)', 'node:test', 'test/x.test.js']) expect(seen).toContain(told);
    expect(seen).not.toMatch(/The secret way|hello\.txt/);
    if ((await chosenSandbox(place.platform, 'auto')).hides) expect(seen).not.toMatch(/secret = 1|secret\.js\n/);
  });
});

describe('what goes wrong with the examiner', () => {
  test.each<[string, string, RegExp]>([
    ['an agent that fails', 'cat > /dev/null; exit 3\n', /stopped/],
    ['a reply that is none', 'cat > /dev/null; echo "I would rather not."\n', /wrote no test/],
    ['a flood', `cat > /dev/null; head -c 400000 /dev/zero | tr '\\0' x > "$HARNESS_OUTPUT"\n`, /too long/],
    ['a link to a file of the user', 'cat > /dev/null; ln -s /etc/passwd "$HARNESS_OUTPUT"\n', /wrote nothing/],
  ])('%s is a reason why the work was not examined', async (_, script, why) => {
    const answer = await bench.hold(script, (place) => examiner(place)!.ask(REQUEST));
    expect('why' in answer && answer.why).toMatch(why);
  });

  test('a budget that is used up starts nobody', async () => {
    const answer = await bench.hold(WRITES, (place) =>
      examiner({ ...place, books: { ...place.books, account: async () => ({ ...(await place.books.account(7)), budget: SPENT }) } })!.ask(
        REQUEST,
      ),
    );
    expect('why' in answer && answer.why).toMatch(/budget/);
    expect(sessions()).toBe(0);
  });

  test('one that never comes to an end is not begun for ever', async () => {
    const answers = await bench.hold('cat > /dev/null; exit 3\n', async (place) => [
      await examiner(place)!.ask(REQUEST),
      await examiner(place)!.ask(REQUEST),
      await examiner(place)!.ask(REQUEST),
    ]);
    expect(answers[2]).toMatchObject({ why: expect.stringContaining('did not finish') });
    expect(sessions()).toBe(2);
  });
});

const SPENT = { perSession: 1, perFeature: 1, perProject: 1, featureSpent: 2, projectSpent: 2 };
