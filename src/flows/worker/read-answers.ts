/** A lead's review and an advisor's answer, as they come: JSON, or for a review a plain text whose first word decides. Pure. */
import type { z } from 'zod';
import { usageError } from '../../domain/errors.ts';
import { AdviceSchema, ReviewSchema, type Advice, type Review } from './contract.ts';

export function readReview(text: string, taskId: string): Review {
  const word = /^\s*(APPROVE|REQUEST_CHANGES)\b[:\s]*([\s\S]*)$/.exec(text);
  if (word !== null) return { verdict: word[1] as Review['verdict'], ...(word[2]!.trim() === '' ? {} : { text: word[2]!.trim() }) };
  return checked(ReviewSchema, 'The review', text, taskId);
}

export function readAdvice(text: string, taskId: string): Advice {
  return checked(AdviceSchema, 'The advice', text, taskId);
}

function checked<Value extends { task_id?: string | undefined }>(
  schema: z.ZodType<Value>,
  what: string,
  text: string,
  taskId: string,
): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(`${what} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw usageError(
      `${what} cannot be used: ${parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}.`,
    );
  if (parsed.data.task_id !== undefined && parsed.data.task_id !== taskId)
    throw usageError(`${what} is for task ${parsed.data.task_id}, not for ${taskId}.`);
  return parsed.data;
}
