/** `harness version`: the program, the schema it writes, and the schema of the state in this project. */
import { EXIT } from '../../domain/reasons.ts';
import { STATE_SCHEMA_VERSION } from '../../domain/session.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { Command } from '../command.ts';

type StateAge = 'none' | 'current' | 'older' | 'newer' | 'unreadable';

const EXPLANATIONS: Readonly<Record<StateAge, string>> = {
  none: 'No state here yet.',
  current: 'The state is up to date.',
  older: 'The state is from an older version. harness migrate brings it up to date.',
  newer: 'The state is from a newer version. Update the harness before you go on.',
  unreadable: 'The state cannot be read.',
};

export const run: Command = async ({ store, output }) => {
  const text = await store.read('session_state.json');
  const found = text === null ? null : schemaVersionOf(text);
  const age = text === null ? 'none' : ageOf(found);
  output.object(
    { harness_version: HARNESS_VERSION, schema_version: STATE_SCHEMA_VERSION, state_schema_version: found, status: age },
    [
      `Harness version: ${HARNESS_VERSION}`,
      `Schema version: ${STATE_SCHEMA_VERSION}`,
      `State in this project: ${found ?? '-'}`,
      EXPLANATIONS[age],
    ].join('\n'),
  );
  return { exitCode: EXIT.done };
};

/** State from before versions were written counts as 1. */
function schemaVersionOf(text: string): number | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const version = 'schema_version' in value ? value.schema_version : 1;
    return typeof version === 'number' ? version : null;
  } catch {
    return null;
  }
}

function ageOf(found: number | null): StateAge {
  if (found === null) return 'unreadable';
  if (found === STATE_SCHEMA_VERSION) return 'current';
  return found < STATE_SCHEMA_VERSION ? 'older' : 'newer';
}
