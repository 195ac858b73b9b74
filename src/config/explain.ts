/** Zod's findings in words that name the field, what is wrong and what to write instead. */
import { z } from '../domain/zod.ts';
import { nearest } from '../domain/nearest.ts';
import type { Problem } from './parse-yaml.ts';

type LineOf = (path: readonly (string | number)[]) => number | null;

export function explain(error: z.ZodError, schema: z.ZodType, lineOf: LineOf): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey([...path, key], knownKeys(schema, path), lineOf));
    return [{ field: path.join('.'), line: lineOf(path), message: whatIsWrong(issue), fix: whatToDo(issue, path.join('.')) }];
  });
}

/** Keys that a section of the schema knows. */
export function knownKeys(schema: z.ZodType, path: readonly (string | number)[]): string[] {
  let current: z.core.$ZodType | undefined = schema;
  for (const part of path) {
    const plain = unwrap(current);
    if (plain instanceof z.ZodObject) current = plain.shape[String(part)] as z.core.$ZodType | undefined;
    else if (plain instanceof z.ZodRecord) current = plain.valueType;
    else return [];
  }
  const section = unwrap(current);
  return section instanceof z.ZodObject ? Object.keys(section.shape) : [];
}

/** The schema below defaults, optionals and nullables. */
export function unwrap(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  let current = schema;
  while (
    current instanceof z.ZodDefault ||
    current instanceof z.ZodPrefault ||
    current instanceof z.ZodOptional ||
    current instanceof z.ZodNullable
  )
    current = current.def.innerType;
  return current;
}

function unknownKey(path: (string | number)[], known: string[], lineOf: LineOf): Problem {
  const key = String(path.at(-1));
  const section = path.slice(0, -1).join('.');
  const near = nearest(key, known);
  const place = section === '' ? 'at the top level' : `in "${section}"`;
  const fix = near === null ? `remove it; known here: ${known.join(', ')}` : `did you mean "${near}"?`;
  return { field: path.join('.'), line: lineOf(path), message: `there is no key "${key}" ${place}`, fix };
}

function whatIsWrong(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'it is missing' : `it must be ${article(issue.expected)}, not ${describe(issue.input)}`;
  if (issue.code === 'invalid_value') return `${describe(issue.input)} is not one of the possible values`;
  if (issue.code === 'too_small')
    return issue.origin === 'string'
      ? 'it must not be empty'
      : `it must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
  if (issue.code === 'too_big') return `it must be at most ${issue.maximum}`;
  return issue.message;
}

function whatToDo(issue: z.core.$ZodIssue, field: string): string {
  if (issue.code === 'invalid_value') {
    const near = typeof issue.input === 'string' ? nearest(issue.input, issue.values.map(String)) : null;
    return `write one of: ${issue.values.map(String).join(', ')}${near === null ? '' : ` (did you mean "${near}"?)`}`;
  }
  return EXAMPLES[field] ?? `give "${field}" a value of the right kind; docs/configuration.md lists them all`;
}

const EXAMPLES: Readonly<Record<string, string | undefined>> = {
  project: 'set project.name: add a section "project:" with "name: my-project" below it',
  'project.name': 'add "name: my-project" below "project:"',
  testing: 'set testing.full: add a section "testing:" with "full: npm test" below it',
  'testing.full': 'add "full: <the command that runs all tests>" below "testing:"',
};

function article(type: string): string {
  const names: Record<string, string> = {
    string: 'text',
    boolean: 'true or false',
    number: 'a number',
    int: 'a whole number',
    array: 'a list',
    object: 'a section with its own keys',
    record: 'a section with its own keys',
  };
  return names[type] ?? type;
}

function describe(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a section';
  return JSON.stringify(value) ?? String(value);
}
