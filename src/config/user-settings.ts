/**
 * The user's own settings, in `$HARNESS_HOME/config.yaml`.
 *
 * 1. They speak about sandbox, network, environment and budgets, and name the agent for directories that have no settings of their own.
 * 2. Where the user has set a budget, a project's prices cannot lower what a request is counted at.
 * 3. Where the user has said something, a project can be stricter, never looser; each thing that was tightened is a note.
 * 4. Where the user has said nothing, the project's settings stand, except that no project switches the sandbox off: that is the user's to
 *    allow, project by project (`sandbox.unconfined`, which `harness init` asks for), and that variables, logins, MCP servers and a network
 *    for tests need consent as well (project-consent.ts).
 */
import { join } from 'node:path';
import { z } from '../domain/zod.ts';
import { usageError } from '../domain/errors.ts';
import { ScheduleSchema } from '../domain/hours.ts';
import { PriceSchema } from '../domain/money.ts';
import { NEW_DEPENDENCIES } from '../domain/new-dependencies.ts';
import { NOTICE_KINDS } from '../domain/notice-kind.ts';
import { harnessHome } from '../platform/harness-home.ts';
import type { Platform } from '../platform/platform.ts';
import { AgentChoiceSchema } from './agent-choice.ts';
import { explain } from './explain.ts';
import { atLeastListed } from './models.ts';
import { parseYaml } from './parse-yaml.ts';
import { consentFor, GrantSchema, underConsent, type Allowed, type Consent } from './project-consent.ts';
import { configError, loadConfig } from './read-config.ts';
import { BACKEND_NAMES, COMMAND_BACKEND } from '../agents/registry.ts';
import type { Config } from './schema.ts';
import { withUserOnly } from './user-only.ts';

export { harnessHome };

