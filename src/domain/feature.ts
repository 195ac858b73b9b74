/** The feature list as it stands in `features.json`. Unknown fields are kept, because the file belongs to the user. */
import { z } from './zod.ts';
import { isLoopback } from './loopback.ts';

const AutomatedCommandSchema = z.object({
  name: z.string().min(1).optional().describe('What it shows, in a sentence.'),
  command: z.string().min(1).describe('Shell command; it has to end with status 0.'),
});

const VisualSchema = z.looseObject({
  enabled: z.boolean().optional().describe('false: the page is not looked at.'),
  url: z
    .string()
    .refine(isVisitable, { error: 'has to be an address on this machine, such as http://127.0.0.1:3000/' })
    .optional()
    .describe(
      'Where the page is once `startup` has run, on this machine. The harness visits it with its own browser. Without it the agent alone looks.',
    ),
  startup: z
    .string()
    .min(1)
    .optional()
    .describe('Shell command that serves the program, in the foreground or in the background. Default: environment.init of the settings.'),
  steps: z
    .array(z.string().min(1))
    .optional()
    .describe('What to do on the page and what to see there, one sentence each; docs/visual.md lists the forms that the harness follows.'),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Share of the points of a picture that may differ from the accepted one before a person is asked; default 0.01.'),
  allowed_console_errors: z.array(z.string().min(1)).optional().describe('Parts of messages in the console that are no problem.'),
});
export type VisualVerification = z.infer<typeof VisualSchema>;

export const FeatureSchema = z.looseObject({
  id: z.number().int().positive().describe('Unique number of the feature.'),
  category: z.string().optional().describe('Any word to group features by.'),
  description: z.string().min(1).describe('One user-facing capability, in one sentence.'),
  test_file: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)], { error: 'has to be a path or a list of paths' })
    .optional()
    .describe(
      'Path of the test file that proves the feature, relative to the project, or a list of paths: all of them have to prove it. Required unless features.require_test_file is false.',
    ),
  interface: z
    .string()
    .min(1)
    .optional()
    .describe(
      'What callers will see, in words or signatures: names, paths, parameters, results. Without it the examiner has nothing to go by.',
    ),
  may_change: z
    .array(z.string().min(1))
    .optional()
    .describe('Globs of accepted tests that this feature is meant to change: judged in their new version, and shown at the commit.'),
  new_dependencies: z
    .array(z.string().min(1))
    .optional()
    .describe('Packages that this feature may add to the project. Needs verification.new_dependencies: listed.'),
  verification_steps: z.array(z.string()).optional().describe('What the test shows, step by step; at most seven.'),
  size_estimate: z.enum(['small', 'medium', 'large', 'xlarge']).optional().describe('small: 1-3 steps, medium: 4-5, large: 6-7.'),
  depends_on: z.array(z.number().int()).optional().describe('Ids of features that must pass first.'),
  priority: z.number().optional().describe('Lower comes first; features without one are ordered by id after those with one.'),
  passes: z.boolean().default(false).describe('Set by the agent to claim, by the harness to record. Left out: false.'),
  verification_type: z.enum(['automated', 'hybrid', 'manual']).optional().describe('automated (default), hybrid or manual.'),
  automated_checks: z
    .array(z.union([z.string().min(1), AutomatedCommandSchema], { error: 'has to be a sentence, or an object with a command' }))
    .optional()
    .describe(
      'What is checked without a person: a command (`npm run a11y`, or an object with name and command) is run in the room of the verdict and has to succeed; a sentence such as `Expect "Total"` or `No console errors` is looked for on the visited page; any other sentence is what the tests show.',
    ),
  manual_checks: z
    .array(z.string())
    .optional()
    .describe('With verification_type hybrid or manual: what a person looks at before the feature counts as done.'),
  visual_verification: VisualSchema.optional(),
});
export type Feature = z.infer<typeof FeatureSchema>;

export const FeatureListSchema = z.looseObject({
  $schema: z.string().optional(),
  project: z.string().min(1).describe('Name of the project.'),
  generated_by: z.string().optional().describe('Who wrote the list; for people.'),
  last_updated: z.string().optional().describe('When the list was last changed; for people.'),
  features: z.array(FeatureSchema).describe('The features, in the order in which people read them.'),
  instructions: z.string().optional().describe('Words for every session: they are part of each agent’s orientation.'),
});
export type FeatureList = z.infer<typeof FeatureListSchema>;

/** What there is to look at; null: nothing, or nobody is to look. */
export function visualOf(feature: Feature | null): VisualVerification | null {
  const visual = feature?.visual_verification;
  if (visual === undefined || visual.enabled === false) return null;
  return visual.enabled === true || visual.url !== undefined || (visual.steps ?? []).length > 0 ? visual : null;
}

function isVisitable(url: string): boolean {
  return /^https?:\/\//i.test(url) && isLoopback(url);
}
