/**
 * Tests that take everything they expect from the very code that they test: then both sides of every assertion come from one hand.
 *
 * Only where no test of the file expects anything that is written in it; a constant of the module beside other values is common and right.
 */
import { fileOf } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import { readSource } from '../source/read-source.ts';
import type { SourceReading, SourceTest } from '../source/source.ts';
import { testNamed } from '../source/test-names.ts';
import { OF_RUNNERS } from './check-old-contract.ts';
import { changedSources } from './check-reach.ts';

export async function expectsOnlyOwn(input: Case, file: string): Promise<boolean> {
  const { platform, judged } = input;
  const text = (await input.trees.read(judged.tree, file))?.toString('utf8');
  const reading = text === undefined ? null : await readSource(platform, file, text);
  if (text === undefined || reading === null || reading.tests.length === 0) return false;
  const bare = reading.tests.every(
    (one) => one.assertions.length > 0 && one.calls.length === 0 && one.assertions.every(({ leaves }) => leaves.length === 0),
  );
  if (!bare) return false;
  const constants = await constantsOf(input);
  return reading.tests.every((one) => everyAssertionNames(one, text, constants));
}

/** Of these tests, those of which every assertion compares the project's code with the project's code, and with nothing that is written down. */
export async function comparingOwn(input: Case, files: readonly string[], ids: readonly string[]): Promise<string[]> {
  const { platform, judged } = input;
  const found: string[] = [];
  for (const file of files) {
    const text = (await input.trees.read(judged.tree, file))?.toString('utf8') ?? '';
    const reading = await readSource(platform, file, text);
    const own = (reading?.imports ?? []).filter((one) => !OF_RUNNERS.test(one.specifier)).flatMap((one) => one.locals);
    for (const id of ids.filter((one) => fileOf(one) === file)) {
      const assertions = reading === null ? [] : (testNamed(reading, id.slice(file.length + 2), text)?.assertions ?? []);
      const isOwn = assertions.every((one) => one.leaves.length + one.bound.length === 0 && one.expects.some((name) => own.includes(name)));
      if (assertions.length > 0 && isOwn) found.push(id);
    }
  }
  return found;
}

/** As a value: what is called or looked into is something else. */
function everyAssertionNames(one: SourceTest, text: string, names: ReadonlySet<string>): boolean {
  return one.assertions.every(({ start, end }) => {
    const values = text.slice(start, end).matchAll(/(?<![\p{L}\p{N}_$.])([\p{L}_$][\p{L}\p{N}_$]*)(?!\s*[(.\p{L}\p{N}_$])/gu);
    return [...values].some(([, name = '']) => names.has(name));
  });
}

/** What the session's code offers that is no function. */
async function constantsOf(input: Case): Promise<Set<string>> {
  const { platform, judged } = input;
  const found = new Set<string>();
  for (const path of changedSources(input)) {
    const text = (await input.trees.read(judged.tree, path))?.toString('utf8');
    const reading = text === undefined ? null : await readSource(platform, path, text);
    for (const name of reading === null ? [] : offered(reading)) found.add(name);
  }
  return found;
}

function offered(reading: SourceReading): string[] {
  const functions = new Set(reading.functions.map(({ name }) => name.split('.').at(-1)));
  return [...reading.exports, ...reading.values.map(({ name }) => name)].filter((name) => !functions.has(name));
}
