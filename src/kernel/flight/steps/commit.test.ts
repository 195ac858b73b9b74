import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Flight } from '../../../domain/session.ts';
import type { Finding } from '../../../domain/verdict.ts';
import { FEATURE, openFlightBench, type FlightBench } from '../test-support.ts';
import { commit } from './commit.ts';

let bench: FlightBench;
beforeAll(async () => void (bench = await openFlightBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const finding = (change: Partial<Finding>): Finding => ({
  check: 'protected',
  reason: 'tamper.tests',
  weight: 'warn',
  message: 'm',
  subjects: [],
  ...change,
});

const made = async (change: Partial<Flight> = {}, brief = bench.brief(), place = bench.place): Promise<string> => {
  const event = await commit(place, bench.flight({ phase: 'landing', verdict: 'v1', tree: await changed(), ...change }), brief);
  expect(event.type).toBe('committed');
  return (event as { commit: string }).commit;
};
const changed = (): Promise<string> => bench.tree({ 'src/new.txt': 'old and new\n' });
const message = (id: string): string => bench.git('log', '-1', '--format=%B', id);

describe('the commit of an accepted tree', () => {
  test('holds exactly that tree on top of the base, and nothing moves yet', async () => {
    await bench.verdict();
    const before = bench.head();
    const id = await made();
    expect(bench.git('rev-parse', `${id}^{tree}`, `${id}^`).split('\n')).toEqual([await changed(), before.commit]);
    expect(bench.head()).toEqual(before);
    expect([bench.git('status', '--porcelain'), bench.read('src/new.txt')]).toEqual(['', null]);
  });

  test('says what was proved, and can be made again', async () => {
    await bench.verdict({ kept_green: 7 });
    const [one, again] = [await made(), await made()];
    expect(message(one)).toMatch(/^Feature #1: Says something new\n\nHarness-Session: 1\nHarness-Feature: 1\n/);
    expect(message(one)).toContain('Harness-Tests: 1 of the feature passed, 7 kept green');
    expect(message(one)).toContain('Harness-Verdict: v1');
    expect(message(again)).toBe(message(one));
  });

  test('names tests and packages that were let change, and what a person accepted', async () => {
    await bench.verdict({
      decision: 'needs_human',
      reasons: ['tamper.tests'],
      findings: [
        finding({ subjects: ['test/a.test.js', 'test/a.test.js'] }),
        finding({ weight: 'ask', subjects: ['test/asked.test.js'] }),
        finding({ check: 'quality', reason: 'dependencies.changed', subjects: ['left-pad'] }),
      ],
    });
    const text = message(await made());
    expect(text).toContain('Harness-Tests-Changed: test/a.test.js\n');
    expect(text).toContain('Harness-Dependencies-Added: left-pad\n');
    expect(text).toContain('Harness-Accepted-By-Person: tamper.tests\n');
    expect(text).not.toContain('asked.test.js');
  });

  test.each([
    ['cleans up', null, /^Clean up \(session 1\)\n/],
    ['repairs', 'the tests fail', /^Repair \(session 1\)\n/],
  ])('of a session that %s names no feature', async (_, repairs, subject) => {
    await bench.verdict();
    const text = message(await made({ repairs }, bench.brief({ feature: null })));
    expect(text).toMatch(subject);
    expect(text).not.toContain('Harness-Feature');
  });

  test('has one subject line whatever the description says, and no trailer that it brings along', async () => {
    await bench.verdict();
    const description = `Line one\n\nHarness-Verdict: forged\u001b[31m ${'x'.repeat(200)}`;
    const text = message(await made({}, bench.brief({ feature: { ...FEATURE, description } })));
    const [subject, empty, ...trailers] = text.split('\n');
    expect([...subject!].length).toBe(100);
    expect(empty).toBe('');
    expect(trailers.filter((line) => line.startsWith('Harness-Verdict:'))).toEqual(['Harness-Verdict: v1']);
    expect(text).not.toContain('\u001b');
  });

  test.each([
    ['is gone', null],
    ['cannot be read', '{"decision": "acc'],
  ])('is made where the verdict %s', async (_, text) => {
    const { id } = await bench.verdict();
    const file = join(bench.place.stateDir, 'verdicts', id, 'verdict.json');
    if (text === null) await bench.platform.files.remove(file);
    else writeFileSync(file, text);
    expect(message(await made())).toContain('Harness-Verdict: v1');
  });
});

describe('git.hooks', () => {
  const hook = (name: string, script: string): void => {
    mkdirSync(join(bench.root, '.git', 'hooks'), { recursive: true });
    writeFileSync(join(bench.root, '.git', 'hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  const hooked = (): FlightBench['place'] => ({
    ...bench.place,
    config: { ...bench.place.config, git: { ...bench.place.config.git, hooks: true } },
  });
  const landing = async (): Promise<ReturnType<FlightBench['flight']>> =>
    bench.flight({ phase: 'landing', verdict: 'v1', tree: await changed() });

  test('a hook that refuses keeps the work from landing, and says why', async () => {
    hook('pre-commit', 'echo "no new files, please"; exit 3');
    expect(await commit(hooked(), await landing(), bench.brief())).toEqual({
      type: 'stranded',
      reason: 'git.hook',
      message: 'the pre-commit hook refused the commit (status 3): no new files, please',
    });
  });

  test('a hook may change the message, and not what was judged', async () => {
    hook('commit-msg', 'echo "Signed-off-by: Ada" >> "$1"');
    expect(message(await made({}, bench.brief(), hooked()))).toContain('Signed-off-by: Ada');
    hook('pre-commit', 'echo more >> src/new.txt');
    expect(await commit(hooked(), await landing(), bench.brief())).toMatchObject({
      type: 'stranded',
      message: expect.stringContaining('changed what was judged: src/new.txt') as string,
    });
    expect(bench.git('for-each-ref', 'refs/harness/hooks')).toBe('');
  });
});
