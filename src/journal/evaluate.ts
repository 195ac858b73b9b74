/**
 * Whether a line of the journal matches an expression.
 *
 * 1. `matches` decides on the parsed line; the other two only spare work and always agree with it.
 * 2. `decides` answers from a glance at the line's bytes, or `null`.
 * 3. `requirements` are words that a matching line must contain, so that a scan can leap from one candidate to the next.
 *    They may let through too much, never too little.
 */
import type { Expression } from './expression.ts';
import { namesOf } from './line.ts';
import { UNSURE, type Glance } from './glance.ts';

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

/** The same as `matches`, as far as a glance at the line decides; `null` where it does not. */
export function decides(expression: Expression, look: Glance): boolean | null {
  switch (expression.kind) {
    case 'and': {
      const left = decides(expression.left, look);
      if (left === false) return false;
      const right = decides(expression.right, look);
      return right === false ? false : left === null ? null : right;
    }
    case 'or': {
      const left = decides(expression.left, look);
      if (left === true) return true;
      const right = decides(expression.right, look);
      return right === true ? true : left === null ? null : right;
    }
    case 'not': {
      const inner = decides(expression.inner, look);
      return inner === null ? null : !inner;
    }
    case 'text':
      return null;
    case 'compare': {
      const found = look(expression.field);
      return found === UNSURE ? null : compare(expression, found);
    }
    default:
      return matches(expression, { ts: look('ts') }, '');
  }
}

/** Of each of these lists, one member must be in the line. */
export function requirements(expression: Expression): string[][] {
  switch (expression.kind) {
    case 'and':
      return [...requirements(expression.left), ...requirements(expression.right)];
    case 'or': {
      const [left] = requirements(expression.left);
      const [right] = requirements(expression.right);
      return left === undefined || right === undefined || left.length + right.length > MOST_WORDS ? [] : [[...left, ...right]];
    }
    case 'text':
      return expression.value === '' ? [] : [[escaped(expression.value)]];
    case 'compare': {
      const words = requirementOfComparison(expression.field, expression.operator, expression.value);
      return words === null ? [] : [words];
    }
    default:
      return [];
  }
}

/** More words than this are slower to leap between than reading every line. */
const MOST_WORDS = 8;

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

/** Text as it stands inside a JSON string. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
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
  if (operator === '=')
    return typeof found === 'number' ? found === asNumber(value) : text === value && (typeof found !== 'object' || found === null);
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
