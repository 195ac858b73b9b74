import { describe, expect, test } from 'vitest';
import {
  countingVersions,
  MOST_VERSIONS,
  withAccepted,
  withPresent,
  withReleased,
  type AcceptedVersion,
  type Release,
} from './accepted.ts';

const version = (name: string, change: Partial<AcceptedVersion> = {}): AcceptedVersion => ({
  id: name,
  tree: `tree ${name}`,
  blob: `blob ${name}`,
  tests: [`a.test.js::${name}`],
  session: 1,
  feature: null,
  at: '2026-01-01T00:00:00Z',
  replaces: [],
  joined: 0,
  released: null,
  ...change,
});
const idsOf = (versions: readonly AcceptedVersion[]): string[] => versions.map(({ id }) => id);
const [one, two, three] = [version('one'), version('two'), version('three')];
const release = (since: string): Release => ({ by: 'person', session: 3, feature: null, since });

describe('versions count', () => {
  test('up to the content that the project has', () => {
    expect(idsOf(countingVersions([one, two, three], 'blob two'))).toEqual(['one', 'two']);
  });

  test('not at all once a person changed the test', () => {
    expect(countingVersions([one, two, three], 'blob other')).toEqual([]);
  });

  test('up to the one before, at a content that a later one replaces', () => {
    expect(idsOf(countingVersions([one, { ...three, replaces: ['blob two'] }], 'blob two'))).toEqual(['one']);
  });

  test('not while released, and again after a rollback behind the release', () => {
    const versions = withReleased([one, two, three], new Set(['one']), release('three'));
    expect(idsOf(countingVersions(versions, 'blob three'))).toEqual(['two', 'three']);
    expect(idsOf(countingVersions(versions, 'blob two'))).toEqual(['one', 'two']);
  });
});

describe('what is on HEAD', () => {
  test('begins the list where no version is known', () => {
    expect(withPresent([], one)).toEqual([one]);
  });

  test('begins it again where a person changed the test', () => {
    expect(withPresent([one, two], three)).toEqual([three]);
  });

  test('drops what was accepted after a commit that was returned to', () => {
    expect(idsOf(withPresent([one, two, three], two))).toEqual(['one', 'two']);
  });

  test('undoes a release that came after it', () => {
    const versions = withReleased([one, two, three], new Set(['one']), release('three'));
    expect(withPresent(versions, two)).toEqual([one, two]);
  });

  test('is added where only what it runs with differs, and says which tests pass', () => {
    expect(idsOf(withPresent([one], { ...one, id: 'one with another helper' }))).toEqual(['one', 'one with another helper']);
    expect(withPresent([one], { ...one, tests: ['more'] })[0]?.tests).toEqual(['more']);
  });
});

describe('an accepted version', () => {
  test('is added, once', () => {
    expect(idsOf(withAccepted([one], two, false))).toEqual(['one', 'two']);
    expect(withAccepted([one, two], two, false)).toEqual([one, two]);
  });

  test('takes the place of the one that it covers, also in releases', () => {
    const versions = withReleased([one, two], new Set(['one']), release('two'));
    const after = withAccepted(versions, three, true);
    expect(idsOf(after)).toEqual(['one', 'three']);
    expect(after[1]?.replaces).toEqual(['blob two']);
    expect(idsOf(countingVersions(after, 'blob three'))).toEqual(['three']);
  });

  test('never drops the first: of too many, the oldest after it gives way', () => {
    let versions: AcceptedVersion[] = [];
    for (let at = 0; at < MOST_VERSIONS + 5; at += 1) versions = withAccepted(versions, version(String(at)), false);
    expect(versions).toHaveLength(MOST_VERSIONS);
    expect(idsOf(versions).slice(0, 3)).toEqual(['0', '6', '7']);
    expect(versions[1]?.joined).toBe(5);
  });
});

test('the version that a release came with is never released by it', () => {
  expect(withReleased([one, two], new Set(['one', 'two']), release('two')).map(({ released }) => released !== null)).toEqual([true, false]);
});
