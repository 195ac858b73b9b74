/**
 * Building blocks of the settings schema.
 *
 * 1. Every object is strict: a key that is not named is an error.
 * 2. Every key has a description; the reference page and the JSON Schema are made from it.
 * 3. A section that is left out is read as an empty one, so that its defaults hold.
 */
import { z } from '../domain/zod.ts';

export function section<Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) {
  return z
    .strictObject(shape)
    .prefault({} as never)
    .describe(description);
}

/** A section with a key that has no default. */
export function requiredSection<Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) {
  return z.strictObject(shape).describe(description);
}

export function flag(value: boolean, description: string) {
  return z.boolean().default(value).describe(description);
}

export function text(value: string, description: string) {
  return z.string().min(1).default(value).describe(description);
}

/** A shell command; `null` means that the step is skipped. */
export function command(description: string) {
  return z.string().min(1).nullable().default(null).describe(description);
}

export function count(value: number, description: string) {
  return z.number().int().nonnegative().default(value).describe(description);
}

/** At least one. */
export function quantity(value: number, description: string) {
  return z.number().int().positive().default(value).describe(description);
}

export function dollars(value: number, description: string) {
  return z.number().nonnegative().default(value).describe(description);
}

export function share(value: number, description: string) {
  return z.number().gt(0).max(1).default(value).describe(description);
}

export function choice<const Values extends readonly [string, ...string[]]>(values: Values, value: Values[number], description: string) {
  return z
    .enum(values)
    .default(value as never)
    .describe(description);
}

export function list(value: readonly string[], description: string) {
  return z
    .array(z.string().min(1))
    .default([...value])
    .describe(description);
}
