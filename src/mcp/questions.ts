/**
 * The questions that wait, as a host sees them.
 *
 * 1. A person's question is never asked through the host: elicitation can be answered by a hook, and is no proof of a person.
 * 2. A preference is, where the host can. *Cancel* and *decline* are no answer: the question stays open.
 */
import { z } from '../domain/zod.ts';
import { ask, type Program } from './program.ts';
import type { Platform } from '../platform/platform.ts';

const QuestionSchema = z.object({
  id: z.string(),
  header: z.string(),
  question: z.string(),
  person: z.boolean(),
  options: z.array(z.object({ label: z.string(), description: z.string(), recommended: z.boolean().optional() })),
});
export type WaitingQuestion = z.infer<typeof QuestionSchema>;

export async function waitingQuestions(platform: Platform, program: Program): Promise<WaitingQuestion[]> {
  const { value } = await ask({ platform, program }, 'gates');
  const read = z.array(QuestionSchema).safeParse(value);
  return read.success ? read.data : [];
}

/** As a host prints it, with where it is answered. */
export function shownQuestion(question: WaitingQuestion): object {
  const { id, person, header, options } = question;
  const how = person
    ? `A person answers it in a terminal: harness answer ${id} <option>. No tool can.`
    : `harness_answer with gate "${id}", or in a terminal: harness answer ${id} <option>`;
  return { id, person, header, question: question.question, options, answer: how };
}

export function formFor({ header, question, options }: WaitingQuestion) {
  const lines = options.map(
    ({ label, description, recommended }) => `- ${label}: ${description}${recommended === true ? ' (recommended)' : ''}`,
  );
  return {
    message: [`${header}: ${question}`, ...lines].join('\n'),
    requestedSchema: {
      type: 'object' as const,
      properties: {
        option: { type: 'string' as const, title: 'Option', enum: options.map(({ label }) => label) },
        text: { type: 'string' as const, title: 'In your own words', description: 'Leave it empty where the option says it all.' },
      },
      required: ['option'],
    },
  };
}

const AcceptedSchema = z.object({
  action: z.literal('accept'),
  content: z.object({ option: z.string().optional(), text: z.string().optional() }),
});

/** Null: nobody answered. */
export function givenAnswer(response: unknown): { option: string | null; text: string | null } | null {
  const read = AcceptedSchema.safeParse(response);
  if (!read.success) return null;
  const { option = '', text = '' } = read.data.content;
  return option === '' && text.trim() === '' ? null : { option: option === '' ? null : option, text: text.trim() === '' ? null : text };
}

export function answerWords(gate: string, { option, text }: { option: string | null; text: string | null }): string[] {
  return [...(text === null ? [] : [`--text=${text}`]), '--', gate, ...(option === null ? [] : [option])];
}
