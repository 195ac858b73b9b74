/** Settings of the harness's own work around a session: state, git, preflight, logs and the mirror. */
import { ScheduleSchema } from '../domain/hours.ts';
import { z } from '../domain/zod.ts';
import { choice, count, flag, list, quantity, section, text } from './section.ts';

export const TelemetrySection = z
  .literal(false)
  .nullable()
  .default(null)
  .describe('false: nothing of this project is sent as telemetry. A receiver can only be named in your own settings.');

export const ScheduleSection = z
  .union([z.literal(false), ScheduleSchema])
  .nullable()
  .default(null)
  .describe(
    'Hours in which runs without a person work. Only takes effect in your own settings; a project can only say false, and your hours still hold.',
  );

export const CompatibilitySection = section('State written by another version of the harness.', {
  on_older_state: choice(['migrate', 'abort'], 'migrate', 'migrate: bring older state up to date; abort: stop and say so.'),
  on_newer_state: choice(['abort', 'warn'], 'abort', 'abort: stop and say so; warn: continue with a warning.'),
  backup_before_migrate: flag(true, 'Keep a copy of the state before it is migrated.'),
});

export const WorkspaceSection = section('Where the agent works.', {
  mode: choice(
    ['copy', 'in_place'],
    'copy',
    'copy: a copy outside the project; in_place: the working tree itself, put back after each session. Needs the sandbox, and goes with one lane.',
  ),
  include: list(
    [],
    'Files that git does not track and the agent gets anyway, such as .env. Your own settings have to allow them; they are never captured.',
  ),
  include_allowed: z
    .union([z.literal(false), z.array(z.string().min(1))])
    .nullable()
    .default(null)
    .describe('Which files include may name. Only takes effect in your own settings; a project can say false, or name some of those.'),
  wip_on_branch: flag(false, 'Put unfinished work on the branch too, as a WIP commit. Nothing is measured against such a commit.'),
});

export const GitSection = section("How the harness treats the project's repository.", {
  on_dirty: choice(['abort', 'stash'], 'abort', 'What happens when tracked files are modified at the start; untracked files never block.'),
  push: flag(
    false,
    "Push accepted commits to the branch's remote, else to origin; never by force. Where the remote went on, they are brought onto it and run again first.",
  ),
  hooks: flag(
    false,
    "Run the repository's own pre-commit and commit-msg hooks, in their trusted version, on a copy. One that fails or changes a file refuses the commit.",
  ),
});

export const PreflightSection = section('Checks before an agent is started.', {
  checks: section('Which checks run.', {
    working_directory: flag(true, 'The directory is the project.'),
    harness_files: flag(true, "The harness's files are there."),
    git_state: flag(true, 'The repository is on a branch and has no modified tracked files.'),
    environment: flag(true, 'The environment starts and is healthy.'),
    baseline_tests: flag(
      true,
      'The tests that passed last time still pass. Off: a session starts without this check; its work is still compared with the baseline.',
    ),
    budget: flag(true, 'There is money left.'),
  }),
  on_failure: section('What happens when the environment does not start.', {
    auto_reset: flag(true, 'Run the reset command and try again.'),
    max_reset_attempts: count(2, 'How often.'),
  }),
});

export const CheckpointsSection = section('Points that the project can return to.', {
  per_feature: quantity(5, 'How many are kept for each feature.'),
  max_age_days: quantity(7, 'Older ones are dropped; the newest of all and the last of each completed feature stay.'),
});

export const MaintenanceSection = section('The watch over a finished project (`harness run --maintain`).', {
  interval_minutes: z
    .number()
    .positive()
    .default(60)
    .describe('The suite and the health are looked at again after so many minutes, beside every new commit.'),
  repair: flag(false, 'A regression becomes a repair session. Off: a person is notified.'),
});

export const GithubSection = section('The mirror of the feature list in GitHub issues.', {
  repo: z
    .string()
    .regex(/^[^/\s]+\/[^/\s]+$/, 'must look like owner/name')
    .nullable()
    .default(null)
    .describe('Repository as owner/name. null: project.github_repo, else no mirror.'),
  sync_mode: choice(['mirror', 'none'], 'mirror', 'mirror: issues follow the feature list; none: no issues.'),
  sync_on_session_end: flag(true, 'Bring the mirror up to date after a session.'),
  create_missing_issues: flag(true, 'Open an issue for a feature that has none.'),
  close_on_verify: flag(true, 'Close the issue when its feature passes.'),
  on_sync_failure: choice(['warn', 'fail'], 'warn', 'warn: continue; fail: stop.'),
  pull_requests: choice(
    ['off', 'per_run', 'per_feature'],
    'off',
    'Accepted commits of harness run as pull requests, instead of a push to the branch itself. per_run: one for all of them; per_feature: one for each, on top of the one before.',
  ),
  follow: z
    .boolean()
    .nullable()
    .default(null)
    .describe('false: checks and review comments of its pull requests start no sessions. true takes effect in your own settings only.'),
  follow_attempts: count(3, 'Repair sessions for one pull request, within the budget.'),
});

export const LoggingSection = section('What is written down.', {
  level: choice(['critical', 'important', 'routine', 'debug'], 'important', 'The least important events that are kept.'),
  retention_days: count(90, 'Days after which events below critical are dropped; each level also has its own limit.'),
  structured_agent_output: flag(true, "Read the marks in the agent's output, such as [CMD:RUN] (docs/names.md lists them)."),
  require_prefixes: flag(false, 'Reject a claim whose session marked none of its actions.'),
  fallback_tracking: flag(true, 'Derive actions from tool calls where marks are missing.'),
  warn_on_missing_prefixes: flag(true, 'Warn when an agent uses no marks.'),
});

export const TddSection = section('Test-driven work of `harness worker`.', {
  enforce: section('Whether tests have to be seen failing first.', {
    enabled: flag(false, 'A task whose contract says `tdd_required` needs new tests that fail on the code from before.'),
  }),
  red_log: text('.claude/state/tdd-red-log', 'Folder of the records of failing tests, one file for each task.'),
});

export const WorkerSection = section('How `harness worker` does a task.', {
  plans_file: text('Plans.md', "The lead's plan, whose markers (`cc:TODO`, `cc:WIP`, `cc:done`) a worker must leave alone."),
  silence_seconds: quantity(
    600,
    'An agent that gives no sign of life for this long is stopped and started once more, then the task is escalated.',
  ),
  lock_wait_seconds: quantity(
    120,
    "How long a worker waits for the project's lock, which it needs for a moment at the start, for costs and for landing.",
  ),
  self_review: z
    .array(
      z.strictObject({
        rule: z.string().min(1).describe('Name of the rule.'),
        command: z
          .string()
          .min(1)
          .nullable()
          .default(null)
          .describe('Command that proves it by its exit status; without one the rule is never verified.'),
      }),
    )
    .default([])
    .describe("The project's own rules for a worker's report, beside those that ship."),
});
