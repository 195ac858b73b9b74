/** One agent of `agent.fallback`: how it is driven, and by which model. */
import { z } from '../domain/zod.ts';
import { BACKEND_NAMES, BACKENDS, type BackendName } from '../agents/registry.ts';

const fields = {
  backend: z.enum(BACKEND_NAMES).describe('How the agent is driven.'),
  model: z.string().min(1).optional().describe('Its model, for every kind of session. Only a program of your own needs none.'),
};

/** As a project may name it: what it starts is the user's affair. */
export const ProjectAgentChoiceSchema = z.strictObject(fields);

export const AgentChoiceSchema = z
  .strictObject({
    ...fields,
    command: z.string().trim().min(1).optional().describe('What to start, for the backends command and acp.'),
  })
  .superRefine(({ backend, model, command }, context) => {
    const { needsCommand, isOwnProgram } = BACKENDS[backend];
    if (needsCommand && command === undefined)
      context.addIssue({ code: 'custom', path: ['command'], message: `the backend ${backend} needs a command to start` });
    if (!isOwnProgram && model === undefined)
      context.addIssue({ code: 'custom', path: ['model'], message: `the backend ${backend} needs a model` });
  });

export interface AgentChoice {
  backend: BackendName;
  model?: string | undefined;
  command?: string | undefined;
}

export function isSameAgent(
  one: { backend: string; model?: string | undefined },
  other: { backend: string; model?: string | undefined },
): boolean {
  return one.backend === other.backend && one.model === other.model;
}
