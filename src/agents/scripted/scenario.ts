/**
 * A scenario: what the embedded agent says and does.
 *
 * 1. A conversation is chosen by its first matching `when`; every condition given must hold. One without conditions matches all.
 * 2. A step is one response of the model. Which one is due follows from the request alone (see `choose-step.ts`), so retries are safe.
 * 3. Faults happen `times` times at their step, or at the numbered request of the server; then the step is played as if nothing had been.
 */
import { z } from '../../domain/zod.ts';
import { usageError } from '../../domain/errors.ts';
import type { Platform } from '../../platform/platform.ts';

const times = z.number().int().positive().default(1);

export const FaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.number().int(),
    retry_after: z.union([z.number(), z.string()]).optional(),
    message: z.string().optional(),
    times,
  }),
  z.strictObject({ kind: z.literal('context_too_long'), times }),
  z
    .strictObject({ kind: z.literal('delay'), ms: z.number().nonnegative(), times })
    .describe('Waits before the headers, then plays the step.'),
  z.strictObject({ kind: z.literal('reset'), times }).describe('Closes the connection before the headers.'),
  z.strictObject({ kind: z.literal('stall'), after_events: z.number().int().positive().default(3), times }),
  z.strictObject({ kind: z.literal('cut'), after_events: z.number().int().positive().default(3), times }),
  z.strictObject({ kind: z.literal('malformed'), after_events: z.number().int().positive().default(3), times }),
  z.strictObject({
    kind: z.literal('stream_error'),
    error: z.string().default('overloaded_error'),
    after_events: z.number().int().positive().default(3),
    times,
  }),
  z.strictObject({ kind: z.literal('truncated'), times }).describe('Ends the stream in order, but without its last event.'),
]);
export type Fault = z.infer<typeof FaultSchema>;

const StepSchema = z.strictObject({
  text: z.string().optional(),
  tools: z.array(z.strictObject({ name: z.string().min(1), input: z.record(z.string(), z.unknown()).default({}) })).default([]),
  /** Replaces the counted usage; cache figures that are left out are 0. */
  usage: z
    .strictObject({
      input_tokens: z.number().int().nonnegative(),
      output_tokens: z.number().int().nonnegative().optional(),
      cache_read_input_tokens: z.number().int().nonnegative().default(0),
      cache_creation_input_tokens: z.number().int().nonnegative().default(0),
    })
    .optional(),
  stop_reason: z.string().optional(),
  fault: FaultSchema.optional(),
});
export type Step = z.infer<typeof StepSchema>;

const ConversationSchema = z.strictObject({
  name: z.string().optional(),
  when: z
    .strictObject({
      role: z.string().optional(),
      feature: z.number().int().optional(),
      session: z.number().int().optional(),
      /** Text in the system part or in the first user message. */
      contains: z.string().optional(),
      /** The how-manieth conversation of this scenario it is, from 1. */
      nth: z.number().int().positive().optional(),
    })
    .default({}),
  steps: z.array(StepSchema),
});
export type ScriptedConversation = z.infer<typeof ConversationSchema>;

export const ScenarioSchema = z.strictObject({
  conversations: z.array(ConversationSchema).min(1),
  faults: z.array(z.strictObject({ request: z.number().int().nonnegative(), fault: FaultSchema })).default([]),
});
export type Scenario = z.infer<typeof ScenarioSchema>;
export type ScenarioInput = z.input<typeof ScenarioSchema>;

export async function readScenario(platform: Platform, path: string): Promise<Scenario> {
  const text = await platform.files.readTextIfExists(path);
  if (text === null) throw usageError('The scenario file does not exist.', `file: ${path}`, 'fix: name an existing scenario');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(
      'The scenario file is not JSON.',
      `file: ${path}`,
      `problem: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = ScenarioSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw usageError(
    'The scenario file does not fit its schema.',
    `file: ${path}`,
    `field: ${issue?.path.join('.') ?? ''}`,
    `problem: ${issue?.message ?? 'invalid'}`,
  );
}
