/** Settings of the mission flow. Names of its origin in another spelling are read as aliases (`mission-aliases.ts`). */
import { z } from '../domain/zod.ts';
import { choice, command, count, flag, quantity, section, text } from './section.ts';

const MISSION_ROLES = {
  planner: 'opus',
  plan_reviewer: 'opus',
  worker: 'sonnet',
  validator: 'opus',
  orchestrator: 'haiku',
  crosscheck: 'opus',
  architect: 'opus',
  debugger: 'opus',
  ui_qa: 'sonnet',
  documenter: 'sonnet',
  curator: 'sonnet',
} as const;
export type MissionRole = keyof typeof MISSION_ROLES;

const roles = Object.keys(MISSION_ROLES) as MissionRole[];

export const CheckpointTypeSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, { error: 'has to be a word of letters, digits, - and _' }),
  description: z.string().default(''),
  trigger_on: z
    .string()
    .regex(/^(?:post-planner|half-done|pre-done|feature:F-(?:FIX-)?\d{3,5})$/, {
      error: 'has to be post-planner, feature:<id>, half-done or pre-done',
    })
    .default('post-planner'),
});

const UrlSchema = z.strictObject({ url: z.string().min(1), expect_status: z.number().int().default(200) });

export const MissionSection = section('The mission flow.', {
  orchestrator: choice(['policy', 'model'], 'policy', 'Who decides what comes next: code, or a model whose decisions code checks.'),
  max_iterations: quantity(200, 'Decisions after which a mission ends for now (exit 10).'),
  max_attempts: quantity(5, 'Attempts at one feature before a person is asked.'),
  models: section(
    'The model of each role.',
    Object.fromEntries(roles.map((role) => [role, text(MISSION_ROLES[role], `Model of the ${role.replaceAll('_', '-')}.`)])) as Record<
      MissionRole,
      ReturnType<typeof text>
    >,
  ),
  timeouts: z
    .partialRecord(z.enum(roles as [MissionRole, ...MissionRole[]]), z.number().int().positive())
    .default({})
    .describe('Seconds after which the session of a role is stopped; left out: as for every session.'),
  plan_reviewer: section('Whether the plan is challenged.', { enabled: flag(true, 'A reviewer may reject the plan (exit 7).') }),
  checkpoints: section('Where a mission waits for `harness mission grant NAME`.', {
    enabled: flag(false, 'Whether it waits at all.'),
    types: z
      .array(CheckpointTypeSchema)
      .default([])
      .describe('Each with name, description and trigger_on: post-planner, feature:<id>, half-done or pre-done.'),
  }),
  branch_isolation: section('Branches of features.', {
    enabled: flag(true, 'The work on a feature stands on harness/<id> until it has passed.'),
    base_branch: z.string().min(1).nullable().default(null).describe('Branch that has to be checked out; null: whichever is.'),
    on_pass: choice(
      ['merge', 'pr', 'keep'],
      'merge',
      'What becomes of accepted work: it lands, it becomes a pull request, or its branch is kept.',
    ),
  }),
  smoke_test: section('A start of the real program.', {
    enabled: flag(false, 'Whether it is started.'),
    on_done: flag(true, 'Before the mission is called done.'),
    on_feature_pass: flag(false, 'With the accepted work on each feature, before it lands.'),
    urls: z.array(UrlSchema).default([]).describe('Addresses that have to answer, each with url and expect_status.'),
    startup_cmd: command('How the program is started.'),
    startup_wait_seconds: quantity(30, 'How long it may take to answer.'),
  }),
  ui_qa: section('A look at the running program in a browser.', {
    enabled: flag(false, 'Whether the harness visits the program of accepted work, and the role ui-qa reads what it saw.'),
    url: z
      .string()
      .min(1)
      .nullable()
      .default(null)
      .describe('Where the program answers, on this machine, once smoke_test.startup_cmd or environment.init has started it.'),
  }),
  crosscheck: section('A second validator, of another model.', { enabled: flag(false, 'Whether it is asked.') }),
  debugger: section('Looks for the cause of repeated failures.', {
    enabled: flag(true, 'Whether it is used.'),
    threshold: quantity(3, 'Failed attempts at a feature before it is used.'),
  }),
  documenter: section('Documents what landed, in docs/ only.', {
    enabled: flag(false, 'Whether it is asked.'),
    on: choice(['feature', 'done'], 'feature', 'After each feature, or once at the end.'),
  }),
  snapshot_retention: quantity(50, 'Snapshots of the state that are kept.'),
  log_retention: count(500, 'Sessions of which everything that agents said is kept in the logs; 0: all. Looked at after each iteration.'),
});
