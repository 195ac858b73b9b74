/** The reference page and the JSON Schemas, made from the schema so that they cannot disagree with it. Pure. */
import { z } from '../../src/domain/zod.ts';
import { FeatureListSchema, FeatureSchema } from '../../src/domain/feature.ts';
import { unwrap } from '../../src/config/explain.ts';
import { knownModels, modelAliases, PRICES_AS_OF } from '../../src/config/models.ts';
import { CONFIG_SCHEMA_ADDRESS, FEATURES_SCHEMA_ADDRESS } from '../../src/config/render-config.ts';
import { ConfigSchema } from '../../src/config/schema.ts';
import { UserSettingsSchema } from '../../src/config/user-settings.ts';

/** Path below the package → content. */
export function generatedFiles(): Record<string, string> {
  return {
    'schemas/harness.schema.json': jsonSchema(
      ConfigSchema,
      'urn:universal-agent-harness:harness.schema.json',
      'Settings of a project (.harness.yaml)',
    ),
    'schemas/features.schema.json': jsonSchema(
      FeatureListSchema,
      'urn:universal-agent-harness:features.schema.json',
      'Feature list of a project (features.json)',
    ),
    'docs/configuration.md': referencePage(),
  };
}

function jsonSchema(schema: z.ZodType, id: string, title: string): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' });
  return `${JSON.stringify({ $schema, $id: id, title, ...allowEmptySections(rest) }, null, 2)}\n`;
}

/** An object schema without required keys also takes an empty section, as the reader of the file does. */
function allowEmptySections(schema: Record<string, unknown>): Record<string, unknown> {
  const properties = schema['properties'];
  if (typeof properties !== 'object' || properties === null) return schema;
  const mapped = Object.entries(properties as Record<string, Record<string, unknown>>).map(([key, inner]) => {
    const nested = allowEmptySections(inner);
    return [key, nested['type'] === 'object' && nested['required'] === undefined ? { ...nested, type: ['object', 'null'] } : nested];
  });
  return { ...schema, properties: Object.fromEntries(mapped) as unknown };
}

function referencePage(): string {
  return [
    '# Configuration',
    '',
    '<!-- Made from src/config by `npm run docs`; edit the descriptions there. -->',
    '',
    'A project keeps its settings in `.harness.yaml`. Only `project.name` and `testing.full` are required. An unknown key is an error. A command',
    'that is `null` is a step that is skipped, and the output says so.',
    '',
    'Editors complete and check the files when they name their schema:',
    '',
    `- \`.harness.yaml\`, first line: \`# yaml-language-server: $schema=${CONFIG_SCHEMA_ADDRESS}\``,
    `- \`features.json\`: \`"$schema": "${FEATURES_SCHEMA_ADDRESS}"\``,
    '',
    ...sections(ConfigSchema),
    "## The user's own settings",
    '',
    'In `$HARNESS_HOME/config.yaml` (default `~/.harness/config.yaml`). A project can be stricter than these, never looser. A key that is left',
    'out here sets no limit.',
    '',
    ...table(rowsOf(UserSettingsSchema, '').filter((row) => row.key !== '$schema')),
    '',
    '## The feature list',
    '',
    '`features.json`, or the file that `paths.features` names. Fields that are not listed here are kept as they are.',
    '',
    ...table(rowsOf(FeatureListSchema, '').filter((row) => row.key !== '$schema' && row.key !== 'features')),
    '',
    'Each entry of `features`:',
    '',
    ...table(rowsOf(FeatureSchema, '')),
    '',
    ...models(),
  ].join('\n');
}

function models(): string[] {
  return [
    '## Known models',
    '',
    `Dollars per million tokens, as published on ${PRICES_AS_OF}. A model that is not listed has an unknown price until \`prices\` names it.`,
    '',
    '| model | input | output | cache read | cache write | window |',
    '| --- | --- | --- | --- | --- | --- |',
    ...knownModels().map(
      ({ name, price, window }) =>
        `| \`${name}\` | ${price.input} | ${price.output} | ${price.cache_read} | ${price.cache_write} | ${window} |`,
    ),
    '',
    `Aliases: ${modelAliases()
      .map(([name, id]) => `\`${name}\` is \`${id}\``)
      .join(', ')}. An alias has a window of 200000.`,
    '',
  ];
}

interface Row {
  key: string;
  type: string;
  fallback: string;
  meaning: string;
}

function sections(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape as Record<string, z.ZodType>)
    .filter(([key]) => key !== '$schema')
    .flatMap(([key, inner]) => {
      const plain = unwrap(inner);
      const rows = plain instanceof z.ZodObject ? rowsOf(plain, `${key}.`) : [rowOf(key, inner)];
      return [`## ${key}`, '', inner.description ?? '', '', ...table(rows), ''];
    });
}

function rowsOf(schema: z.ZodObject, prefix: string): Row[] {
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, inner]) => {
    const plain = unwrap(inner);
    return plain instanceof z.ZodObject ? rowsOf(plain, `${prefix}${key}.`) : [rowOf(`${prefix}${key}`, inner)];
  });
}

function rowOf(key: string, schema: z.ZodType): Row {
  return { key, type: typeName(schema), fallback: fallbackOf(schema), meaning: schema.description ?? '' };
}

function fallbackOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional) return '';
  const result = schema.safeParse(undefined);
  return result.success ? `\`${JSON.stringify(result.data)}\`` : 'required';
}

function typeName(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodNullable) return `${typeName(schema.def.innerType as z.core.$ZodType)} or null`;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return typeName(schema.def.innerType as z.core.$ZodType);
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => `\`${option}\``).join(', ');
  if (schema instanceof z.ZodArray) return schema.element instanceof z.ZodNumber ? 'list of numbers' : 'list of text';
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.map(typeName))].join(' or ');
  if (schema instanceof z.ZodRecord) return 'keys and values';
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'whole number' : 'number';
  return schema instanceof z.ZodBoolean ? 'true or false' : 'text';
}

function table(rows: readonly Row[]): string[] {
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  return [
    '| key | type | default | meaning |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| \`${row.key}\` | ${cell(row.type)} | ${cell(row.fallback)} | ${cell(row.meaning)} |`),
  ];
}
