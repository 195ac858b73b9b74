import { afterEach, beforeEach, expect, test } from 'vitest';
import { join } from 'node:path';
import { allSessionRecords, queryJournal } from '../../journal/query.ts';
import type { Platform } from '../../platform/platform.ts';
import { treeOf } from '../../workspace/home.ts';
import { callRole } from '../roles/call-role.ts';
import type { Place } from '../place.ts';
import { readCosts } from './costs-file.ts';
import { createPlaceBench, type PlaceBench } from '../test-support.ts';

const PAID = `cat > /dev/null; echo '{"type":"usage","input_tokens":10,"output_tokens":1,"cost_usd":0.25}'; echo written > "$HARNESS_OUTPUT"\n`;

let bench: PlaceBench;
beforeEach(() => void (bench = createPlaceBench({ git: true })));
afterEach(() => bench.dispose());

const call = async (place: Place, lane: string) =>
  callRole(place, {
    role: 'workflow/tester',
    variables: { task: 'greet' },
    model: null,
    output: 'report.md',
    lane,
    tree: await treeOf(place.platform, place.home, place.home.head!),
    keeps: 'output',
    language: 'en',
  });

interface Books {
  sessions: number;
  money: number | null;
  running: number;
  records: { session_id: number; outcome: string; cost_usd: number | null }[];
  ends: number;
}

async function booksOf(place: Place): Promise<Books> {
  const { cumulative, running = [] } = await readCosts(place, { writer: false });
  const logs = join(place.stateDir, 'logs');
  return {
    sessions: cumulative.total_sessions,
    money: cumulative.total_cost_usd,
    running: running.length,
    records: (await allSessionRecords(place.platform, logs)).map(({ session_id, outcome, cost_usd }) => ({
      session_id,
      outcome,
      cost_usd,
    })),
    ends: (await queryJournal(place.platform, logs, 'type=session.end')).length,
  };
}

test('every role session has its record, its end and its cost', async () => {
  const books = await bench.hold(PAID, async (place) => {
    await Promise.all([call(place, 'one'), call(place, 'two')]);
    return booksOf(place);
  });
  expect(books).toMatchObject({ sessions: 2, money: 0.5, running: 0, ends: 2 });
  expect(books.records.map((record) => record.session_id).toSorted()).toEqual([1, 2]);
  expect(books.records[0]).toMatchObject({ outcome: 'complete', cost_usd: 0.25 });
});

class Crash extends Error {}

/** Dies at a write of this directory's state, counted from 1; from then on nothing reaches the disk and nothing runs. */
function dying(platform: Platform, at: number, when: 'before' | 'after'): { platform: Platform; died(): boolean } {
  let writes = 0;
  let dead = false;
  const { files } = platform;
  const mortal = <Rest extends unknown[]>(act: (path: string, ...rest: Rest) => Promise<void>) => {
    return async (path: string, ...rest: Rest): Promise<void> => {
      if (dead) throw new Crash();
      const now = path.includes('/.harness/') && !path.includes('lock') && ++writes === at;
      if (!now || when === 'after') await act(path, ...rest);
      if (!now) return;
      dead = true;
      throw new Crash();
    };
  };
  return {
    died: () => dead,
    platform: { ...platform, files: { ...files, writeAtomic: mortal(files.writeAtomic), append: mortal(files.append) } },
  };
}

test('cut off at any write, a session is paid for once and told once by the next command', async () => {
  for (const when of ['before', 'after'] as const)
    for (let at = 1; ; at += 1) {
      const one = createPlaceBench({ git: true });
      try {
        const doomed = dying(one.platform, at, when);
        await one.hold(PAID, async (place) => void (await call(place, 'one')), undefined, doomed.platform).catch(() => {});
        const books = await one.hold(PAID, booksOf);
        const sum = books.records.reduce((total, { cost_usd }) => total + (cost_usd ?? 0), 0);
        expect(books, `${when} write ${at}`).toMatchObject({
          running: 0,
          sessions: books.records.length,
          money: sum,
          ends: books.records.length,
        });
        expect(books.sessions, `${when} write ${at}`).toBeLessThanOrEqual(1);
        if (!doomed.died()) break;
      } finally {
        one.dispose();
      }
    }
});
