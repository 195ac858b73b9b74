/**
 * Reading and judging a feature list. Pure: text in, list and problems out.
 *
 * 1. `errors` make the list unusable; `flags` are size warnings that a person may accept.
 * 2. Every problem names the field and the fix.
 */
import { posix } from 'node:path';
import { FeatureListSchema, type Feature, type FeatureList } from '../../../domain/feature.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import { sizeOf } from '../split/plan-split.ts';
import { lastItem } from '../../../domain/items.ts';

export interface ListRules {
  maxVerificationSteps: number;
  requireTestFile: boolean;
  /** Features that a person set aside: a circle of these alone stops nobody. */
  setAside?: readonly number[] | 'all';
}

export interface ListProblem {
  field: string;
  message: string;
  fix: string;
}

export interface ParsedList {
  list: FeatureList | null;
  errors: ListProblem[];
  flags: { feature: number; message: string }[];
  /** The first dependency circles, each as a path that ends where it began. */
  cycles: number[][];
}

export function parseFeatureList(text: string, rules: ListRules): ParsedList {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return broken({ field: '(file)', message: `is not valid JSON: ${(error as Error).message}`, fix: 'repair the JSON syntax' });
  }
  const parsed = FeatureListSchema.safeParse(value);
  if (!parsed.success) {
    const errors = parsed.error.issues.slice(0, 20).map((issue) => ({
      field: fieldName(issue.path),
      message: issue.message,
      fix: 'see the JSON Schema features.schema.json for the expected shape',
    }));
    return { list: null, errors, flags: [], cycles: [] };
  }
  const list = parsed.data;
  const cycles = findCycles(list.features).filter((cycle) => !isSetAside(cycle, rules.setAside ?? []));
  return { list, errors: [...listErrors(list, rules), ...cycles.map(cycleProblem)], flags: sizeFlags(list, rules), cycles };
}

/** Entries are counted from one, as people count them. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join('.') || '(file)';
}

function broken(problem: ListProblem): ParsedList {
  return { list: null, errors: [problem], flags: [], cycles: [] };
}

function listErrors(list: FeatureList, rules: ListRules): ListProblem[] {
  const errors: ListProblem[] = [];
  const firstIndex = new Map<number, number>();
  if (list.features.length === 0) {
    errors.push({
      field: 'features',
      message: 'holds no feature',
      fix: 'add at least one feature with id, description and test_file',
    });
  }
  list.features.forEach((feature, index) => {
    const seen = firstIndex.get(feature.id);
    if (seen !== undefined) {
      errors.push({
        field: `features.${index + 1}.id`,
        message: `id ${feature.id} is used twice (first at features.${seen + 1})`,
        fix: 'give every feature its own id',
      });
    } else firstIndex.set(feature.id, index);
    if (rules.requireTestFile && feature.test_file === undefined && feature.verification_type !== 'manual') {
      errors.push({
        field: `features.${index + 1}.test_file`,
        message: `feature ${feature.id} has no test_file`,
        fix: 'name the test file that proves it, or set features.require_test_file: false',
      });
    }
    errors.push(...testFileErrors(feature, `features.${index + 1}.test_file`));
  });
  list.features.forEach((feature, index) => {
    for (const dependency of feature.depends_on ?? []) {
      if (firstIndex.has(dependency)) continue;
      errors.push({
        field: `features.${index + 1}.depends_on`,
        message: `feature ${feature.id} depends on feature ${dependency}, which does not exist`,
        fix: `add feature ${dependency} or remove it from depends_on`,
      });
    }
  });
  return errors;
}

function testFileErrors(feature: Feature, field: string): ListProblem[] {
  const files = testFilesOf(feature);
  return files.flatMap((file, index): ListProblem[] => {
    const at = Array.isArray(feature.test_file) ? `${field}.${index + 1}` : field;
    const misplaced = misplacedBecause(file);
    if (misplaced !== null)
      return [{ field: at, message: `"${file}" ${misplaced}`, fix: 'use a path inside the project, relative to its root' }];
    return files.slice(0, index).some((other) => posix.normalize(other) === posix.normalize(file))
      ? [{ field: at, message: `"${file}" is named twice`, fix: 'name every test file of the feature once' }]
      : [];
  });
}

function misplacedBecause(path: string): string | null {
  if (leavesProject(path)) return 'leaves the project';
  return path.split('/').some((part) => part === '.git' || part === '.harness') ? 'lies where git keeps no files' : null;
}

function leavesProject(path: string): boolean {
  return path.startsWith('/') || /[\0-\x1f\x7f\\]/.test(path) || path.split('/').includes('..') || path.startsWith('-') || path === '.';
}

function sizeFlags(list: FeatureList, rules: ListRules): { feature: number; message: string }[] {
  const flags: { feature: number; message: string }[] = [];
  for (const feature of list.features) {
    const steps = feature.verification_steps?.length ?? 0;
    if (steps > rules.maxVerificationSteps) {
      flags.push({
        feature: feature.id,
        message: `has ${steps} verification steps (at most ${rules.maxVerificationSteps} fit one session): split it by capability`,
      });
    } else if (feature.size_estimate === 'xlarge') {
      flags.push({ feature: feature.id, message: 'is estimated xlarge: split it' });
    } else if (feature.size_estimate !== undefined && steps > 0 && sizeOf(steps) !== feature.size_estimate) {
      flags.push({
        feature: feature.id,
        message: `is estimated ${feature.size_estimate} (${STEPS_OF[feature.size_estimate]} verification steps) and has ${steps}: that is ${sizeOf(steps)}`,
      });
    }
  }
  return flags;
}

/** By the list's own words for sizes. */
const STEPS_OF = { small: '1-3', medium: '4-5', large: '6-7' } as const;

function cycleProblem(cycle: number[]): ListProblem {
  const shown = cycle.length <= 20 ? cycle : [...cycle.slice(0, 10), `(${cycle.length - 20} more)`, ...cycle.slice(-10)];
  return {
    field: 'features.depends_on',
    message: `features depend on each other in a circle: ${shown.join(' → ')}`,
    fix: 'remove one of these dependencies',
  };
}

function isSetAside(cycle: readonly number[], setAside: readonly number[] | 'all'): boolean {
  return setAside === 'all' || cycle.every((id) => setAside.includes(id));
}

const MAX_CYCLES = 20;

/** Every back edge found by a depth-first walk gives one circle, up to MAX_CYCLES. Iterative, because lists may be long chains. */
export function findCycles(features: readonly Feature[]): number[][] {
  const dependencies = new Map(features.map((feature) => [feature.id, feature.depends_on ?? []]));
  const state = new Map<number, 'open' | 'done'>();
  const cycles: number[][] = [];
  for (const start of dependencies.keys()) {
    if (state.has(start)) continue;
    const path: { id: number; next: number }[] = [{ id: start, next: 0 }];
    state.set(start, 'open');
    while (path.length > 0 && cycles.length < MAX_CYCLES) {
      const top = lastItem(path);
      const child = dependencies.get(top.id)?.[top.next++];
      if (child === undefined) {
        state.set(top.id, 'done');
        path.pop();
      } else if (state.get(child) === 'open') {
        cycles.push([...path.slice(path.findIndex((step) => step.id === child)).map((step) => step.id), child]);
      } else if (!state.has(child) && dependencies.has(child)) {
        state.set(child, 'open');
        path.push({ id: child, next: 0 });
      }
    }
  }
  return cycles;
}
