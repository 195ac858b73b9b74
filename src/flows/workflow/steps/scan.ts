/** The conventions of the project, before the plan. */
import { callRole } from '../../../kernel/roles/call-role.ts';
import { scanForWorkflow } from '../../../kernel/ground/scan-conventions.ts';
import type { Bench } from '../bench.ts';
import { currentTree } from '../candidate.ts';
import { stoppedReport } from '../role-call.ts';
import { waiting, type Step } from './contract.ts';

export async function scan(bench: Bench): Promise<Step> {
  const { place, session, words } = bench;
  const result = await scanForWorkflow(
    place,
    {
      flow: 'workflow',
      conventions: session.conventions,
      docsPath: session.docs_path,
      language: session.user_lang,
      lang: session.lang,
      scope: session.scope,
      models: session.model_config,
      tree: currentTree(session),
      reference: null,
      failedScans: session.harness.failed_scans,
    },
    { callRole, endsCommand: (stop) => stop.reason !== 'agent.failed' },
  );
  if (result.kind === 'waits') return { kind: 'end', report: waiting(words.halted.waits({ gate: result.gate })) };
  if (result.kind === 'stopped') return { kind: 'end', report: stoppedReport(bench, 'workflow/convention-scanner', result.stop) };
  if (result.kind === 'reset') return { kind: 'event', event: { type: 'scan.reset' } };
  for (const warning of result.warnings) bench.warn(warning);
  if (result.kind === 'tried') return { kind: 'event', event: { type: 'scan.tried', failed: result.failedScans } };
  bench.tell(result.message);
  return { kind: 'event', event: { type: 'scanned', conventions: result.conventions } };
}
