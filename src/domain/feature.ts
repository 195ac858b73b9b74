/** The feature list as it stands in `features.json`. Unknown fields are kept, because the file belongs to the user. */
import { z } from 'zod';

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
  passes: z.boolean().describe('Set by the agent to claim, by the harness to record.'),
  verification_type: z.enum(['automated', 'hybrid', 'manual']).optional().describe('automated (default), hybrid or manual.'),
  automated_checks: z.array(z.string()).optional().describe('With verification_type hybrid: what the tests show, for people.'),
  manual_checks: z
    .array(z.string())
    .optional()
    .describe('With verification_type hybrid or manual: what a person looks at before the feature counts as done.'),
  visual_verification: z
    .looseObject({
      enabled: z.boolean().optional().describe('Kept; nothing acts on it in this version.'),
      steps: z.array(z.string()).optional().describe('Kept; nothing acts on it in this version.'),
    })
    .optional(),
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
