/**
 * Whether a line of the journal matches an expression.
 *
 * 1. `glance` knows only the time and the type of a line; it answers `null` where that does not decide.
 * 2. `requirement` is what a matching line must contain, so that a scan can leap from one candidate to the next.
 *    It may let through too much, never too little.
 */
import type { Expression } from './expression.ts';

export function matches(expression: Expression, entry: Readonly<Record<string, unknown>>, line: string): boolean {
  switch (expression.kind) {
    case 'all':
      return true;
    case 'and':
      return matches(expression.left, entry, line) && matches(expression.right, entry, line);
    case 'or':
      return matches(expression.left, entry, line) || matches(expression.right, entry, line);
    case 'not':
      return !matches(expression.inner, entry, line);
    case 'text':
      return line.includes(escaped(expression.value));
    case 'since':
      return String(entry['ts']) >= expression.time;
    case 'until':
      return String(entry['ts']) <= expression.time;
    case 'compare':
      return compare(expression, fieldOf(entry, expression.field));
  }
}

/** The same as `matches`, as far as time and type alone decide. */
export function glance(expression: Expression, ts: string, type: string): boolean | null {
  switch (expression.kind) {
    case 'and': {
      const left = glance(expression.left, ts, type);
      if (left === false) return false;
      const right = glance(expression.right, ts, type);
      return right === false ? false : left === null ? null : right;
    }
    case 'or': {
      const left = glance(expression.left, ts, type);
      if (left === true) return true;
      const right = glance(expression.right, ts, type);
      return right === true ? true : left === null ? null : right;
    }
    case 'not': {
      const inner = glance(expression.inner, ts, type);
      return inner === null ? null : !inner;
    }
    case 'text':
      return null;
    case 'compare':
      if (expression.field === 'type') return compare(expression, type);
      return expression.field === 'ts' ? compare(expression, ts) : null;
    default:
      return matches(expression, { ts }, '');
  }
}

/** One of these must be in the line; `null`: nothing is known. */
export function requirement(expression: Expression): string[] | null {
  switch (expression.kind) {
    case 'and':
      return better(requirement(expression.left), requirement(expression.right));
    case 'or': {
      const left = requirement(expression.left);
      const right = requirement(expression.right);
      return left === null || right === null || left.length + right.length > 8 ? null : [...left, ...right];
    }
    case 'text':
      return expression.value === '' ? null : [escaped(expression.value)];
    case 'compare':
      return requirementOfComparison(expression.field, expression.operator, expression.value);
    default:
      return null;
  }
}

function requirementOfComparison(field: string, operator: string, value: string): string[] | null {
  if (operator === '!=') return null;
  const keys = namesOf(field).map((name) => `${JSON.stringify(name.split('.').at(-1))}:`);
  if (value === '') return keys;
  if (operator === '~') return escaped(value) === value ? [value] : keys;
  if (operator !== '=') return keys;
  const number = asNumber(value);
  if (number === null && !LITERALS.has(value)) return [escaped(value)];
  // A number or literal is too common by itself: it stands behind its key, quoted or not, or in a list there.
  return keys.flatMap((key) => [`${key}${number ?? value}`, `${key}"${value}"`, `${key}[`]);
}

const LITERALS = new Set(['true', 'false', 'null']);

/** The longer the shortest alternative, the rarer it tends to be. */
function better(left: string[] | null, right: string[] | null): string[] | null {
  if (left === null || right === null) return left ?? right;
  const weight = (words: string[]): number => Math.min(...words.map((word) => word.length)) - 2 * words.length;
  return weight(left) >= weight(right) ? left : right;
}

/** Text as it stands inside a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Session records say `session_id` and `feature_id`. */
function namesOf(field: string): string[] {
  return field === 'session' || field === 'feature' ? [field, `${field}_id`] : [field];
}

function fieldOf(entry: Readonly<Record<string, unknown>>, field: string): unknown {
  for (const name of namesOf(field)) {
    if (Object.hasOwn(entry, name)) return entry[name];
  }
  let value: unknown = entry;
  for (const part of field.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function compare({ operator, value }: { operator: string; value: string }, found: unknown): boolean {
  if (operator === '!=') return !compare({ operator: '=', value }, found);
  if (found === undefined) return false;
  if (Array.isArray(found)) return found.some((element) => compare({ operator, value }, element));
  const text = typeof found === 'object' && found !== null ? JSON.stringify(found) : String(found);
  if (operator === '=') return typeof found === 'number' ? found === asNumber(value) : text === value && (typeof found !== 'object' || found === null);
  if (operator === '~') return text.includes(value);
  const number = asNumber(value);
  const [left, right] = typeof found === 'number' && number !== null ? [found, number] : [text, value];
  if (typeof left !== typeof right || (typeof found === 'number') !== (number !== null)) return false;
  if (operator === '>') return left > right;
  if (operator === '<') return left < right;
  return operator === '>=' ? left >= right : left <= right;
}

function asNumber(text: string): number | null {
  return /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : null;
}
