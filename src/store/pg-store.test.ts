import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFleetBench, hasPostgres, WITHOUT_POSTGRES, type FleetBench } from '../fleet/test-support.ts';
import { folderStore } from './folder-store.ts';
import { memoryStore } from './memory-store.ts';
import { pgStore } from './pg-store.ts';
import type { DocumentStore, Shelf } from './shelf.ts';
import { platformWithHome } from './test-support.ts';

const platform = platformWithHome();

describe.runIf(hasPostgres)('documents in PostgreSQL', () => {
  let bench: FleetBench;
  let number = 0;
  beforeAll(async () => void (bench = await createFleetBench()));
  afterAll(() => bench.dispose());

  const project = async (): Promise<string> => {
    number += 1;
    await bench.addProject(`project-${number}`);
    return `project-${number}`;
  };

  test('a writer whose hold was taken over writes nothing, whether it heard of it or not', async () => {
    const name = await project();
    const [one, other] = [await bench.join(`one-${name}`), await bench.join(`other-${name}`)];
    const [first, second] = [pgStore(bench.database, name, one), pgStore(bench.database, name, other)];
    await first.hold('harness run', async () => {
      await first.write('state.json', 'of the first');
      await first.write('logs/one.txt', 'kept');
      await expect(second.hold('harness run', async () => {})).rejects.toMatchObject({ exitCode: 9 });
      await one.declareDead();
      await second.hold('harness run', async () => {
        await second.write('state.json', 'of the second');
        for (const late of [
          () => first.write('state.json', 'late'),
          () => first.in('logs').write('two.txt', 'late'),
          () => first.remove('logs'),
          () => first.move('state.json', 'elsewhere.json'),
          () => first.setAside('state.json'),
        ])
          await expect(late()).rejects.toMatchObject({ name: 'Lost' });
      });
    });
    await expect(first.write('state.json', 'after its hold')).rejects.toMatchObject({ name: 'Lost' });
    expect([await second.read('state.json'), await second.list(), await second.in('logs').list()]).toEqual([
      'of the second',
      ['logs', 'state.json'],
      ['one.txt'],
    ]);
  });

  test('a member that is not alive holds nothing, and one that is no longer sure writes nothing', async () => {
    const name = await project();
    const member = await bench.join(`unsure-${name}`);
    const store = pgStore(bench.database, name, member);
    await store.hold('harness run', async () => {
      await member.declareDead(true);
      await expect(store.write('state.json', 'late')).rejects.toMatchObject({ name: 'Lost' });
    });
    await expect(store.hold('harness run', async () => {})).rejects.toMatchObject({ name: 'Lost' });
    expect([await store.holder(), await store.list()]).toEqual([null, []]);
  });

  test('a takeover while a write is under way: one of them is first, and the last content is of the new holder', async () => {
    const name = await project();
    for (let round = 0; round < 20; round += 1) {
      const [one, other] = [await bench.join(`${name}-${round}-a`), await bench.join(`${name}-${round}-b`)];
      const [first, second] = [pgStore(bench.database, name, one), pgStore(bench.database, name, other)];
      await first.hold('harness run', async () => {
        await one.declareDead();
        const late = Promise.allSettled(Array.from({ length: 10 }, (_, count) => first.write('state.json', `late ${count}`)));
        await second.hold('harness run', () => second.write('state.json', 'new'));
        await late;
      });
      expect(await second.read('state.json')).toBe('new');
    }
  });

  test('statements wait for a database that is restarted or killed, and nothing that was written is gone', async () => {
    const name = await project();
    const store = pgStore(bench.database, name, await bench.join(`patient-${name}`));
    await store.hold('harness run', async () => {
      for (const signal of ['SIGINT', 'SIGKILL'] as const) {
        await store.write(`before-${signal}`, signal);
        await bench.postgres.stop(signal);
        const meanwhile = store.write(`while-${signal}`, signal);
        await bench.postgres.start();
        await meanwhile;
      }
    });
    expect(await store.list()).toEqual(['before-SIGINT', 'before-SIGKILL', 'while-SIGINT', 'while-SIGKILL']);
  });

  test('decisions are signed with the secret of the project, alike on every machine', async () => {
    const [name, another] = [await project(), await project()];
    const [here, there] = [await bench.join(`here-${name}`), await bench.join(`there-${name}`)];
    const seal = await pgStore(bench.database, name, here).seal.of('request', 1);
    expect(await pgStore(bench.database, name, there).seal.fits(seal, 'request', 1)).toBe(true);
    expect(await pgStore(bench.database, another, here).seal.fits(seal, 'request', 1)).toBe(false);
    await expect(pgStore(bench.database, 'unknown', here).seal.of('request', 1)).rejects.toMatchObject({ exitCode: 2 });
  });

  test('any sequence of changes leaves the same documents as in memory and in a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harness-three-stores-'));
    const member = await bench.join('equal');
    let run = 0;
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(CHANGE, { minLength: 1, maxLength: 12 }), async (changes) => {
          run += 1;
          const stores: DocumentStore[] = [
            memoryStore(platform.clock),
            folderStore(platform, join(folder, String(run))),
            pgStore(bench.database, await project(), member),
          ];
          const [memory, ...others] = await Promise.all(stores.map(async (store) => await played(store, changes)));
          for (const other of others) expect(other).toEqual(memory);
        }),
        { numRuns: 40 },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test.skipIf(hasPostgres)(`documents in PostgreSQL are not tested: ${WITHOUT_POSTGRES}`, () => {});

type Change = { kind: 'write'; name: string; text: string } | { kind: 'remove'; name: string } | { kind: 'move'; name: string; to: string };

/** Names that are equal but for a byte beside `/`, below each other, and with what a pattern would take for its own. */
const NAME = fc.constantFrom('a/x', 'a/y', 'a/z%', 'a-b', 'a0', 'a.json', 'b/c/d', 'b/c_e', 'ü/é');
const PLACE = fc.constantFrom('a', 'b', 'b/c', 'a-b', 'a/x', 'c', 'd/e');
const CHANGE: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), name: NAME, text: fc.string() }),
  fc.record({ kind: fc.constant('remove' as const), name: fc.oneof(NAME, PLACE) }),
  fc.record({ kind: fc.constant('move' as const), name: PLACE, to: fc.constantFrom('moved', 'moved/deep') }),
);

async function played(store: DocumentStore, changes: readonly Change[]): Promise<unknown> {
  for (const change of changes) {
    if (change.kind === 'write') await store.write(change.name, change.text);
    else if (change.kind === 'remove') await store.remove(change.name);
    else if (!(await store.has('moved'))) await store.move(change.name, change.to);
  }
  return await contents(store);
}

async function contents(shelf: Shelf): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const name of await shelf.list()) {
    const text = await shelf.read(name).catch(() => null);
    const value = text ?? (await contents(shelf.in(name)));
    // An empty folder is no document.
    if (typeof value === 'string' || Object.keys(value).length > 0) found[name] = value;
  }
  return found;
}
