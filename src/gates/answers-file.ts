/** `--answers FILE`: read and checked before the command starts. */
import { z } from '../domain/zod.ts';
import { usageError } from '../domain/errors.ts';
import type { Platform } from '../platform/platform.ts';

const OptionSchema = z.union([z.string(), z.number().int().positive()]).transform(String);
const AnswerSchema = z.union([
  OptionSchema.transform((option) => ({ option: option as string | null, text: null as string | null })),
  z
    .strictObject({ option: OptionSchema.nullable().optional(), text: z.string().nullable().optional() })
    .transform((given) => ({ option: given.option ?? null, text: given.text ?? null })),
]);
const AnswersSchema = z.record(z.string(), z.union([z.array(AnswerSchema), AnswerSchema.transform((answer) => [answer])]));

/** For each gate id the answers in the order in which they are used, each once. */
export type Answers = Readonly<Record<string, readonly { option: string | null; text: string | null }[]>>;

export async function readAnswers(platform: Platform, path: string): Promise<Answers> {
  const text = await platform.files.readTextIfExists(path);
  if (text === null) throw usageError(`The answers file ${path} does not exist.`, 'Check the path given with --answers.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(`The answers file ${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = AnswersSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.') || 'the whole file'))];
  throw usageError(
    `The answers file ${path} has a wrong form at: ${fields.join(', ')}.`,
    'It is a JSON object from question id to an option, to {"option": ..., "text": ...}, or to a list of these.',
  );
}
