/** Proofs of claims, run by the harness over one tree: what each of them says is what was recorded here, and nothing else. */
import { pathSetOf } from '../../domain/tree-index.ts';
import type { TestRun } from '../../domain/verdict.ts';
import { isTestFile, isTestPath } from '../../verify/checks/protected-paths.ts';
import type { Proof } from '../mission-schema.ts';
import type { FlightPlace } from './contract.ts';
import { runCommand, runTests } from './run-context.ts';
import { firstItem } from '../../domain/items.ts';

export interface ProofRun {
  holds: boolean;
  /** False: the command cannot even be started. */
  starts: boolean;
  /** What was recorded: the tests by name and state, and the end of the output. */
  recorded: string;
  /** In a sentence, where it does not hold. */
  why: string;
  /** Tests of its files that ran and failed, with their file. */
  failed: { file: string; test: string }[];
}

/** Test files and the command beside them; without a test file nothing is proved. */
export async function runProof(place: FlightPlace, tree: string, proof: Proof): Promise<ProofRun> {
  const present = pathSetOf(await place.trees.list(tree));
  const missing = proof.tests.filter((path) => !present.has(path));
  const recorded: string[] = missing.map((path) => `${path}: there is no such file`);
  let why = missing.length === 0 ? '' : `there is no ${missing.join(', ')}`;
  const files = proof.tests.filter((path) => present.has(path));
  const failed: ProofRun['failed'] = [];
  if (files.length > 0) {
    const run = await runTests(place, { tree, files, purpose: 'proof' }, { noCache: place.noCache, signal: place.signal });
    recorded.push(...run.tests.map((test) => `${test.status} ${test.id}`), run.output_tail);
    why ||= whyNot(run, files);
    failed.push(...failedTests(run, files));
  }
  let starts = true;
  if (proof.command !== null) {
    const ran = await runCommand(place, { tree, command: proof.command }, { noCache: place.noCache, signal: place.signal });
    starts = ran.exit_code !== 126 && ran.exit_code !== 127;
    recorded.push(`$ ${proof.command}`, ran.output_tail, `exit status ${ran.exit_code ?? 'none'}`);
    if (ran.exit_code !== 0) why ||= `the command ended with ${ran.exit_code ?? 'no status'}`;
  }
  return { holds: proof.tests.length > 0 && why === '', starts, recorded: recorded.join('\n'), why, failed };
}

function whyNot(run: TestRun, files: readonly string[]): string {
  const bad = run.tests.filter((test) => test.status !== 'passed');
  if (bad.length > 0) return `${firstItem(bad).id} ${firstItem(bad).status}`;
  const silent = files.filter((file) => !run.tests.some((test) => test.file === file));
  if (silent.length > 0) return `no test of ${silent.join(', ')} ran`;
  return run.consistent && run.exit_code === 0 ? '' : (run.problems[0] ?? `the run ended with ${run.exit_code ?? 'no status'}`);
}

function failedTests(run: TestRun, files: readonly string[]): ProofRun['failed'] {
  return run.tests.flatMap(({ file, id, status }) =>
    files.includes(file) && (status === 'failed' || status === 'error') ? [{ file, test: id }] : [],
  );
}

/** Whether a runner would collect a test file of this path, as far as its name tells. */
export function isCollected({ config }: Pick<FlightPlace, 'config'>, path: string): boolean {
  return config.testing.feature !== null || isTestPath(path);
}

/** Whether a path is that of a test by its name alone, whatever could be run as one. */
export function isNamedTest(path: string): boolean {
  return isTestFile(path);
}
