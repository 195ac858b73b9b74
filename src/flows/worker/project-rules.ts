/** The project's own rules: from its settings, and from the `harness.toml` of the origin where there is one. */
import { join } from 'node:path';
import type { WorkerPlace } from './place.ts';
import { enforcesTdd, rulesInToml, type OwnRule } from './machine/origin-rules.ts';
import { RULES } from './machine/rules.ts';

export async function projectRules(place: Pick<WorkerPlace, 'platform' | 'root' | 'config'>): Promise<OwnRule[]> {
  const text = await originSettings(place);
  const rules = new Map<string, OwnRule>();
  for (const rule of [...(text === null ? [] : rulesInToml(text)), ...place.config.worker.self_review])
    if (!RULES.some((shipped) => shipped === rule.rule)) rules.set(rule.rule, rule);
  return [...rules.values()];
}

export async function isTddEnforced(place: Pick<WorkerPlace, 'platform' | 'root' | 'config'>): Promise<boolean> {
  return place.config.tdd.enforce.enabled || enforcesTdd((await originSettings(place)) ?? '');
}

function originSettings(place: Pick<WorkerPlace, 'platform' | 'root'>): Promise<string | null> {
  return place.platform.files.readTextIfExists(join(place.root, 'harness.toml'));
}
