import { expect, test } from 'vitest';
import { ProjectStateSchema } from '../domain/session.ts';
import { migrateState } from './migrations.ts';

const first = {
  last_session: 7,
  status: 'partial',
  current_feature: 15,
  termination_reason: 'context_limit',
  next_prompt: 'continuation',
  timestamp: '2025-01-16T14:30:00Z',
  extra: { kept: true },
};

test('state without a version is brought to the present schema and keeps what it held', () => {
  const migration = migrateState(first);
  expect(migration).toMatchObject({ status: 'migrated', from: 1, to: 3 });
  expect(migration.value).toMatchObject({ ...first, schema_version: 3, stuck_count: 0, timeout_count: 0, harness_version: 'unknown' });
  expect(ProjectStateSchema.safeParse(migration.value).success).toBe(true);
});

test('schema 2 gains the count of timeouts and keeps its other counts', () => {
  const migration = migrateState({ ...first, schema_version: 2, harness_version: '1.2.0', stuck_count: 2 });
  expect(migration).toMatchObject({
    status: 'migrated',
    from: 2,
    value: { schema_version: 3, harness_version: '1.2.0', stuck_count: 2, timeout_count: 0 },
  });
});

test('present state is returned as it is', () => {
  const state = { ...first, schema_version: 3 };
  expect(migrateState(state)).toEqual({ status: 'current', value: state, from: 3, to: 3 });
});

test('newer state is recognised and left alone', () => {
  const state = { schema_version: 4 };
  expect(migrateState(state)).toEqual({ status: 'newer', value: state, from: 4, to: 3 });
});

test.each([[null], [[]], ['text'], [{ schema_version: 'three' }], [{ schema_version: 0 }]])('%j is no state document', (value) => {
  expect(migrateState(value).status).toBe('invalid');
});
