/** A question for a person. */
import { z } from './zod.ts';

export const GateOptionSchema = z.object({
  /** English, and the key of the option everywhere. */
  label: z.string(),
  /** The label in the user's language, where that is another one. */
  shown: z.string().optional(),
  description: z.string(),
  recommended: z.boolean().default(false),
  /** What the option needs to be told in words. Several are asked one after the other and answered by number: `1. ...`, `2. ...`. */
  asks: z.array(z.string()).optional(),
  /** The option means something without those words too. */
  words_optional: z.boolean().optional(),
});
export type GateOption = z.infer<typeof GateOptionSchema>;

export const GateSchema = z.object({
  /** `<flow>.<name>` */
  id: z.string(),
  asked_at: z.string(),
  header: z.string(),
  question: z.string(),
  options: z.array(GateOptionSchema),
  /** Answered by a person, `--answers` or `--approve`, never by `--yes`. */
  non_negotiable: z.boolean().default(false),
  /** What an answer in words alone leads to, for a person; false: words alone are no answer. Absent: the flow makes something of them. */
  words: z.union([z.string(), z.literal(false)]).optional(),
  /** Facts shown with the question: differences, paths, figures. */
  context: z.array(z.string()).default([]),
  /** Tag of the language that the question is asked in; English without one. */
  language: z.string().optional(),
});
export type Gate = z.infer<typeof GateSchema>;

/** A question that is not asked yet. `Label`: its options, as far as the compiler knows them. */
export type Question<Label extends string = string> = Omit<Gate, 'asked_at' | 'options'> & {
  options: (GateOption & { label: Label })[];
};

export type AnswerTo<Label extends string> = Omit<GateAnswer, 'option'> & { option: Label | null };

export interface GateAnswer {
  /** English label of the option; null when only text was given. */
  option: string | null;
  text: string | null;
  by: 'terminal' | 'answers' | 'yes' | 'approve' | 'command';
}
