/**
 * The self-check of a test set-up that is not known yet, as it is judged beside the first session.
 *
 * 1. `begin` answers as soon as it is known that claims can be accepted here at all, or with the whole result where that is not so.
 * 2. Nothing is accepted before the planted cheats have been noticed: the objection waits for them.
 * 3. `end` leaves no run behind.
 */
import type { Finding } from '../../domain/verdict.ts';
import type { StoredCheck } from '../documents/self-check-document.ts';

/** `honestPassed` is called on its way. */
type Check = (options: { signal: AbortSignal; honestPassed: () => void }) => Promise<StoredCheck>;

export interface SelfCheckBeside {
  /** null: it goes on beside what comes now. */
  begin(check: Check): Promise<StoredCheck | null>;
  /** For a judgement that would accept. */
  objection(): Promise<Finding | null>;
  /** What it came to, waited for and told once; null: it was never begun, or told already. */
  result(): Promise<StoredCheck | null>;
  /** A person takes the risk. */
  waive(): void;
  end(): Promise<void>;
}

export function selfCheckBeside(): SelfCheckBeside {
  const stop = new AbortController();
  let whole: Promise<StoredCheck> | null = null;
  let isTold = false;
  return {
    begin: async (check) => {
      let passed = (): void => {};
      const honest = new Promise<null>((resolve) => (passed = () => resolve(null)));
      const running = check({ signal: stop.signal, honestPassed: passed });
      const first = await Promise.race([honest, running]);
      if (first !== null) return first;
      whole = running;
      void running.catch(() => {});
      return null;
    },
    objection: async () => (whole === null ? null : objectionTo(await whole)),
    result: async () => {
      if (whole === null || isTold) return null;
      isTold = true;
      return await whole;
    },
    waive: () => (whole = null),
    end: async () => {
      stop.abort(new Error('the run is over'));
      await whole?.catch(() => {});
    },
  };
}

function objectionTo({ state, detail }: StoredCheck): Finding | null {
  if (state === 'sound') return null;
  return {
    check: 'people',
    reason: 'verification.unsound',
    weight: 'ask',
    message: `verification does not hold in this project's own test set-up: ${detail}`,
    subjects: [],
  };
}
