import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { matches } from './evaluate.ts';
import { parseExpression } from './expression.ts';
import { journalLine } from './line.ts';
import { allSessionRecords, queryJournal, sessionEntries, sessionRecords, tailJournal } from './query.ts';
import { scanBackward } from './scan.ts';

const NOW = Date.parse('2026-01-10T00:00:00.000Z');
const platform = { ...nodePlatform({}), clock: { ...nodePlatform({}).clock, now: () => NOW } };
const at = (hoursAgo: number): string => new Date(NOW - hoursAgo * 3_600_000).toISOString();
let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'harness-query-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const ENTRIES: [number, string, object][] = [
  [100, 'header', { journal: 'events' }],
  [30, 'session.start', { session: 1, feature: 12, backend: 'command' }],
  [29, 'agent.text', { session: 1, text: 'the "type":"session.end" of things\n— café' }],
  [28, 'session.end', { session: 1, feature: 12, outcome: 'rejected', reasons: ['test.failed', 'regression'], cost_usd: null }],
  [3, 'session.start', { session: 2, feature: 120, backend: 'command' }],
  [2, 'session.end', { session: 2, feature: 120, outcome: 'verified', reasons: [], cost_usd: 1.5 }],
  [1, 'gate.asked', { gate: { id: 'project.stuck', options: [{ label: 'Abort' }] } }],
];

async function ask(text: string, entries = ENTRIES): Promise<number[]> {
  await writeFile(
    join(folder, 'events.jsonl'),
    entries.map(([hours, type, fields]) => `${journalLine(at(hours), type, fields)}\n`).join(''),
  );
  const found = await queryJournal(platform, folder, text);
  return found.map((entry) => Math.round((NOW - Date.parse(entry.ts)) / 3_600_000));
}

test.each([
  ['', [30, 29, 28, 3, 2, 1]],
  ['type=session.end', [28, 2]],
  ['type=session.end and feature=12', [28]],
  ['type=session.end feature=12', [28]],
  ['feature=12', [30, 28]],
  ['feature=12.0', [30, 28]],
  ['feature>=12 and feature<121', [30, 28, 3, 2]],
  ['outcome!=verified and type=session.end', [28]],
  ['not type=session.end', [30, 29, 3, 1]],
  ['type!=session.end', [30, 29, 3, 1]],
  ['type~session', [30, 28, 3, 2]],
  ['reasons=regression', [28]],
  ['reasons~test.', [28]],
  ['cost_usd>1', [2]],
  ['cost_usd=null', [28]],
  ['gate.id=project.stuck', [1]],
  ['gate~Abort', [1]],
  ['text~"café"', [29]],
  ['text~"\\"type\\""', [29]],
  ['since=4h', [3, 2, 1]],
  ['until=2026-01-09', [30, 29, 28]],
  ['since=29h and until=2h', [29, 28, 3, 2]],
  ['(outcome=verified or type=gate.asked) and since=1d', [2, 1]],
  ['type=session.start or type=session.end and feature=120', [30, 3, 2]],
  ['not (feature=12 or feature=120)', [29, 1]],
  ['"café"', [29]],
  ['"session.end"', [29, 28, 2]],
  ['TYPE=session.end', []],
  ["backend='command' AND session=2", [3]],
])('%s finds the events of %j hours ago', async (text, hours) => expect(await ask(text)).toEqual(hours));

test.each([
  ['type=', 6, 'a value was expected'],
  ['=x', 1, 'a condition was expected'],
  ['(type=x', 8, 'opened at position 1 is not closed'],
  ['type=x)', 7, 'no opening one'],
  ['type=x and', 11, 'ends where a condition'],
  ['type="x', 6, 'not closed'],
  ['since=soon', 7, 'neither a duration'],
  ['since>2h', 6, 'with "=" only'],
  ['a=b c=d !', 9, 'is not understood'],
  [`${'('.repeat(5_000)}a=b`, 101, 'too deeply'],
])('%s is refused at position %i', (text, position, what) => {
  expect(() => parseExpression(text, NOW)).toThrow(`position ${position}: `);
  expect(() => parseExpression(text, NOW)).toThrow(what);
});

