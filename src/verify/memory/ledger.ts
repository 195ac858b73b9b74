/**
 * The ledger of tests: what is known about each test that ever counted.
 *
 * 1. It is a fold over runs: the same runs in the same order give the same ledger. Nothing is read but the last ledger.
 * 2. A test that was renamed or moved with the same body is the same test: its history goes with it.
 * 3. The baseline is what the ledger holds as passing; a test that is gone or red keeps its history and leaves the baseline.
 */
import { z } from '../../domain/zod.ts';
import type { TestResult } from '../../domain/verdict.ts';

export const LedgerEntrySchema = z.object({
  /** Session in which the test was first seen. */
  first_seen: z.number().int(),
  /** Session in which it last passed; null: never. */
  last_passed: z.number().int().nullable(),
  passing: z.boolean(),
  /** Sessions in which it failed and passed on the same code. */
  flakes: z.array(z.number().int()),
  /** Earlier ids, oldest first. */
  moves: z.array(z.object({ session: z.number().int(), from: z.string() })),
  /** Hash of what the test does, where its text could be found. */
  body: z.string().nullable(),
});
export type LedgerEntry = z.infer<typeof LedgerEntrySchema>;

export const LedgerSchema = z.object({ schema_version: z.literal(1), tests: z.record(z.string(), LedgerEntrySchema) });
export type Ledger = z.infer<typeof LedgerSchema>;

export interface LedgerStep {
  session: number;
  /** Every result of the run over the whole suite. */
  tests: readonly Pick<TestResult, 'id' | 'status'>[];
  /** Failed first, passed when run again. */
  flaky: readonly string[];
  /** From old id to new id. */
  moves: ReadonlyMap<string, string>;
  bodies: ReadonlyMap<string, string>;
}

export function emptyLedger(): Ledger {
  return { schema_version: 1, tests: {} };
}

const MOST_FLAKES = 20;

export function foldLedger(ledger: Ledger, step: LedgerStep): Ledger {
  const from = new Map([...step.moves].map(([old, id]) => [id, old]));
  const passed = new Set([...step.tests.filter((test) => test.status === 'passed').map((test) => test.id), ...step.flaky]);
  const seen = [...new Set([...step.tests.map((test) => test.id), ...passed])];
  const now = seen.map((id): [string, LedgerEntry] => {
    const old = from.get(id);
    const known = ledger.tests[id] ?? (old === undefined ? undefined : ledger.tests[old]);
    const moves = known?.moves ?? [];
    return [
      id,
      {
        first_seen: known?.first_seen ?? step.session,
        last_passed: passed.has(id) ? step.session : (known?.last_passed ?? null),
        passing: passed.has(id),
        flakes: step.flaky.includes(id) ? [...(known?.flakes ?? []), step.session].slice(-MOST_FLAKES) : (known?.flakes ?? []),
        moves: old === undefined || ledger.tests[id] !== undefined ? moves : [...moves, { session: step.session, from: old }],
        body: step.bodies.get(id) ?? known?.body ?? null,
      },
    ];
  });
  const here = new Set(seen);
  const gone = Object.entries(ledger.tests)
    .filter(([id]) => !here.has(id) && !step.moves.has(id))
    .map(([id, entry]): [string, LedgerEntry] => [id, { ...entry, passing: false }]);
  return { schema_version: 1, tests: Object.fromEntries([...gone, ...now].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}
