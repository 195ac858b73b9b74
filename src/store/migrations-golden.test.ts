/** Golden state directories of every schema version, as the harness of that time wrote them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { BaselineSchema, ProjectStateSchema, STATE_SCHEMA_VERSION } from '../domain/session.ts';
import { CostsSchema } from './costs.ts';
import { migrateState } from './migrations.ts';

const folder = fileURLToPath(new URL('../../tests/fixtures/states/', import.meta.url));
const versions = readdirSync(folder).toSorted();

test('there is a golden state for every schema version', () => {
  expect(versions).toEqual(Array.from({ length: STATE_SCHEMA_VERSION }, (_, index) => `schema-${index + 1}`));
});

describe.each(versions)('%s', (version) => {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, version, name), 'utf8'));

  test('becomes a valid state of the current schema and keeps every field it had', () => {
    const old = read('session_state.json') as Record<string, unknown>;
    const migration = migrateState(old);
    expect(migration.from).toBe(Number(version.slice(-1)));
    const state = ProjectStateSchema.parse(migration.value);
    const { schema_version: _schema, ...fields } = old;
    expect(state).toMatchObject(fields);
    expect(state.schema_version).toBe(STATE_SCHEMA_VERSION);
  });

  test('keeps documents beside the state readable', () => {
    for (const name of readdirSync(join(folder, version))) {
      if (name === 'test_baseline.json') expect(BaselineSchema.safeParse(read(name)).success).toBe(true);
      if (name === 'costs.yaml') expect(CostsSchema.safeParse(parse(readFileSync(join(folder, version, name), 'utf8'))).success).toBe(true);
    }
    expect(readdirSync(join(folder, version))).toContain('session_state.json');
  });
});
