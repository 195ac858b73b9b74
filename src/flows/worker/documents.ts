/** Files of the project that a task names: read as data, through plain ways inside the repository only. */
import { join } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import { wayTo } from '../../kernel/ground/way-to.ts';
import type { WorkerPlace } from './place.ts';
import { objectionTo, plainPath } from './machine/bounds.ts';
import { enforcesTdd, rulesInToml, type OwnRule } from './machine/origin-rules.ts';
import { RULES } from './machine/rules.ts';

/** Exit 2 where it cannot be read. `field`: where the task names it. */
export async function readNamed(place: Pick<WorkerPlace, 'platform' | 'root'>, field: string, path: string): Promise<string> {
  const objection = objectionTo(path);
  if (objection !== null)
    throw usageError(`${field}: ${path}: ${objection}.`, 'Paths of a task are relative to the repository and stay inside it.');
  const plain = plainPath(path);
  const way = await wayTo(place, plain);
  if (!way.inside) throw usageError(`${field}: ${path} leads out of the repository.`);
  if (way.linked) throw usageError(`${field}: ${path} is reached through a symbolic link.`, 'Name the file itself.');
  const file = join(place.root, plain);
  const stat = way.exists ? await place.platform.files.lstat(file) : null;
  if (stat?.isFile() !== true) throw usageError(`${field}: there is no file ${path}.`);
  if (stat.size > LARGEST) throw usageError(`${field}: ${path} is larger than ${LARGEST} bytes.`);
  return await place.platform.files.readText(file);
}

const LARGEST = 1024 * 1024;

export async function readContract(
  place: Pick<WorkerPlace, 'platform' | 'root'>,
  path: string | null | undefined,
): Promise<{ value: unknown; text: string } | null> {
  if (path === null || path === undefined) return null;
  const text = await readNamed(place, 'contract_path', path);
  try {
    return { value: JSON.parse(text) as unknown, text };
  } catch (error) {
    throw usageError(`contract_path: ${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function readSpec(place: Pick<WorkerPlace, 'platform' | 'root'>, path: string | null | undefined): Promise<string | null> {
  return path === null || path === undefined ? null : await readNamed(place, 'spec_path', path);
}

const QUALITY_RULES = ['.claude/rules/test-quality.md', '.claude/rules/implementation-quality.md'] as const;
const LARGEST_RULES = 64 * 1024;

/** Those that are there as plain files; no task names them, so none of them is an error. */
export async function readQualityRules(place: Pick<WorkerPlace, 'platform' | 'root'>): Promise<{ path: string; text: string }[]> {
  const found: { path: string; text: string }[] = [];
  for (const path of QUALITY_RULES) {
    const way = await wayTo(place, path);
    if (!way.exists || !way.inside || way.linked) continue;
    const stat = await place.platform.files.lstat(join(place.root, path));
    if (stat.isFile() && stat.size <= LARGEST_RULES)
      found.push({ path, text: await place.platform.files.readText(join(place.root, path)) });
  }
  return found;
}

/** The project's own rules: from its settings, and from the `harness.toml` of the origin where there is one. */
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
