/**
 * Names of the mission's settings as its origin spells them (`branchIsolation`, `triggerOn`): read as ours, with one warning each. Pure.
 * `useWorktrees` has no meaning here: every lane has a copy of its own.
 */
export interface Aliases {
  value: Record<string, unknown>;
  /** Each alias that was found, and what it was read as; null: as nothing. */
  found: { alias: string; key: string | null }[];
}

const WITHOUT_MEANING = new Set(['useWorktrees', 'use_worktrees']);

export function withMissionAliases(settings: Record<string, unknown>): Aliases {
  const found: Aliases['found'] = [];
  if (!isRecord(settings['mission'])) return { value: settings, found };
  return { value: { ...settings, mission: renamed(settings['mission'], 'mission', found) }, found };
}

function renamed(value: unknown, path: string, found: Aliases['found']): unknown {
  if (Array.isArray(value)) return value.map((entry) => renamed(entry, path, found));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (WITHOUT_MEANING.has(name)) {
      found.push({ alias: `${path}.${name}`, key: null });
      return [];
    }
    const key = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (key !== name) found.push({ alias: `${path}.${name}`, key: `${path}.${key}` });
    return [[key, renamed(inner, `${path}.${key}`, found)]];
  });
  return Object.fromEntries(entries);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
