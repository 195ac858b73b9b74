/** Values that tests of the workflow start from. */
import type { MachineState } from './contract.ts';

export function newSession(): MachineState {
  return {
    phase: 'plan_ready',
    run_style: 'auto',
    round: 1,
    max_rounds: 3,
    conventions: null,
    verify: {
      layer1_result: null,
      layer1_retries: 0,
      layer2_result: null,
      layer2_retries: 0,
      todo_blocking: false,
      autofix_attempted: false,
    },
    autofix: null,
    harness: {
      base_commit: null,
      base_tree: null,
      origin: null,
      candidate: null,
      retry: null,
      summary: null,
      checked: null,
      verdict: null,
      accepted: [],
      asks: null,
      allowed: [],
      confidence: null,
      landing: null,
      wish: null,
      failed_scans: null,
      step: null,
      draft: null,
      under_way: false,
    },
  };
}
