/** `harness spec` as a whole: the desk, the session, the walk. */
import type { Platform } from '../../platform/platform.ts';
import { callRole } from '../../kernel/roles/call-role.ts';
import type { CallRole } from '../../kernel/roles/contract.ts';
import { detectLanguage } from '../../kernel/words/language.ts';
import { holdPlace, type HoldOptions } from '../../kernel/hold-place.ts';
import { EXIT } from '../../domain/reasons.ts';
import type { Bench, SpecOptions, SpecReport } from './contract.ts';
import { sayIn } from './say.ts';
import { openSession } from './session.ts';
import { walk } from './walk.ts';

export interface RunSpecOptions extends Omit<HoldOptions, 'command'> {
  spec: SpecOptions;
  /** Another way to call roles; only in tests. */
  callRole?: CallRole;
}

export async function runSpec(platform: Platform, root: string, options: RunSpecOptions): Promise<SpecReport> {
  const { spec, callRole: call, ...hold } = options;
  return await holdPlace(platform, root, { ...hold, command: 'harness spec' }, async (desk) => {
    const bench: Bench = { desk, callRole: call ?? callRole, options: spec };
    const opened = await openSession(bench);
    if ('state' in opened) return { ...(await walk(bench, opened.state)), agent: desk.chosenAgent };
    if (opened.kind === 'ended') return { ...opened.report, agent: desk.chosenAgent };
    const message = sayIn(detectLanguage(spec.task ?? '', null)).ended.waits(opened.gate);
    return { exitCode: EXIT.waiting, outcome: 'needs_human', reasons: ['gate.pending'], message, next: null };
  });
}