describe('scanning', () => {
  test('a line that is being written, a broken one and a header are left out', async () => {
    await writeFile(
      join(folder, 'events.jsonl'),
      `${journalLine(at(3), 'header', {})}\nnonsense warning\n[1]\n${journalLine(at(2), 'warning', { message: 'whole' })}\n{"ts":"2026-01-09T23`,
    );
    expect(await queryJournal(platform, folder, '')).toHaveLength(1);
    expect(await tailJournal(platform, folder, 10)).toHaveLength(1);
  });

  test('a journal that does not exist has no entries', async () => {
    expect(await queryJournal(platform, join(folder, 'none'), 'type=x', { files: ['events', 'sessions'] })).toEqual([]);
    expect(await tailJournal(platform, join(folder, 'none'), 3)).toEqual([]);
  });

  test('the tail gives the last entries, oldest first', async () => {
    await ask('');
    expect((await tailJournal(platform, folder, 2)).map((entry) => entry.type)).toEqual(['session.end', 'gate.asked']);
    expect(await tailJournal(platform, folder, 0)).toEqual([]);
    expect(await tailJournal(platform, folder, 99)).toHaveLength(6);
  });

  test('a query between instants passes over what is older and newer, wherever that is in a large file', async () => {
    const many = Array.from({ length: 6_000 }, (_, at): [number, string, object] => [
      6_000 - at,
      'agent.text',
      { session: Math.floor(at / 1_000), text: 'x'.repeat(200) },
    ]);
    await ask('', many);
    for (const from of [at(7_000), at(6_000), at(2_345), at(1), at(0)]) {
      const found = await queryJournal(platform, folder, 'session=3', { from });
      const wanted = (await queryJournal(platform, folder, 'session=3')).filter(({ ts }) => ts >= from);
      expect(found.filter(({ ts }) => ts >= from)).toEqual(wanted);
    }
    expect(await queryJournal(platform, folder, 'session=0', { from: at(10) })).toEqual([]);
    const all = await queryJournal(platform, folder, 'session=3');
    expect(await queryJournal(platform, folder, 'session=3', { from: all[0]!.ts, to: all.at(-1)!.ts })).toEqual(all);
    expect(await queryJournal(platform, folder, 'session=5', { to: at(5_000) })).toEqual([]);
  });

  test('a limited query gives the latest matches', async () => {
    await ask('');
    expect((await queryJournal(platform, folder, 'type=session.start', { limit: 1 })).map((entry) => entry['session'])).toEqual([2]);
  });

  test('entries of several files come in order of time', async () => {
    await ask('');
    await appendFile(join(folder, 'agent_actions.jsonl'), `${journalLine(at(29.5), 'cmd_run', { session: 1, cmd: 'ls' })}\n`);
    await appendFile(
      join(folder, 'sessions.jsonl'),
      `${journalLine(at(27), 'session', { session_id: 1 })}\n${journalLine(at(1), 'session', { session_id: 11 })}\n`,
    );
    expect((await sessionEntries(platform, folder, 1)).map((entry) => entry.type)).toEqual([
      'session.start',
      'cmd_run',
      'agent.text',
      'session.end',
      'session',
    ]);
  });

  test('reading backwards sees every line once, whatever the size of a chunk', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc
            .string({ minLength: 1, maxLength: 30 })
            .map((text) => text.replaceAll('\n', ''))
            .filter((text) => text !== ''),
          { maxLength: 20 },
        ),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (lines, chunkSize, torn) => {
          const path = join(folder, 'lines');
          await writeFile(path, lines.map((line) => `${line}\n`).join('') + (torn ? 'torn' : ''));
          const seen: string[] = [];
          await scanBackward(platform, path, (chunk, start, end) => seen.push(chunk.toString('utf8', start, end)) > 0, chunkSize);
          expect(seen.reverse()).toEqual(lines.map((line) => Buffer.from(line).toString('utf8')));
        },
      ),
    );
  });

  test('leaping and glancing find exactly what a plain look at every entry finds', { timeout: 30_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry(), { maxLength: 12 }), query(3), async (entries, text) => {
        const path = join(folder, 'events.jsonl');
        const lines = entries.map(([hours, type, fields]) => journalLine(at(hours), type, fields));
        await writeFile(path, lines.map((line) => `${line}\n`).join(''));
        const expression = parseExpression(text, NOW);
        const plain = lines.filter((line) => matches(expression, JSON.parse(line) as Record<string, unknown>, line)).length;
        const then = { ...platform, clock: { ...platform.clock, now: () => NOW } };
        expect([text, (await queryJournal(then, folder, text)).length]).toEqual([text, plain]);
      }),
      { numRuns: 400 },
    );
  });
});

