/** JSON Schemas that ship with the package, from the schemas that check. Pure. */
import { z } from '../../src/domain/zod.ts';

/** Name, schema, title. Gives path below the package → content. */
export function schemaFiles(schemas: readonly (readonly [string, z.ZodType, string])[]): Record<string, string> {
  return Object.fromEntries(schemas.map(([name, schema, title]) => [`schemas/${name}.schema.json`, jsonSchema(schema, name, title)]));
}

function jsonSchema(schema: z.ZodType, name: string, title: string): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return `${JSON.stringify({ $schema, $id: `urn:universal-agent-harness:${name}.schema.json`, title, ...rest }, null, 2)}\n`;
}
