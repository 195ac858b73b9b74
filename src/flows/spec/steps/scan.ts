/** The convention scan; also made up for where a session of an older version has none. */
import { commandsOf } from '../../../kernel/ground/commands.ts';
import { scanForSpec } from '../../../kernel/ground/scan-conventions.ts';
import { NO_SCOPE } from '../../../kernel/ground/scope.ts';
import { happened, type StepFunction } from '../contract.ts';
import { currentTree, earlyEnd, saysNothingAboutWork } from '../role-call.ts';
import { say, warn } from '../words/say.ts';
import { mustHave } from '../../../domain/must-have.ts';

export const reopenScan: StepFunction = async () => happened({ type: 'scan.reopened' });

export const scan: StepFunction = async (place, state) => {
  const { lang } = await commandsOf(place);
  const session = {
    flow: 'spec' as const,
    conventions: state.conventions,
    docsPath: state.docs_path,
    language: state.user_lang,
    lang,
    scope: NO_SCOPE,
    models: state.model_config,
    tree: await currentTree(place),
    reference: state.cli_flags.reference,
    failedScans: state.harness.failed_scans,
  };
  const result = await scanForSpec(place, session, { callRole: place.callRole, endsCommand: saysNothingAboutWork });
  if (result.kind === 'waits') return result;
  if (result.kind === 'stopped')
    return mustHave(earlyEnd(state, 'workflow/convention-scanner', result.stop), 'a role that was stopped ends the flow');
  if (result.kind === 'reset') return { kind: 'again' };
  for (const warning of result.warnings) warn(place, warning);
  if (result.kind === 'tried') return happened({ type: 'scan.tried', failed: result.failedScans });
  say(place, result.message);
  return happened({ type: 'scan.done', conventions: result.conventions });
};
