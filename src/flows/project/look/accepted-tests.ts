/** Accepted test files, each with its versions and what becomes of them in later work. */
import { acceptedUpTo, countingVersions, type AcceptedVersion } from '../../../domain/accepted.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import { entriesByPath } from '../../../domain/tree-index.ts';
import { readAccepted } from '../../../kernel/flight/accepted-tests.ts';
import { readPast } from './past.ts';
import type { Project } from '../project.ts';

export interface AcceptedTestFile {
  file: string;
  /** Oldest first. */
  versions: AcceptedTestVersion[];
}

export interface AcceptedTestVersion extends Omit<AcceptedVersion, 'tree' | 'blob' | 'replaces' | 'tests'> {
  tests: number;
  /** `earlier` versions run with later work that their tests reach; `gone` is what was accepted after the commit that HEAD is at. */
  state: 'present' | 'earlier' | 'released' | 'gone';
}

export interface AcceptedTestList {
  files: AcceptedTestFile[];
  /** Versions that run first in the next verdict. */
  waiting: string[];
}

export async function listAcceptedTests(project: Project, feature: number | null): Promise<AcceptedTestList> {
  const { files, left } = await readAccepted(project, { writer: false });
  const head = await project.trees.resolve('HEAD');
  const entries = head === null ? new Map<string, { oid: string }>() : entriesByPath(await project.trees.list(head));
  const own = feature === null ? [] : await testFilesIn(project, feature);
  const isWanted = (file: string, versions: readonly AcceptedVersion[]): boolean =>
    feature === null || own.includes(file) || versions.some((one) => one.feature === feature);
  const wanted = Object.entries(files).filter(([file, versions]) => entries.has(file) && isWanted(file, versions));
  return {
    files: wanted
      .map(([file, versions]) => ({ file, versions: describeVersions(versions, entries.get(file)?.oid ?? '') }))
      .toSorted((one, other) => (one.file < other.file ? -1 : 1)),
    waiting: [...left],
  };
}

async function testFilesIn(project: Project, feature: number): Promise<string[]> {
  const { features } = await readPast(project);
  return testFilesOf(features.find(({ id }) => id === feature) ?? null);
}

/** `blob`: what the file holds at HEAD. */
function describeVersions(versions: readonly AcceptedVersion[], blob: string): AcceptedTestVersion[] {
  const upTo = acceptedUpTo(versions, blob);
  const counting = new Set(countingVersions(versions, blob));
  const present = upTo.at(-1)?.blob === blob ? upTo.at(-1) : undefined;
  return versions.map((one) => {
    const { tree: _tree, blob: _blob, replaces: _replaces, tests, ...shown } = one;
    const state = one === present ? 'present' : counting.has(one) ? 'earlier' : upTo.includes(one) ? 'released' : 'gone';
    return { ...shown, tests: tests.length, state };
  });
}
