import { expect, test } from 'vitest';
import { PROJECT_GATES } from './project-gates.ts';
import { agentAsking, isPersons } from './persons-question.ts';

test.each(['workflow.mode', 'workflow.model', 'spec.mode', 'spec.questions-2', 'workflow.commit'])('%s is a preference', (id) => {
  expect(isPersons({ id, non_negotiable: false })).toBe(false);
  expect(isPersons({ id, non_negotiable: true })).toBe(true);
});

test('every question of a project, and one that nobody has thought about, is a person’s', () => {
  const ids = [...Object.keys(PROJECT_GATES), 'project.stuck:12', 'mission.review:f-001', 'workflow.qa', 'spec.critic', 'new.question'];
  for (const id of ids) expect(isPersons({ id, non_negotiable: false }), id).toBe(true);
});

test.each([
  [{ CLAUDECODE: '1' }, 'CLAUDECODE'],
  [{ CODEX_SANDBOX: 'seatbelt' }, 'CODEX_SANDBOX'],
  [{ HARNESS_HOST: 'mcp', PATH: '/bin' }, 'HARNESS_HOST'],
  [{ HARNESS_DEPTH: '1' }, 'HARNESS_DEPTH'],
  [{ HARNESS_DEPTH: '0', CLAUDECODE: '' }, null],
  [{ ANTHROPIC_API_KEY: 'key', CLAUDE_CODE_OAUTH_TOKEN: 'token' }, null],
])('%j is asked by %s', (env, variable) => expect(agentAsking(env)).toBe(variable));
