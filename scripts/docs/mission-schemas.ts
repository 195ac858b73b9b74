/** The JSON Schemas of what roles of a mission leave and what people write, made from the schemas that check them. Pure. */
import { schemaFiles } from './schema-files.ts';
import { QueueSchema } from '../../src/kernel/mission-schema.ts';
import { CuratedSchema } from '../../src/flows/mission/machine/memory.ts';
import { ClaimsInput, PlanInput } from '../../src/flows/mission/machine/plan.ts';
import { ValidationSchema } from '../../src/flows/mission/machine/validation.ts';

/** Path below the package → content. */
export function generatedFiles(): Record<string, string> {
  return schemaFiles([
    ['mission-queue.v1', QueueSchema, 'The queue of a mission (.harness/features.json)'],
    ['mission-plan.v1', PlanInput, 'plan.json of the planner'],
    ['mission-claims.v1', ClaimsInput, 'claims.json of the architect'],
    ['mission-validation.v1', ValidationSchema, 'validation.json of validator, crosscheck and ui-qa'],
    ['mission-memory.v1', CuratedSchema, 'memory.json of the curator'],
  ]);
}
