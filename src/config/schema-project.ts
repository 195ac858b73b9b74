/** Settings that say what the project is, how it starts and how it is tested. */
import { z } from '../domain/zod.ts';
import { BACKEND_NAMES, BACKENDS } from '../agents/registry.ts';
import { NEW_DEPENDENCIES } from '../domain/new-dependencies.ts';
import { REPORTS } from '../verify/runners/registry.ts';
import { choice, command, count, flag, list, quantity, requiredSection, section, text } from './section.ts';

const EXAMINED = BACKEND_NAMES.filter((name) => BACKENDS[name].isExamined);

export const ProjectSection = requiredSection('What the project is.', {
  name: z.string().min(1).describe('Name of the project, as it appears in prompts, commits and reports.'),
  github_repo: z
    .string()
    .regex(/^[^/\s]+\/[^/\s]+$/, 'must look like owner/name')
    .nullable()
    .default(null)
    .describe('GitHub repository as owner/name; used when github.repo is not set.'),
});

export const EnvironmentSection = section('How the development environment is started and stopped.', {
  init: command('Command that starts the environment. Left out: ./init.sh where that file exists. null: no such step.'),
  reset: command('Command that forces a clean state. Left out: ./reset.sh where that file exists. null: no such step.'),
  health_check: command(
    'Command that succeeds when the application responds. With it, the environment is brought up beside test runs in clean rooms, too. null: no health check.',
  ),
  stop: command('Command that stops the environment. null: nothing to stop.'),
});

export const TestingSection = requiredSection('How the project is tested.', {
  sanity: section('Quick checks before a session starts and before its work is accepted.', {
    health: command('Succeeds when the application responds; with environment.init running.'),
    lint: command('Lint of the sources; a failure only warns, unless quality.warn_on_lint_errors is off.'),
    type_check: command('Type check of the sources.'),
    unit: command('Quick unit tests. Left out: testing.unit.'),
    e2e: command('Quick end-to-end tests. Left out: testing.e2e.'),
  }),
  unit: command('Command that runs the unit tests; run with the sanity checks.'),
  e2e: command('Command that runs the end-to-end tests; run with the sanity checks.'),
  full: z.string().min(1).describe('Command that runs the whole test suite; verdicts and the baseline rest on it.'),
  feature: command(
    'Command that runs one test file, with {test_file} as the placeholder; it is started once for each file. null: derived from the project.',
  ),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable'), z.string())
    .default({})
    .describe('Variables for every run of tests and checks, such as FORCE_COLOR: "1"; init names those that make failing tests pass.'),
  terminal: flag(false, 'Tests and checks run at a pseudo-terminal (the program script of util-linux), as when you run them by hand.'),
  report: choice(REPORTS, 'auto', 'Which kind of report the test command gives.'),
  timeout_seconds: quantity(600, 'Longest time that one run of a test command may take.'),
});

export const VerificationSection = section(
  'What a claim must show before it is accepted. With harness_verify or regression_check off, nothing is ever verified.',
  {
    require_evidence: flag(true, "The agent's own output must show a run of the feature's test."),
    harness_verify: flag(true, 'The harness runs the tests itself.'),
    max_features_per_session: quantity(1, 'A session that claims more features than one is rejected. No other value is taken.').refine(
      (value) => value === 1,
      'has to be 1: a session proves one feature, and a claim of more is rejected; for more, use harness run --sessions N or --lanes N',
    ),
    regression_check: flag(true, 'The whole suite runs before a commit.'),
    red_check: flag(true, "A feature's test must fail on the base code."),
    flaky_reruns: count(2, 'How often a failing test is run again while the baseline is taken; the judge repeats failures by itself.'),
    protected: list([], 'Globs of further files that a session may not change, beside those that are always protected.'),
    examiner: z
      .preprocess((value) => (value === 'ask' ? 'on' : value), z.enum(['auto', 'on', 'off']))
      .default('auto')
      .describe(
        `Hidden tests: a role that never sees the work writes tests from the feature's description, and a person reviews work that fails what the description requires. auto: on for the backends ${EXAMINED.join(', ')}.`,
      ),
    max_minutes: quantity(15, 'A judgement that takes longer is not stopped: one warning names what it waits for.'),
    network: choice(
      ['loopback', 'host'],
      'loopback',
      'What test runs can reach; host is stated in the verdict, and only takes effect once you have allowed it.',
    ),
    new_dependencies: z
      .enum(NEW_DEPENDENCIES)
      .nullable()
      .default(null)
      .describe(
        'What a new dependency means. ask: a person decides; listed: those that the feature (new_dependencies) or your own settings name are taken; allow: all are. null: as your own settings say, else ask. Where your own settings speak, a project can only be stricter.',
      ),
    listed_dependencies: list([], 'Packages that every feature may add. Only takes effect in your own settings.'),
  },
);

export const FeaturesSection = section('Rules for the feature list.', {
  max_verification_steps: quantity(7, 'A feature with more steps is flagged as too large.'),
  max_stuck_sessions: quantity(3, 'Sessions without success on one feature before a person is asked.'),
  require_test_file: flag(true, 'Every feature must name its test file.'),
});

export const QualitySection = section('Code quality between features.', {
  lint_command: command('Lint command whose findings feed the cleanup session.'),
  max_file_lines: quantity(500, 'A longer file is flagged.'),
  cleanup_interval: count(10, 'A cleanup session after this many accepted features; 0: never.'),
  warn_on_lint_errors: flag(true, 'Lint errors warn. Off: a failing testing.sanity.lint refuses, and quality.lint_command says nothing.'),
});

export const PathsSection = section("Where the project's files are, relative to its root.", {
  features: text('features.json', 'The feature list.'),
  progress: text('claude-progress.txt', "The agent's progress notes."),
  state_dir: text('.harness', 'Runtime state; ignored by git.'),
});
