import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HarnessEvent } from '../../domain/event.ts';
import type { SeenPage, Verdict } from '../../domain/verdict.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { folderShelf } from '../../store/folder-store.ts';
import { encodePng } from '../../verify/visual/png.ts';
import { acceptedPictures, adoptPictures, writePictures } from './pictures.ts';
import { keepScreenshots, readScreenshots, screenshotFolder, watchSightings, sightLines } from './screenshots.ts';

const PICTURE = encodePng({ width: 2, height: 1, rgba: new Uint8Array(8) });
let folder: string;
let told: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harness-shots-'));
  mkdirSync(join(folder, 'copy/shots'), { recursive: true });
  told = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = (): Parameters<typeof keepScreenshots>[0] & { root: string } => ({
  platform: nodePlatform({}),
  root: folder,
  shelf: folderShelf(nodePlatform({}), join(folder, 'state')),
  now: () => '2026-01-01T00:00:00.000Z',
  emit: (event: HarnessEvent) => void (event.type === 'warning' && told.push(event.message)),
});

async function keep(...paths: string[]): Promise<string[]> {
  const sightings = watchSightings();
  for (const path of paths) sightings.see({ type: 'agent.action', session: 3, action: { kind: 'visual_screenshot', path } });
  sightings.see({ type: 'agent.action', session: 3, action: { kind: 'visual_verify', text: 'a \u001b[31mred\u001b[0m button' } });
  await keepScreenshots(place(), { session: 3, feature: 7, workspace: join(folder, 'copy') }, sightings);
  return ((await readScreenshots(place(), 3))?.screenshots ?? []).map(({ path }) => path);
}

test('a picture that the agent names is kept with what is known about it, and shown as its own', async () => {
  writeFileSync(join(folder, 'copy/shots/a.png'), PICTURE);
  expect(await keep('shots/a.png')).toEqual(['shots/a.png']);
  const kept = (await readScreenshots(place(), 3))!;
  expect(kept).toMatchObject({ session: 3, feature: 7, said: ['a red button'], screenshots: [{ format: 'png', width: 2, height: 1 }] });
  expect(readFileSync(screenshotFolder(place(), 3).where(kept.screenshots[0]!.file))).toEqual(PICTURE);
  expect(await sightLines(place(), { session: 3 }, null)).toEqual([
    expect.stringMatching(/^picture by the agent: state\/screenshots\/session-003\/\w{8}-a\.png \(2 × 1\)$/),
    'the agent says it sees: a red button',
  ]);
  writeFileSync(join(folder, 'copy/shots/b.png'), PICTURE);
  expect(await keep('shots/b.png')).toEqual(['shots/a.png', 'shots/b.png']);
});

test('what is no picture of the copy is not kept, and the reason is told', async () => {
  writeFileSync(join(folder, 'secret.png'), PICTURE);
  writeFileSync(join(folder, 'copy/shots/text.png'), 'no picture');
  symlinkSync(join(folder, 'secret.png'), join(folder, 'copy/shots/link.png'));
  symlinkSync(folder, join(folder, 'copy/away'));
  mkdirSync(join(folder, 'copy/shots/folder.png'));
  const paths = [
    '../secret.png',
    join(folder, 'secret.png'),
    'away/secret.png',
    'shots/link.png',
    'shots/text.png',
    'shots/folder.png',
    'gone.png',
  ];
  expect(await keep(...paths)).toEqual([]);
  expect(told.map((message) => message.replace(/^.* was not kept: /, ''))).toEqual([
    'it is not in the copy',
    'it is not in the copy',
    'it is not in the copy',
    'it is not in the copy',
    'it is neither a PNG nor a JPEG picture',
    'it is no file',
    'there is no such file',
  ]);
});

test('pictures of a verdict that landed stand for later ones: steady ones, of a page without problems', async () => {
  const page = (feature: number, change: Partial<SeenPage> = {}): SeenPage => ({
    feature,
    url: 'http://127.0.0.1/',
    followed: 1,
    unread: [],
    problems: [],
    pictures: [
      { name: 'list', file: `feature-${feature}-list.png`, steady: true },
      { name: 'clock', file: `feature-${feature}-clock.png`, steady: false },
    ],
    ...change,
  });
  await writePictures(
    place(),
    'v1',
    [1, 2].flatMap((id) => ['list', 'clock'].map((name) => ({ file: `feature-${id}-${name}.png`, bytes: PICTURE }))),
  );
  await adoptPictures(place(), { id: 'v1', seen: [page(1), page(2, { problems: ['broken'] })] } as Verdict);
  const pictures = acceptedPictures(place());
  expect(await pictures.features()).toEqual([1]);
  expect(await pictures.accepted(1)).toEqual([{ name: 'list', bytes: PICTURE }]);
  expect(await pictures.accepted(2)).toEqual([]);
  const renamed = page(1, { pictures: [{ name: 'other', file: 'feature-1-list.png', steady: true }] });
  await adoptPictures(place(), { id: 'v1', seen: [renamed] } as Verdict);
  expect((await pictures.accepted(1)).map(({ name }) => name)).toEqual(['other']);
});
