import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { folderShelf } from '../store/folder-store.ts';
import {
  applyRetention,
  createCheckpoint,
  findCheckpoint,
  listCheckpoints,
  type Checkpoint,
  type DocumentShelf,
  planRetention,
} from './checkpoint.ts';
import { previewRestore, restoreCheckpoint, type Restored } from './restore.ts';
import { snapshotWorkingTree } from './snapshot.ts';
import { createBench, picture, pictureOfTree, type Bench } from './test-support.ts';

let bench: Bench;
let stateDir: string;
let shelf: DocumentShelf;

beforeEach(() => {
  bench = createBench();
  stateDir = join(bench.root, '.harness');
  mkdirSync(stateDir);
  shelf = folderShelf(bench.platform, stateDir);
  bench.write({
    '.gitignore': '.harness/\n*.env\n',
    'features.json': '{"features":[]}\n',
    'claude-progress.txt': 'start\n',
    'src/a.txt': 'a',
    'run.sh': { run: '#!/bin/sh\n' },
    link: { link: 'src/a.txt' },
    '.harness/session_state.json': '{"n":1}',
  });
  bench.commit('base');
});
afterEach(() => bench.dispose());

async function checkpoint(feature: number | null = 1): Promise<Checkpoint> {
  return createCheckpoint(bench.platform, { home: await bench.home(), shelf, session: 3, feature, reason: 'pre_feature' });
}
async function restore(to: Checkpoint): Promise<Restored> {
  return restoreCheckpoint(bench.platform, { home: await bench.home(), shelf, checkpoint: to });
}

describe('a checkpoint', () => {
  test('names commit, hashes and copies, and leaves index, status and HEAD alone', async () => {
    bench.write({ 'src/a.txt': 'dirty', 'untracked file.txt': 'u', 'k.env': 'secret' });
    bench.git('add', 'src/a.txt');
    const [index, status] = [readFileSync(join(bench.root, '.git/index')), bench.git('status', '--porcelain')];
    const made = await checkpoint();
    expect(readFileSync(join(bench.root, '.git/index')).equals(index)).toBe(true);
    expect(bench.git('status', '--porcelain')).toBe(status);
    expect(made).toMatchObject({
      session: 3,
      feature: 1,
      reason: 'pre_feature',
      git_ref: bench.git('rev-parse', 'HEAD'),
      branch: 'main',
      copies: { 'test_baseline.json': null },
    });
    expect(readFileSync(join(stateDir, 'checkpoints', made.id, 'session_state.json'), 'utf8')).toBe('{"n":1}');
    const tree = pictureOfTree(bench, `refs/harness/checkpoints/${made.id}`);
    expect(tree).toEqual(picture(bench.root, ['.git', '.harness', 'k.env']));
    expect((await listCheckpoints(shelf)).checkpoints).toEqual([made]);
    expect(await findCheckpoint(shelf, made.id.slice(0, -2))).toEqual(made);
    await expect(findCheckpoint(shelf, 'nope')).rejects.toThrow(/no checkpoint "nope"/);
  });

  test('one that was cut off or cannot be read is named and never restored by mistake', async () => {
    mkdirSync(join(stateDir, 'checkpoints/torn'), { recursive: true });
    mkdirSync(join(stateDir, 'checkpoints/bad'));
    writeFileSync(join(stateDir, 'checkpoints/bad/checkpoint.json'), '{"id":"bad"');
    const { checkpoints, unreadable } = await listCheckpoints(shelf);
    expect(checkpoints).toEqual([]);
    expect(unreadable.sort()).toEqual(['bad', 'torn']);
  });

  test('a snapshot keeps staged content apart from changed content, and named ignored files', async () => {
    bench.write({ 'src/a.txt': 'staged' });
    bench.git('add', 'src/a.txt');
    bench.write({ 'src/a.txt': 'changed', 'k.env': 'secret' });
    await snapshotWorkingTree(bench.platform, await bench.home(), { ref: 'refs/harness/saved/x', message: 'x', also: ['k.env'] });
    expect(bench.git('show', 'refs/harness/saved/x:src/a.txt')).toBe('changed');
    expect(bench.git('show', 'refs/harness/saved/x^2:src/a.txt')).toBe('staged');
    expect(bench.git('show', 'refs/harness/saved/x:k.env')).toBe('secret');
  });
});