export const UserSettingsSchema = z.strictObject({
  $schema: z.string().optional().describe('Address of the JSON Schema, for editors.'),
  sandbox: z
    .strictObject({
      mode: z.enum(['auto', 'on', 'off']).optional().describe('The least that every project gets: off, auto, on.'),
      network: z.boolean().optional().describe('false: no agent reaches the network.'),
      allow: z
        .array(z.string().regex(/^(?:\/|~\/)/, 'must be an absolute path, or begin with ~/'))
        .optional()
        .describe('Paths and sockets that agents and tests may reach anyway: absolute, or below ~/.'),
      unconfined: z
        .array(z.string().startsWith('/', 'must be an absolute path'))
        .optional()
        .describe('Projects that may run without a sandbox, by their real path, as harness init asks for it.'),
    })
    .optional(),
  verification: z
    .strictObject({
      network: z.enum(['loopback', 'host']).optional().describe('loopback: no test run reaches the network.'),
      new_dependencies: z
        .enum(NEW_DEPENDENCIES)
        .optional()
        .describe('The most that a project gets: ask, listed (what the feature or the list below names), allow.'),
      listed_dependencies: z.array(z.string().min(1)).optional().describe('Packages that may be added in every project.'),
    })
    .optional(),
  dependencies: z
    .strictObject({
      install_scripts: z.boolean().optional().describe('true: packages may run their install scripts when the harness installs them.'),
      sources: z
        .array(z.string().min(1))
        .optional()
        .describe('Repositories and addresses that dependencies may come from, as harness init names them: git:HOST/PATH, https://HOST/.'),
    })
    .optional(),
  agent: z
    .strictObject({
      env: z.array(z.string().min(1)).optional().describe('The only variables that a project may hand to its agent.'),
      granted: z
        .record(z.string().startsWith('/', 'must be an absolute path'), GrantSchema)
        .optional()
        .describe('What single projects may hand to their agents, by their real path, as harness init asks for it.'),
      backend: z
        .enum(BACKEND_NAMES)
        .optional()
        .describe('The agent of workflow, spec and init where neither the command nor a .harness.yaml names one.'),
      command: z.string().trim().min(1).optional().describe('What to start for the backends command and acp.'),
      fallback: z
        .array(AgentChoiceSchema)
        .optional()
        .describe("Agents that go on, in this order, when a project's agent is out of quota or login, or its provider is down."),
      fallback_after_minutes: z
        .number()
        .int()
        .positive()
        .optional()
        .describe('How long a provider has to be down before the next agent goes on; a project may wait longer, not shorter.'),
    })
    .optional(),
  notify: z
    .strictObject({
      command: z
        .string()
        .trim()
        .min(1)
        .optional()
        .describe('Started by sh -c in the directory of the harness ($HARNESS_HOME), with the notification as JSON on its stdin.'),
      webhook: z
        .string()
        .regex(/^https?:\/\/\S+$/, 'must be an address that begins with http:// or https://')
        .optional()
        .describe('Address that gets the notification as JSON by HTTP POST.'),
      bell: z.boolean().optional().describe('true: the terminal rings.'),
      on: z
        .array(z.enum(NOTICE_KINDS))
        .optional()
        .describe('What to report: question, escalation, budget, agent, end. All of them by default.'),
    })
    .optional()
    .describe('How you are reached while a run needs you or has ended.'),
  ui: z
    .strictObject({
      url: z
        .string()
        .regex(/^https?:\/\/[^\s/?#@]+\/?$/, 'must be an address without a path, such as https://harness.example')
        .optional()
        .describe('Address of a reverse proxy before harness ui: accepted by it, and part of notifications about questions.'),
    })
    .optional(),
  github: z
    .strictObject({
      follow: z
        .boolean()
        .optional()
        .describe(
          'true: failed checks and review comments of pull requests it made start repair sessions in every project that does not refuse.',
        ),
      follow_attempts: z.number().int().positive().optional().describe('Upper bound of repair sessions for one pull request.'),
    })
    .optional(),
  workspace: z
    .strictObject({
      include_allowed: z
        .array(z.string().min(1))
        .optional()
        .describe("Files that git does not track and a project's agent may get, as globs: for example .env."),
    })
    .optional(),
  telemetry: z
    .strictObject({
      otlp_endpoint: z
        .string()
        .regex(/^https?:\/\/\S+$/, 'must be an address that begins with http:// or https://')
        .describe('Address of an OTLP receiver over HTTP, without /v1/traces.'),
      headers_env: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
        .optional()
        .describe('Name of the variable that holds the headers, as name=value,name=value.'),
      content: z.boolean().optional().describe("true: arguments and results of the agent's tools are sent as well."),
    })
    .optional()
    .describe('Traces and metrics by OpenTelemetry. Needs its SDK: harness doctor --fix telemetry.'),
  fleet: z
    .strictObject({
      url: z.string().min(1).optional().describe('Address of the database of your fleet, as harness fleet up writes it. A credential.'),
    })
    .optional(),
  schedule: ScheduleSchema.optional().describe(
    'Hours in which runs without a person work; a window over midnight belongs to the day it begins.',
  ),
  costs: z
    .strictObject({
      per_session_usd: z.number().nonnegative().optional().describe('Upper bound for every project.'),
      per_feature_usd: z.number().nonnegative().optional().describe('Upper bound for every project.'),
      total_project_usd: z.number().nonnegative().optional().describe('Upper bound for every project.'),
    })
    .optional(),
  prices: z
    .record(z.string().min(1), PriceSchema)
    .optional()
    .describe(
      "Dollars per million tokens by model, before what a project or the built-in table says. With a budget above, a project's own prices only count where they are higher than the built-in ones.",
    ),
});
export type UserSettings = z.infer<typeof UserSettingsSchema>;

/** The settings that hold for a project: its own, tightened by the user's. */
export async function loadSettings(platform: Platform, root: string): Promise<{ config: Config; warnings: string[]; notes: string[] }> {
  const { config, warnings } = await loadConfig(platform, root);
  const user = await loadUserSettings(platform);
  return { warnings, ...mergeUserSettings(config, user, await consentFor(platform, root, user)) };
}

export async function loadUserSettings(platform: Platform): Promise<UserSettings> {
  const file = join(harnessHome(platform), 'config.yaml');
  const text = await platform.files.readTextIfExists(file);
  if (text === null || text.trim() === '') return {};
  const parsed = parseYaml(text);
  if (parsed.problems.length > 0) throw configError(file, parsed.problems);
  const checked = UserSettingsSchema.safeParse(parsed.value, { reportInput: true });
  if (!checked.success) throw configError(file, explain(checked.error, UserSettingsSchema, parsed.lineOf));
  return checked.data;
}

/** The agent for directories without settings of their own; a command alone means the backend that starts one. */
export function userAgent(user: UserSettings): { backend?: Config['agent']['backend']; command?: string } {
  const { backend, command } = user.agent ?? {};
  const named = backend ?? (command === undefined ? undefined : COMMAND_BACKEND);
  return { ...(named === undefined ? {} : { backend: named }), ...(command === undefined ? {} : { command }) };
}

/** Exit 2 for an `--agent-command` that starts nothing. */
export function checkAgentCommand(command: string | null): void {
  if (command !== null && command.trim() === '')
    throw usageError('--agent-command is empty.', 'fix: name the program to start, for example --agent-command "my-agent --stdin"');
}

export function mergeUserSettings(config: Config, user: UserSettings, consent: Consent): { config: Config; notes: string[] } {
  const notes: string[] = [];
  const tighten = <Value>(field: string, own: Value, bound: Value | undefined, stricter: (a: Value, b: Value) => Value): Value => {
    if (bound === undefined) return own;
    const result = stricter(own, bound);
    if (JSON.stringify(result) !== JSON.stringify(own))
      notes.push(`${field} is ${JSON.stringify(result)} by your own settings; the project asks for ${JSON.stringify(own)}.`);
    return result;
  };
  const narrowed = withUserOnly(config, user);
  const sandboxMode = (): Config['sandbox']['mode'] => {
    const asked = config.sandbox.mode;
    if (asked === 'off' && user.sandbox?.mode === undefined && !consent.unconfined) {
      notes.push('sandbox.mode is "auto": the project asks for "off", which you have not allowed. harness init asks you.');
      return 'auto';
    }
    return tighten('sandbox.mode', asked, user.sandbox?.mode, (a, b) => (SANDBOX_ORDER.indexOf(a) >= SANDBOX_ORDER.indexOf(b) ? a : b));
  };
  const merged: Config = {
    ...narrowed,
    sandbox: {
      mode: sandboxMode(),
      network: tighten('sandbox.network', config.sandbox.network, user.sandbox?.network, (a, b) => a && b),
      allow: user.sandbox?.allow ?? [],
    },
    verification: {
      ...config.verification,
      network: tighten('verification.network', config.verification.network, user.verification?.network, (a, b) =>
        a === 'loopback' ? a : b,
      ),
      new_dependencies:
        config.verification.new_dependencies === null
          ? (user.verification?.new_dependencies ?? null)
          : tighten('verification.new_dependencies', config.verification.new_dependencies, user.verification?.new_dependencies, (a, b) =>
              NEW_DEPENDENCIES.indexOf(a ?? 'ask') <= NEW_DEPENDENCIES.indexOf(b ?? 'ask') ? a : b,
            ),
      listed_dependencies: user.verification?.listed_dependencies ?? [],
    },
    agent: {
      ...narrowed.agent,
      env: tighten('agent.env', config.agent.env, allowedVariables(user, consent), (a, b) => a.filter((name) => b.includes(name))),
    },
    costs: {
      per_session_usd: tighten('costs.per_session_usd', config.costs.per_session_usd, user.costs?.per_session_usd, Math.min),
      per_feature_usd: tighten('costs.per_feature_usd', config.costs.per_feature_usd, user.costs?.per_feature_usd, Math.min),
      total_project_usd: tighten('costs.total_project_usd', config.costs.total_project_usd, user.costs?.total_project_usd, Math.min),
    },
    prices: pricesUnder(user, config.prices, notes),
  };
  if (config.sandbox.allow.length > 0)
    notes.push(
      'sandbox.allow only takes effect in your own settings ($HARNESS_HOME/config.yaml): what the project asks for there stays closed.',
    );
  const held = underConsent(merged, consent, allowedToAll(user));
  return { config: held.config, notes: [...notes, ...held.notes] };
}

export function allowedToAll({ agent, verification }: UserSettings): Allowed {
  return { env: agent?.env, network: verification?.network };
}

/** undefined: the user has no such list. */
function allowedVariables({ agent }: UserSettings, { grant }: Consent): string[] | undefined {
  return agent?.env === undefined ? undefined : [...agent.env, ...(grant.env ?? [])];
}

function pricesUnder(user: UserSettings, asked: Config['prices'], notes: string[]): Config['prices'] {
  if (user.costs === undefined || Object.keys(user.costs).length === 0) return { ...asked, ...user.prices };
  const prices = Object.entries(asked).map(([name, price]) => {
    const counted = atLeastListed(name, price);
    if (user.prices?.[name] === undefined && (counted.input > price.input || counted.output > price.output))
      notes.push(
        `prices.${name} counts as ${counted.input} and ${counted.output} dollars per million tokens: under your own budget a project cannot lower a price. If it is right, set it under prices in $HARNESS_HOME/config.yaml.`,
      );
    return [name, counted] as const;
  });
  return { ...Object.fromEntries(prices), ...user.prices };
}

const SANDBOX_ORDER = ['off', 'auto', 'on'] as const;