const VALUES = ['1', '12', '1.50', '1e1', 'true', 'null', 'a', 'a"b', 'session.end', 'ü'];

function entry(): fc.Arbitrary<[number, string, object]> {
  const value: fc.Arbitrary<unknown> = fc.oneof(
    fc.constantFrom(1, 12, 1.5, 10, true, null),
    fc.constantFrom(...VALUES),
    fc.array(fc.constantFrom(1, 12, 'a'), { maxLength: 2 }),
    fc.record({ text: fc.constantFrom('a', 'a"b') }),
  );
  return fc.tuple(
    fc.integer({ min: 0, max: 9 }),
    fc.constantFrom('session.end', 'a', 'warning'),
    fc.record({ session: value, session_id: value, text: value }, { requiredKeys: [] }),
  );
}

function query(depth: number): fc.Arbitrary<string> {
  const leaf = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('type', 'session', 'text', 'text.text', 'ts'),
        fc.constantFrom('=', '!=', '~', '>', '<=', '<', '>='),
        fc.constantFrom(...VALUES),
      )
      .map(([field, operator, value]) => `${field}${operator}${JSON.stringify(value)}`),
    fc.constantFrom('since=4h', 'until=6h', '"a"', '"session"'),
  );
  if (depth === 0) return leaf;
  const inner = query(depth - 1);
  return fc.oneof(
    leaf,
    inner.map((text) => `not (${text})`),
    fc.tuple(inner, fc.constantFrom('and', 'or'), inner).map(([left, word, right]) => `(${left}) ${word} (${right})`),
  );
}

test('sessions of roles are apart from those of the project, however many there are', async () => {
  const record = (session_id: number, more: object) => ({
    session_id,
    prompt: 'coding',
    started_at: at(2),
    ended_at: at(1),
    duration_seconds: 60,
    outcome: 'verified',
    reasons: [],
    termination_reason: 'complete',
    feature_id: null,
    feature_completed: false,
    tokens_used: { input: 1, output: 1, cached: 0 },
    cost_usd: null,
    backend: 'command',
    model: 'any',
    ...more,
  });
  const all = [record(1, {}), ...[2, 3, 4].map((number) => record(number, { role: 'spec/coding' }))];
  await writeFile(join(folder, 'sessions.jsonl'), all.map((fields) => `${journalLine(at(1), 'session', fields)}\n`).join(''));
  expect((await sessionRecords(platform, folder, 1)).map(({ session_id }) => session_id)).toEqual([1]);
  expect((await sessionRecords(platform, folder)).map(({ session_id }) => session_id)).toEqual([1]);
  expect((await allSessionRecords(platform, folder)).map(({ session_id }) => session_id)).toEqual([1, 2, 3, 4]);
});

test('a word that is no condition is named, with how to look for text', async () => {
  expect(() => parseExpression('session.end', 0)).toThrow('"session.end" is no condition');
  expect(parseExpression('"session.end"', 0)).toEqual({ kind: 'text', value: 'session.end' });
});
