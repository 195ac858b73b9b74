/** Settings of one session: the agent, its models, its limits and its tools. */
import { z } from '../domain/zod.ts';
import { BACKEND_NAMES, BACKENDS, DEFAULT_BACKEND } from '../agents/registry.ts';
import { ProjectAgentChoiceSchema, type AgentChoice } from './agent-choice.ts';
import { PriceSchema } from '../domain/money.ts';
import { choice, command, dollars, flag, list, quantity, section, share, text } from './section.ts';

const NEED_COMMAND = BACKEND_NAMES.filter((name) => BACKENDS[name].needsCommand);
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export const AgentSection = section('Which agent works.', {
  backend: choice(BACKEND_NAMES, DEFAULT_BACKEND, 'How the agent is driven.'),
  command: command(`What to start, for the backends ${NEED_COMMAND.join(' and ')}.`),
  env: z
    .array(z.string().regex(VARIABLE_NAME, 'must be the name of an environment variable'))
    .default([])
    .describe("Names of the user's environment variables that the agent may see, beside those by which its backend logs in."),
  logins: flag(
    true,
    'Whether its command can read the logins of agent programs, such as ~/.claude/.credentials.json. Only takes effect once you have allowed this command.',
  ),
  max_turns: quantity(200, "Upper bound of requests inside the agent's own loop in one session."),
  fallback: z
    .union([z.literal(false), z.array(ProjectAgentChoiceSchema as z.ZodType<AgentChoice>)])
    .nullable()
    .default(null)
    .describe(
      'Agents that go on when this one is out of quota or login, or its provider is down. Only takes effect in your own settings; a project can say false, or name some of those. null: those of your own settings.',
    ),
  fallback_after_minutes: quantity(10, 'How long a provider has to be down before the next agent goes on.'),
});

export const ModelsSection = section('Model for each kind of session; a kind that is left out follows default.', {
  default: text('claude-sonnet-4', 'Model where none is named.'),
  initializer: text('claude-sonnet-4', 'Model that lays out a new project.'),
  coding: text('claude-sonnet-4', 'Model that implements a feature.'),
  continuation: text('claude-sonnet-4', 'Model that continues with unfinished work.'),
  cleanup: text('claude-haiku-3', 'Model that tidies the code.'),
  examiner: text('claude-sonnet-4', "Model that writes hidden tests and decides what a description requires. Left out: the agent's model."),
});

export const PricesSection = z
  .record(z.string().min(1), PriceSchema)
  .default({})
  .describe(
    'Dollars per million tokens (input, output, cache_read, cache_write) by model, for models that the built-in table does not know.',
  );

export const CostsSection = section('Budgets in dollars.', {
  per_session_usd: dollars(10, 'A session is stopped at this cost.'),
  per_feature_usd: dollars(25, 'No further session for a feature that has cost this much.'),
  total_project_usd: dollars(200, 'No further session once the project has cost this much.'),
});

export const ContextSection = section('How a filling context window is handled.', {
  window_tokens: z.number().int().positive().nullable().default(null).describe('Size of the context window. null: by model, else 200000.'),
  warn_threshold: share(0.75, 'Share of the window at which the agent is asked to wrap up.'),
  force_threshold: share(0.9, 'Share of the window at which the agent must write down where it stands.'),
  on_limit: section('What happens when the window is full.', {
    auto_commit: flag(true, 'Unfinished work is saved.'),
    commit_message_prefix: z.string().default('WIP: Context limit - ').describe('How the message of the saved work begins.'),
    append_to_progress: flag(true, 'A note is added to the progress file.'),
  }),
});

export const ProgressSection = section('When an agent counts as stuck.', {
  check_interval_tokens: quantity(50_000, 'Tokens between two checks of progress.'),
  stuck_warning: text('You appear stuck. Consider a different approach.', 'First message to a stuck agent.'),
  force_stop_after_stuck_checks: quantity(
    2,
    'Checks in a row without progress before the agent is asked to write down what blocks it and the session is ended.',
  ),
  max_repeated_errors: quantity(5, 'How often the same error may occur before the session is ended.'),
});

export const SessionSection = section('How long a session may take.', {
  timeout_minutes: z.number().positive().default(60).describe('The session is stopped after this many minutes.'),
  timeout_warning_minutes: z.number().positive().default(50).describe('The agent is warned after this many minutes.'),
  silence_seconds: quantity(
    300,
    'An agent that gives no sign of life for this long is stopped and started once more; a tool at work is a sign. After the second such session a person is asked.',
  ),
  on_timeout: section('What happens when the time is up.', {
    auto_commit: flag(true, 'Unfinished work is saved.'),
    message_prefix: z.string().default('WIP: Session timeout - ').describe('How the message of the saved work begins.'),
  }),
});

const McpServerSchema = z.strictObject({
  enabled: flag(true, 'Whether the agent gets this server.'),
  command: z.string().min(1).describe('Program that starts the server.'),
  args: list([], 'Its arguments.'),
  config: z.record(z.string(), z.unknown()).default({}).describe("The server's own settings."),
});

export const ToolsSection = section('What the agent may use.', {
  filesystem: section('Access to files.', {
    enabled: flag(true, 'Whether the agent has file tools.'),
    allowed_paths: list(['.'], 'Paths that it may touch.'),
    denied_paths: list(['.harness/', '.git/', '../'], 'Paths that it may not touch.'),
  }),
  shell: section('Access to a shell.', {
    enabled: flag(true, 'Whether the agent has a shell tool.'),
    timeout_seconds: quantity(300, 'Longest time that one command may take.'),
    denied_commands: list(['rm -rf /', 'sudo', '> /dev/'], 'Commands that are refused.'),
  }),
  mcp_servers: z
    .record(z.string().min(1), McpServerSchema)
    .default({})
    .describe('MCP servers by name, each with enabled, command, args and config.'),
});

export const SandboxSection = section('The box in which the agent runs.', {
  mode: choice(['auto', 'on', 'off'], 'auto', 'auto: on where the machine can; on: refuse to run without; off: none.'),
  network: flag(true, 'Whether the agent can reach the network.'),
  allow: list([], 'Paths and sockets that agents and tests may reach anyway. Only takes effect in your own settings.'),
});

export const LanesSection = section('Work on several features side by side.', {
  max: quantity(1, 'How many features are worked on at a time.'),
  mode: choice(
    ['lane', 'competition'],
    'lane',
    'lane: one feature in each; competition: all lanes of a mission work on one, and the best is taken.',
  ),
});
