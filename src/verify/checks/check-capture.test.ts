import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CaptureFinding } from '../../domain/tree.ts';
import { CAPTURE, checkCapture } from './check-capture.ts';
import { testCheck } from '../test-support-case.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.dispose());

async function findingsOf(base: FileTable, candidate: FileTable, captured: CaptureFinding[] = []): Promise<string[]> {
  const { findings } = await checkCapture({
    trees: bench.trees,
    base: { commit: 'c'.repeat(40), tree: await bench.tree(base) },
    candidate: { tree: await bench.tree(candidate), findings: captured },
  });
  return findings.map((finding) => `${finding.reason} ${finding.subjects.join()}`);
}

const BASE = { 'a.txt': 'a', inside: '-> a.txt', known: '-> /etc/hostname' };

test('links and names are judged by the tree, whatever the capture said', async () => {
  expect(await findingsOf(BASE, { ...BASE, out: '-> ../secret' })).toEqual(['tamper.symlink out']);
  expect(await findingsOf(BASE, { ...BASE, known: '-> /etc/passwd' })).toEqual(['tamper.symlink known']);
  expect(await findingsOf(BASE, { ...BASE, 'A.TXT': 'b' })).toEqual(['tamper.toolchain A.TXT']);
  expect(await findingsOf(BASE, { ...BASE, 'b.txt': 'b', other: '-> inside' })).toEqual([]);
});

test('what was taken out again is gone, and what has no place in a tree stays', async () => {
  const captured: CaptureFinding[] = [
    { kind: 'symlink_outside', path: 'out', detail: '' },
    { kind: 'name_collision', path: 'A.TXT', detail: '' },
    { kind: 'nested_git', path: 'vendor/.git', detail: '' },
  ];
  expect(await findingsOf(BASE, { ...BASE, 'b.txt': 'b' }, captured)).toEqual(['tamper.history vendor/.git']);
});

test('an unchanged link that leads out only now is found', async () => {
  const base = { 'a/b/x': 'x', up: '-> a/b', 'a/link': '-> ../up/../../y' };
  expect(await findingsOf(base, base)).toEqual([]);
  expect(await findingsOf(base, { ...base, up: '-> .' })).toEqual(['tamper.symlink a/link']);
});

testCheck(CAPTURE, [
  { name: 'regular files', finds: [], says: 'regular files only' },
  {
    name: 'a link to a file outside',
    work: { out: '-> ../secret' },
    finds: ['reject tamper.symlink: a symbolic link points outside the project'],
    says: '1 unusual entry',
  },
]);
