/** The conventions of the project, before the plan. */
import { callRole } from '../../kernel/roles/call-role.ts';
import { scanForWorkflow } from '../../kernel/ground/scan-conventions.ts';
import type { Bench } from './bench.ts';
import { currentTree } from './candidate.ts';
import { stoppedReport } from './role-call.ts';
import { waiting, type Step } from './step.ts';
import { saveSession, type Session } from './session.ts';

export async function scan(bench: Bench): Promise<Step> {
  const { desk, session, words } = bench;
  let known: Session = session;
  const remember = async (change: Partial<Session>): Promise<void> => {
    known = await saveSession(desk.platform, desk.stateDir, known, { ...known, ...change });
  };
  const result = await scanForWorkflow(
    desk,
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
    {
      callRole,
      endsCommand: (stop) => stop.reason !== 'agent.failed',
      remember: (failed_scans) => remember({ harness: { ...known.harness, failed_scans } }),
      reset: () => remember({ conventions: null }),
    },
  );
  if (result.kind === 'waits') return { kind: 'end', report: waiting(words.halted.waits(result.gate)) };
  if (result.kind === 'stopped') return { kind: 'end', report: stoppedReport(bench, 'workflow/convention-scanner', result.stop) };
  for (const warning of result.warnings) bench.warn(warning);
  bench.tell(result.message);
  return { kind: 'event', event: { type: 'scanned', conventions: result.conventions } };
}