describe('a rollback', () => {
  test('brings back files, modes, links, branch, state and baseline exactly, and saves what was there', async () => {
    bench.write({ 'notes.txt': 'untracked then', 'src/a.txt': 'dirty then' });
    writeFileSync(join(stateDir, 'test_baseline.json'), '{"b":1}');
    const made = await checkpoint();
    const before = picture(bench.root, ['.git', '.harness/checkpoints']);
    const status = bench.git('status', '--porcelain');
    rmSync(join(bench.root, 'link'));
    rmSync(join(bench.root, 'notes.txt'));
    chmodSync(join(bench.root, 'run.sh'), 0o644);
    bench.write({ 'src/a.txt': 'later', 'src/new.txt': 'n', 'features.json': '{"changed":true}', link: 'now a file' });
    const later = bench.commit('later work');
    bench.write({ 'src/a.txt': 'uncommitted', 'fresh.txt': 'fresh' });
    bench.git('add', 'src/a.txt');
    writeFileSync(join(stateDir, 'session_state.json'), '{"n":2}');
    rmSync(join(stateDir, 'test_baseline.json'));

    const preview = await previewRestore(bench.platform, { home: await bench.home(), shelf, checkpoint: made });
    expect(preview.commits).toEqual([{ commit: later, subject: 'later work' }]);
    expect(preview.left).toEqual(['fresh.txt']);
    expect(preview.documents.sort()).toEqual(['session_state.json', 'test_baseline.json']);
    expect(preview.changes.map((change) => `${change.status} ${change.path}`).sort()).toEqual([
      'added notes.txt',
      'deleted src/new.txt',
      'modified features.json',
      'modified link',
      'modified run.sh',
      'modified src/a.txt',
    ]);
    expect(bench.git('rev-parse', 'HEAD')).toBe(later);

    const restored = await restore(made);
    expect(picture(bench.root, ['.git', '.harness/checkpoints', 'fresh.txt'])).toEqual(before);
    expect(bench.git('status', '--porcelain')).toBe(`${status.split('\n')[0]}\n?? fresh.txt\n?? notes.txt`);
    expect(bench.git('rev-parse', 'HEAD')).toBe(made.git_ref);
    expect(bench.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(bench.git('show', `${restored.saved_as}:src/a.txt`)).toBe('uncommitted');
    expect(bench.git('show', `${restored.saved_as}:fresh.txt`)).toBe('fresh');
    expect(bench.git('rev-parse', `${restored.saved_as}^1`)).toBe(later);
  });

  test('an ignored file that would be overwritten is saved first', async () => {
    bench.write({ 'was-tracked': 'tracked' });
    bench.commit('more');
    const made = await checkpoint();
    bench.git('rm', '-q', '--cached', 'was-tracked');
    bench.write({ '.gitignore': '.harness/\n*.env\nwas-tracked\n', 'was-tracked': 'ignored now' });
    bench.git('add', '.gitignore');
    bench.git('commit', '-q', '-m', 'ignore');
    const restored = await restore(made);
    expect(readFileSync(join(bench.root, 'was-tracked'), 'utf8')).toBe('tracked');
    expect(bench.git('show', `${restored.saved_as}:was-tracked`)).toBe('ignored now');
  });

  test('it can be repeated', async () => {
    const made = await checkpoint();
    bench.write({ 'src/a.txt': 'later' });
    bench.commit('later');
    await restore(made);
    const before = picture(bench.root, ['.git']);
    await bench.platform.clock.sleep(5);
    await restore(made);
    expect(picture(bench.root, ['.git'])).toEqual(before);
  });

  test('a changed copy or another branch is refused before anything changes', async () => {
    const made = await checkpoint();
    bench.write({ 'src/a.txt': 'later' });
    const head = bench.commit('later');
    writeFileSync(join(stateDir, 'checkpoints', made.id, 'session_state.json'), '{"n":9}');
    await expect(restore(made)).rejects.toThrow(/its copy of session_state.json was changed/);
    writeFileSync(join(stateDir, 'checkpoints', made.id, 'session_state.json'), '{"n":1}');
    bench.git('switch', '-q', '-c', 'other');
    await expect(restore(made)).rejects.toThrow(/made on branch main/);
    expect(bench.git('rev-parse', 'HEAD')).toBe(head);
    expect(readFileSync(join(bench.root, 'src/a.txt'), 'utf8')).toBe('later');
  });
});

describe('retention', () => {
  const day = 24 * 60 * 60 * 1000;
  const now = Date.parse('2026-01-31T00:00:00.000Z');
  const at = (id: string, feature: number | null, daysAgo: number): Checkpoint =>
    ({ id, feature, timestamp: new Date(now - daysAgo * day).toISOString() }) as Checkpoint;

  test('the last five of each feature stay, older than a week go, completed features keep their last', () => {
    const list = [
      at('n', 1, 0),
      ...[1, 2, 3, 4, 5, 6].map((age) => at(`f2-${age}`, 2, age)),
      at('f3-old', 3, 8),
      at('f4-last', 4, 20),
      at('f4-first', 4, 21),
      at('none-old', null, 9),
    ];
    expect(planRetention(list, now, [4])).toEqual(['f2-6', 'f3-old', 'none-old', 'f4-first']);
  });

  test('the newest of all stays however old it is', () => {
    expect(planRetention([at('only', 1, 100)], now, [])).toEqual([]);
  });

  test('dropped checkpoints lose directory and ref', async () => {
    const made = await checkpoint();
    await applyRetention(bench.platform, { home: await bench.home(), shelf, drop: [made.id] });
    expect(existsSync(join(stateDir, 'checkpoints', made.id))).toBe(false);
    expect(bench.git('for-each-ref', 'refs/harness')).toBe('');
  });
});
