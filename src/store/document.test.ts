import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from '../domain/zod.ts';
import { HarnessError, usageError } from '../domain/errors.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import { readDocument, writeDocument } from './document.ts';

const schema = z.object({ schema_version: z.literal(1), harness_version: z.string(), count: z.number() });
const value = { schema_version: 1 as const, harness_version: '0.1.0', count: 3 };
const platform = nodePlatform({});
let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'harness-document-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(['state.json', 'costs.yaml'])('%s comes back as it was written, and nothing else is left in the folder', async (name) => {
  await writeDocument(platform, join(folder, name), value);
  expect(await readDocument(platform, join(folder, name), schema, { setAside: true })).toEqual(value);
  expect(await readdir(folder)).toEqual([name]);
});

test('a document that was read before is read again when it changed, and nobody sees what another reader did to it', async () => {
  const path = join(folder, 'costs.yaml');
  const read = async (): Promise<z.infer<typeof schema>> => (await readDocument(platform, path, schema, { setAside: true }))!;
  await writeDocument(platform, path, value);
  (await read()).count = 7;
  expect((await read()).count).toBe(3);
  for (let count = 0; count < 6; count += 1) {
    await writeFile(path, `schema_version: 1\nharness_version: "0.1.0"\ncount: ${count}\n`);
    expect([(await read()).count, (await read()).count]).toEqual([count, count]);
  }
});

test('a missing document is null', async () => {
  expect(await readDocument(platform, join(folder, 'state.json'), schema, { setAside: true })).toBeNull();
});

test.each([
  ['torn JSON', 'state.json', '{"schema_version": 1, "count":'],
  ['an empty file', 'state.json', ''],
  ['a wrong field', 'state.json', '{"schema_version":1,"harness_version":"0.1.0","count":"three"}'],
  ['torn YAML', 'costs.yaml', 'schema_version: 1\nharness_version: "0.1.0\ncount: 3\n'],
  ['YAML that expands aliases', 'costs.yaml', 'a: &a [1]\nb: [*a, *a]\n'],
])('%s is set aside with its bytes, and the error names both paths', async (_what, name, text) => {
  const path = join(folder, name);
  await writeFile(path, text);
  const error = await readDocument(platform, path, schema, { setAside: true }).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(HarnessError);
  expect((error as HarnessError).exitCode).toBe(2);
  const [aside] = await readdir(folder);
  expect(aside).toMatch(new RegExp(`^${name}\\.unreadable-\\d{8}T\\d{6}Z$`));
  expect(await readFile(join(folder, aside!), 'utf8')).toBe(text);
  expect((error as HarnessError).message).toContain(path);
  expect((error as HarnessError).details.join('\n')).toContain(join(folder, aside!));
});

test('a second unreadable document in the same second does not replace the first', async () => {
  const still = { ...platform, clock: { ...platform.clock, now: () => 0 } };
  const path = join(folder, 'state.json');
  for (const text of ['one', 'two']) {
    await writeFile(path, text);
    await readDocument(still, path, schema, { setAside: true }).catch(() => null);
  }
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  expect(texts.sort()).toEqual(['one', 'two']);
});

test('a command that only looks leaves the unreadable document where it is', async () => {
  await writeFile(join(folder, 'state.json'), 'nonsense');
  await expect(readDocument(platform, join(folder, 'state.json'), schema, { setAside: false })).rejects.toThrow('cannot be understood');
  expect(await readdir(folder)).toEqual(['state.json']);
});

test('an older document is migrated before it is validated', async () => {
  await writeFile(join(folder, 'state.json'), '{"harness_version":"0.0.1"}');
  const migrate = (old: unknown): unknown => ({ ...(old as object), schema_version: 1, count: 0 });
  expect(await readDocument(platform, join(folder, 'state.json'), schema, { setAside: true, migrate })).toEqual({
    schema_version: 1,
    harness_version: '0.0.1',
    count: 0,
  });
});

test('a migration that refuses leaves the document in place', async () => {
  await writeFile(join(folder, 'state.json'), '{"schema_version":9}');
  const migrate = (): never => {
    throw usageError('newer');
  };
  await expect(readDocument(platform, join(folder, 'state.json'), schema, { setAside: true, migrate })).rejects.toThrow('newer');
  expect(await readdir(folder)).toEqual(['state.json']);
});

test('a path that cannot be opened is reported and left alone', async () => {
  await expect(readDocument(platform, folder, schema, { setAside: true })).rejects.toThrow('cannot be opened');
});

test('a value that stands twice in a document is written twice: what was written can be read', async () => {
  const twice = { count: 3 };
  const path = join(folder, 'costs.yaml');
  await writeDocument(platform, path, {
    schema_version: 1,
    harness_version: '0.1.0',
    count: 3,
    first: twice,
    second: twice,
  } as typeof value);
  expect(await readDocument(platform, path, schema.loose(), { setAside: false })).toMatchObject({ first: twice, second: twice });
});
