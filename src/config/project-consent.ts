/**
 * What a project's own settings would hand to its agents, and what the user has allowed of it.
 *
 * 1. Variables of the user's environment, logins of agent programs, MCP servers and the machine's network for tests are the user's to give,
 *    project by project (`agent.granted`, which `harness init` asks for), or for every project (`agent.env` and `verification.network` of
 *    the user's settings).
 * 2. A command that the user named (on the command line, in the user's own settings) needs no further consent.
 * 3. Only what would really be handed over is asked for and reported: a variable that is set, logins that are there.
 */
import { z } from '../domain/zod.ts';
import { BACKENDS } from '../agents/registry.ts';
import { agentLogins } from '../platform/agent-state.ts';
import type { Platform } from '../platform/platform.ts';
import type { Config } from './schema.ts';
import { allGroups } from '../domain/text-parts.ts';

export const GrantSchema = z.strictObject({
  env: z.array(z.string().min(1)).optional().describe('Variables that its agents and MCP servers may get.'),
  command: z.string().optional().describe('The agent.command that may see logins of agent programs.'),
  mcp_servers: z.array(z.string()).optional().describe('MCP servers that its agents may start, each with its command and settings.'),
  network: z.boolean().optional().describe('true: its tests may reach the network.'),
});
export type Grant = z.infer<typeof GrantSchema>;

/** What is known of the user and one project when its settings are read. */
export interface Consent {
  /** The project may run without a sandbox. */
  unconfined: boolean;
  grant: Grant;
  /** Commands that the user named as an agent. */
  commands: readonly string[];
  isSet(variable: string): boolean;
  /** Agent programs of this machine are logged in. */
  hasLogins: boolean;
}

/** What the user would have to allow; each part is empty where nothing is asked. */
export interface Wishes {
  env: string[];
  command: string | null;
  mcp_servers: string[];
  /** Of the machine, for tests. */
  network: boolean;
}

type Asking = Pick<Config, 'agent' | 'tools' | 'verification'>;
type Servers = Config['tools']['mcp_servers'];

/** What the user allows to every project. */
export interface Allowed {
  /** undefined: no such list. */
  env?: readonly string[] | undefined;
  network?: Config['verification']['network'] | undefined;
}

export function wishesOf(config: Asking, consent: Consent, { env: listed, network }: Allowed): Wishes {
  const servers = Object.entries(config.tools.mcp_servers).filter(([name, server]) => isAsked(name, server, consent.grant));
  const variables = [...config.agent.env, ...servers.flatMap(([, server]) => variablesOf(server))];
  return {
    env: [...new Set(variables)].filter((name) => isWithheld(name, config, consent, listed ?? [])),
    command: isForeign(config, consent) && consent.hasLogins ? config.agent.command : null,
    mcp_servers: servers.map(([name, server]) => serverText(name, server)),
    network: config.verification.network === 'host' && network === undefined && consent.grant.network !== true,
  };
}

/** The settings without what the user has not allowed. */
export function underConsent(config: Config, consent: Consent, allowed: Allowed): { config: Config; notes: string[] } {
  const wishes = wishesOf(config, consent, allowed);
  const withheld = config.agent.env.filter((name) => wishes.env.includes(name));
  const off = Object.entries(config.tools.mcp_servers).filter(([name, server]) => isAsked(name, server, consent.grant));
  const notes = [
    ...(withheld.length === 0 ? [] : [`Agents do not get ${withheld.join(', ')}, which agent.env of this project names. ${ALLOW}`]),
    ...off.map(([name]) => `The MCP server ${name} of this project (tools.mcp_servers) is switched off. ${ALLOW}`),
    ...(wishes.command === null ? [] : [`agent.command of this project cannot read the logins of your agent programs. ${ALLOW}`]),
    ...(wishes.network ? [`Tests do not reach the network, which verification.network of this project asks for. ${ALLOW}`] : []),
  ];
  const servers = {
    ...config.tools.mcp_servers,
    ...Object.fromEntries(off.map(([name, server]) => [name, { ...server, enabled: false }])),
  };
  return {
    config: {
      ...config,
      agent: {
        ...config.agent,
        env: config.agent.env.filter((name) => !withheld.includes(name)),
        logins: config.agent.logins && !isForeign(config, consent),
      },
      tools: off.length === 0 ? config.tools : { ...config.tools, mcp_servers: servers },
      verification: wishes.network ? { ...config.verification, network: 'loopback' } : config.verification,
    },
    notes,
  };
}

const ALLOW = 'To allow it, run harness init at a terminal.';

/** Names of the variables that a server would be given. */
export function variablesOf(server: Servers[string]): string[] {
  const text = JSON.stringify([server.args, server.config]);
  return [...new Set(allGroups(text, VARIABLE, 1))];
}

export const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** As a person reads it, and as it is compared: whatever changes has to be allowed once more. */
function serverText(name: string, { command, args, config }: Servers[string]): string {
  const settings = Object.keys(config).length === 0 ? [] : [JSON.stringify(config)];
  return [
    `${name}:`,
    ...[command, ...args].map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word))),
    ...settings,
  ].join(' ');
}

function isAsked(name: string, server: Servers[string], grant: Grant): boolean {
  return server.enabled && !(grant.mcp_servers ?? []).includes(serverText(name, server));
}

/** What every agent gets anyway needs no consent. */
const GIVEN = /^(?:PATH|HOME|LANG|LANGUAGE|LC_\w+|TZ|TERM|USER|LOGNAME|SHELL)$/;

function isWithheld(name: string, { agent }: Asking, { grant, isSet }: Consent, listed: readonly string[]): boolean {
  const isGiven = GIVEN.test(name) || BACKENDS[agent.backend].loginVariables.includes(name);
  return isSet(name) && !isGiven && !listed.includes(name) && !(grant.env ?? []).includes(name);
}

function isForeign({ agent }: Asking, { grant, commands }: Consent): boolean {
  const { backend, command } = agent;
  return BACKENDS[backend].needsCommand && command !== null && command !== grant.command && !commands.includes(command);
}

/** The part of the user's settings that speaks of projects. */
interface Granting {
  sandbox?: { unconfined?: readonly string[] | undefined } | undefined;
  agent?: { command?: string | undefined; granted?: Readonly<Record<string, Grant>> | undefined } | undefined;
}

/** `named`: the command that the command line names, now or when the session began. */
export async function consentFor(platform: Platform, root: string, user: Granting, named: string | null = null): Promise<Consent> {
  const place = await platform.files.realpath(root).catch(() => root);
  const own = user.agent?.command;
  const logins = agentLogins(platform.env['HOME']);
  const found = await Promise.all(logins.map((path) => platform.files.exists(path)));
  return {
    unconfined: (user.sandbox?.unconfined ?? []).includes(place),
    grant: user.agent?.granted?.[place] ?? {},
    commands: [own, named].filter((one): one is string => typeof one === 'string'),
    isSet: (variable) => platform.env[variable] !== undefined,
    hasLogins: found.includes(true),
  };
}
