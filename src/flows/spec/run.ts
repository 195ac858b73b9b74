/** `harness spec` as a whole: the place, the session, the drive. */
import { callRole } from '../../kernel/roles/call-role.ts';
import type { CallRole } from '../../kernel/roles/contract.ts';
import { detectLanguage } from '../../kernel/words/language.ts';
import { holdPlace, type HoldOptions } from '../../kernel/hold-place.ts';
import type { SpecOptions, SpecPlace, SpecReport } from './contract.ts';
import { driveSpec, waiting } from './flow.ts';
import { openSession } from './people/session.ts';

export interface RunSpecOptions extends Omit<HoldOptions, 'command'> {
  spec: SpecOptions;
  /** Another way to call roles; only in tests. */
  callRole?: CallRole;
}

export async function runSpec(platform: SpecPlace['platform'], root: string, options: RunSpecOptions): Promise<SpecReport> {
  const { spec, callRole: call, ...hold } = options;
  return await holdPlace(platform, root, { ...hold, command: 'harness spec' }, async (held) => {
    const place: SpecPlace = { ...held, callRole: call ?? callRole, options: spec };
    const opened = await openSession(place);
    if ('state' in opened) return { ...(await driveSpec(place, opened.state)), agent: place.chosenAgent };
    if (opened.kind === 'ended') return { ...opened.report, agent: place.chosenAgent };
    return waiting({ user_lang: detectLanguage(spec.task ?? '', null) }, opened.gate);
  });
}
