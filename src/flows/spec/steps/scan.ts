/** The convention scan; also made up for where a session of an older version has none. */
import { listProject } from '../../../config/detect.ts';
import { chooseCommands } from '../../../kernel/ground/commands.ts';
import { scanForSpec } from '../../../kernel/ground/scan-conventions.ts';
import { NO_SCOPE } from '../../../kernel/ground/scope.ts';
import { happened, type StepFunction } from '../contract.ts';
import { currentTree, earlyEnd, saysNothingAboutWork } from '../role-call.ts';
import { say, warn } from '../say.ts';

export const reopenScan: StepFunction = async () => happened({ type: 'scan.reopened' });

export const scan: StepFunction = async ({ desk, callRole }, state, record) => {
  const { lang } = chooseCommands(await listProject(desk.platform, desk.root), {});
  const result = await scanForSpec(
    desk,
    {
      flow: 'spec',
      conventions: state.conventions,
      docsPath: state.docs_path,
      language: state.user_lang,
      lang,
      scope: NO_SCOPE,
      models: state.model_config,
      tree: await currentTree(desk),
      reference: state.cli_flags.reference,
      failedScans: state.harness.failed_scans,
    },
    {
      callRole,
      endsCommand: (stop) => saysNothingAboutWork(stop),
      remember: (failed) => record({ type: 'scan.tried', failed }),
      reset: () => Promise.resolve(),
    },
  );
  if (result.kind === 'waits') return result;
  if (result.kind === 'stopped') return earlyEnd(state, 'workflow/convention-scanner', result.stop)!;
  for (const warning of result.warnings) warn(desk, warning);
  say(desk, result.message);
  return happened({ type: 'scan.done', conventions: result.conventions });
};
