/**
 * Another guise of a run: environment and arguments as the newly observed code would meet them elsewhere.
 *
 * 1. A variable has the values that the code compares it with, one a guise, then `production`. Those that every run needs stay as they are.
 * 2. What the work is asked to observe is left as it is, and so is a value that the feature's own tests name.
 */
import type { Guise } from '../runners/runner.ts';
import type { PlacedObservation } from './newly.ts';
import { itemAt } from '../../domain/items.ts';

const MOST_GUISES = 2;
const OTHER_VALUE = 'production';
/** Without these no run is like another. */
const NEEDED = /^(?:PATH|HOME|TMPDIR|TMP|TEMP|PWD|SHELL|LD_\w+|NODE_OPTIONS|NODE_PATH|NODE_V8_\w+|PYTHON\w*|VIRTUAL_ENV)$/;
/** The run without marks has other values of these. */
const VARIED_ELSEWHERE = /^(?:LANG|LC_\w+|CI|(?:VITEST|JEST|NODE_TEST|MOCHA|AVA|TAPE|NODE_TAPE|PYTEST)_?\w*)$/;
const WORDS = ['--verbose', 'run', OTHER_VALUE];

/** A variable that a run cannot do without, and whose value decides something. */
export function isFixed({ kind, name, decides }: PlacedObservation): boolean {
  return kind === 'environment' && decides && name !== null && NEEDED.test(name);
}

/** `names`: literals and names of the feature's own tests. */
export function guisesFor(observed: readonly PlacedObservation[], names: ReadonlySet<string>): Guise[] {
  const values = new Map<string, string[]>();
  for (const { kind, name, decides, values: beside } of observed) {
    const variable = name ?? 'NODE_ENV';
    if (kind !== 'environment' || NEEDED.test(variable) || VARIED_ELSEWHERE.test(variable)) continue;
    const compared = decides ? beside.filter((value) => value !== variable) : [];
    const isNamed = name !== null && names.has(name);
    const own = isNamed ? compared.filter((value) => !names.has(value)) : [...compared, OTHER_VALUE];
    values.set(variable, [...new Set([...(values.get(variable) ?? []), ...own])]);
  }
  const given = observed.filter(({ kind }) => kind === 'arguments').flatMap((one) => one.values);
  const hasWords = observed.some(({ kind }) => kind === 'arguments');
  const words = hasWords ? [...new Set([...given.filter((word) => !names.has(word)), ...WORDS])] : [];
  const most = Math.max(hasWords ? 1 : 0, ...[...values.values()].map((own) => own.length));
  return Array.from({ length: Math.min(most, MOST_GUISES) }, (_none, at) => ({
    env: Object.fromEntries([...values].flatMap(([name, own]) => (own.length === 0 ? [] : [[name, itemAt(own, at % own.length)]]))),
    words,
  }));
}
