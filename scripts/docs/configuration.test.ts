import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from '../../src/domain/zod.ts';
import { unwrap } from '../../src/config/explain.ts';
import { generatedFiles } from './configuration.ts';
import { ConfigSchema } from '../../src/config/schema.ts';

const root = join(import.meta.dirname, '../..');

test.each(Object.entries(generatedFiles()))('%s is what the schema says (npm run docs writes it)', async (name, text) => {
  expect(await readFile(join(root, name), 'utf8')).toBe(text);
});

test('every key has a description', () => {
  expect(undescribed(ConfigSchema, '')).toEqual([]);
});

test('every key of the schema stands on the reference page', () => {
  const page = generatedFiles()['docs/configuration.md']!;
  for (const key of [
    'project.name',
    'context.on_limit.append_to_progress',
    'tools.shell.denied_commands',
    'prices',
    'lanes.max',
    'sandbox.mode',
  ])
    expect(page).toContain(`| \`${key}\` |`);
});

test('the JSON Schema requires the name and the test command, and takes nothing unknown', () => {
  const schema = JSON.parse(generatedFiles()['schemas/harness.schema.json']!) as {
    required: string[];
    additionalProperties: boolean;
    properties: Record<string, { required?: string[]; type: unknown }>;
  };
  expect(schema.required).toEqual(['project', 'testing']);
  expect(schema.additionalProperties).toBe(false);
  expect(schema.properties['testing']?.required).toEqual(['full']);
  expect(schema.properties['github']?.type).toEqual(['object', 'null']);
});

function undescribed(schema: z.core.$ZodType, path: string): string[] {
  const plain = unwrap(schema);
  if (!(plain instanceof z.ZodObject)) return [];
  return Object.entries(plain.shape as Record<string, z.ZodType>).flatMap(([key, inner]) => [
    ...(inner.description === undefined ? [`${path}${key}`] : []),
    ...undescribed(inner, `${path}${key}.`),
  ]);
}
