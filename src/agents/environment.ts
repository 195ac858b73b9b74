/** What an agent's processes see: the task's variables, the HARNESS_* ones and a private TMPDIR; nothing else. */
import { featureKey } from '../domain/feature-name.ts';
import type { AgentTask } from './contract.ts';

/** The variable by which processes that left their group are found again. */
export const WORKSPACE_VARIABLE = 'HARNESS_PROJECT_DIR';

export function agentEnvironment(task: AgentTask): Record<string, string> {
  return {
    ...task.env,
    TMPDIR: task.temporary,
    HARNESS_SESSION: String(task.session),
    HARNESS_ROLE: task.role,
    ...(task.outputFile === null ? {} : { HARNESS_OUTPUT: task.outputFile }),
    ...(task.feature === null ? {} : { HARNESS_FEATURE_ID: featureKey(task.feature) }),
    ...(task.testFiles.length === 0 ? {} : { HARNESS_TEST_FILE: task.testFiles.join('\n') }),
    [WORKSPACE_VARIABLE]: task.workspace,
  };
}
