/** Whether a call of a tool starts another agent: by its name, or by what only such a tool is given. Pure. */
const NAMES =
  /^(?:agent|task|workflow|spawn_agent|spawn_agents_on_csv|delegate|dispatch_agent|new_task|subagent|remotetrigger|croncreate)$/i;

export function startsAgent(name: string, input: Readonly<Record<string, unknown>>): boolean {
  return NAMES.test(name) || typeof input['subagent_type'] === 'string';
}
