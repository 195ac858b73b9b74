import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyCosts } from '../../store/costs.ts';
import { folderStore } from '../../store/folder-store.ts';
import { createFleetBench, hasPostgres, WITHOUT_POSTGRES, type FleetBench } from '../../fleet/test-support.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { pgStore } from '../../store/pg-store.ts';
import type { DocumentStore } from '../../store/shelf.ts';
import { platformWithHome } from '../../store/test-support.ts';
import { openDocuments, type Documents } from './documents.ts';

const platform = platformWithHome();
const COSTS = emptyCosts('0.0.1', { per_session_usd: 1, per_feature_usd: 2, total_project_usd: 3 });
let folder: string;
let fleet: FleetBench | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harness-documents-'));
  if (hasPostgres) fleet = await createFleetBench();
});
afterAll(async () => {
  await fleet?.dispose();
  await rm(folder, { recursive: true, force: true });
});

const STORES: Readonly<Record<string, () => Promise<DocumentStore>>> = {
  'in a folder': async () => folderStore(platform, await mkdtemp(join(folder, 'place-'))),
  'in memory': async () => memoryStore(platform.clock),
  ...(hasPostgres ? { 'in PostgreSQL': inPostgres } : {}),
};
let projects = 0;
async function inPostgres(): Promise<DocumentStore> {
  const name = `project-${(projects += 1)}`;
  await fleet!.addProject(name);
  return pgStore(fleet!.database, name, await fleet!.join(`member of ${name}`));
}
test.skipIf(hasPostgres)(`documents in PostgreSQL are not tested: ${WITHOUT_POSTGRES}`, () => {});

describe.each(Object.entries(STORES))('documents %s', (_, open) => {
  let store: DocumentStore;
  let documents: Documents;
  beforeEach(async () => {
    store = await open();
    documents = openDocuments(platform, store, { onNewerState: 'abort' });
  });

  test('come back as they were written, under the name of this version', async () => {
    expect(await documents.read('costs', { writer: true })).toBeNull();
    await documents.write('costs', COSTS);
    expect(await documents.read('costs', { writer: false })).toMatchObject({
      ...COSTS,
      harness_version: expect.not.stringMatching(/^0\.0\.1$/),
    });
    await documents.remove('costs');
    expect(await documents.read('costs', { writer: true })).toBeNull();
  });

  test('that cannot be understood are left by a looker and set aside by a writer', async () => {
    await store.write('costs.yaml', 'costs: [');
    await expect(documents.read('costs', { writer: false })).rejects.toMatchObject({ exitCode: 2 });
    expect(await store.list()).toEqual(['costs.yaml']);
    await expect(documents.read('costs', { writer: true })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('set aside'),
    });
    const [aside = ''] = await store.list();
    expect(aside).toMatch(/^costs\.yaml\.unreadable-/);
    expect(await store.read(aside)).toBe('costs: [');
  });

  test('of a newer version are refused, or taken where the settings say so', async () => {
    await store.write('session_state.json', JSON.stringify({ schema_version: 99, last_session: 7 }));
    await expect(documents.read('state', { writer: true })).rejects.toThrow('newer harness (schema 99)');
    expect(await store.list()).toEqual(['session_state.json']);
    expect(await documents.read('last-session', { writer: false })).toMatchObject({ last_session: 7 });
  });

  test('of a folder have names of their own, and go together', async () => {
    const spec = documents.folder('spec');
    await spec.write('notes.md', 'one');
    await spec.write('deep/er.md', 'two');
    expect(await spec.list()).toEqual(['deep', 'notes.md']);
    expect(await spec.read('deep/er.md')).toBe('two');
    await documents.remove('spec');
    expect([await spec.read('notes.md'), await spec.list()]).toEqual([null, []]);
  });

  test('have one holder at a time', async () => {
    await store.hold('harness run', async () => {
      expect(await store.holder()).toMatchObject({ command: 'harness run' });
      await expect(store.hold('harness spec', async () => {})).rejects.toMatchObject({ exitCode: 9 });
    });
    expect(await store.holder()).toBeNull();
    expect(await store.hold('harness spec', async () => 'mine')).toBe('mine');
  });

  test('requests wait in their order until they are taken, and the plain ones wait once', async () => {
    const { requests } = documents;
    await requests.ask({ kind: 'pause' });
    await requests.ask({ kind: 'skip', feature: 3, reason: null, undo: false });
    await requests.ask({ kind: 'pause' });
    await requests.ask({ kind: 'override', feature: 4, passes: true });
    expect((await requests.waiting()).filter(({ wish }) => wish.kind !== 'pause').map(({ wish }) => wish.kind)).toEqual([
      'skip',
      'override',
    ]);
    expect(await requests.waiting('pause')).toHaveLength(1);
    expect([await requests.has('pause'), await requests.has('stop')]).toEqual([true, false]);
    const [skip] = await requests.waiting('skip');
    expect(skip).toMatchObject({ wish: { kind: 'skip', feature: 3, undo: false } });
    await requests.drop(skip!);
    await requests.drop('pause');
    expect((await requests.waiting()).map(({ wish }) => wish.kind)).toEqual(['override']);
  });

  test('a file that is no request is left alone', async () => {
    await documents.folder('requests').write('note.txt', 'hello');
    await documents.folder('requests').write('odd.json', '{"wish":{"kind":"fly"}}');
    expect(await documents.requests.waiting()).toEqual([]);
    expect(await documents.folder('requests').list()).toEqual(['note.txt', 'odd.json']);
  });
});

test('in a folder nothing is written through a link', async () => {
  const [inside, outside] = await Promise.all([mkdtemp(join(folder, 'in-')), mkdtemp(join(folder, 'out-'))]);
  const store = folderStore(platform, inside);
  await platform.files.symlink(outside, join(inside, 'spec'));
  await expect(store.write('spec/notes.md', 'x')).rejects.toMatchObject({ exitCode: 6 });
  await expect(store.in('spec').write('notes.md', 'x')).rejects.toMatchObject({ exitCode: 6 });
  await expect(store.write('../elsewhere.md', 'x')).rejects.toMatchObject({ exitCode: 2 });
  expect(await readdir(outside)).toEqual([]);
  await store.write('state.json', 'whole');
  expect(await readFile(join(inside, 'state.json'), 'utf8')).toBe('whole');
});
