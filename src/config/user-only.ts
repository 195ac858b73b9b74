/**
 * Settings that only take effect in the user's own file: they spend another account's money, send data away, start sessions or hand out files.
 *
 * 1. A project may switch one off, or take a part of what the user allows. Anything wider ends with exit 2, which says so.
 * 2. Where the user has said nothing, nothing is allowed.
 */
import { agentLabel } from '../domain/agent-label.ts';
import { usageError } from '../domain/errors.ts';
import type { Schedule } from '../domain/hours.ts';
import { isSameAgent, type AgentChoice } from './agent-choice.ts';
import type { Config } from './schema.ts';

/** The part of the user's own settings that this is about. */
export interface UserOnly {
  agent?: { fallback?: readonly AgentChoice[] | undefined; fallback_after_minutes?: number | undefined } | undefined;
  schedule?: Schedule | undefined;
  github?: { follow?: boolean | undefined; follow_attempts?: number | undefined } | undefined;
  workspace?: { include_allowed?: readonly string[] | undefined } | undefined;
}

/** The settings with what the user allows in the place of what the project asks for. */
export function withUserOnly(config: Config, user: UserOnly): Config {
  if (config.schedule !== null && config.schedule !== false) throw tooWide('schedule', 'its own hours');
  if (config.github.follow === true && user.github?.follow !== true)
    throw tooWide('github.follow', 'sessions that checks and reviewers start');
  return {
    ...config,
    schedule: user.schedule ?? config.schedule,
    github: {
      ...config.github,
      follow: config.github.follow === false ? false : (user.github?.follow ?? config.github.follow),
      follow_attempts: Math.min(config.github.follow_attempts, user.github?.follow_attempts ?? config.github.follow_attempts),
    },
    workspace: {
      ...config.workspace,
      include_allowed: allowedUnder(config.workspace.include_allowed, user.workspace?.include_allowed ?? []),
    },
    agent: {
      ...config.agent,
      fallback: distinct(config.agent.backend, fallbackUnder(config.agent.fallback, user.agent?.fallback ?? [])),
      fallback_after_minutes: Math.max(config.agent.fallback_after_minutes, user.agent?.fallback_after_minutes ?? 0),
    },
  };
}

function fallbackUnder(asked: Config['agent']['fallback'], allowed: readonly AgentChoice[]): Config['agent']['fallback'] {
  if (asked === null) return allowed.length === 0 ? null : [...allowed];
  if (asked === false) return false;
  const wider = asked.find((choice) => !allowed.some((own) => isSameAgent(own, choice)));
  if (wider !== undefined) throw tooWide('agent.fallback', `${agentLabel(wider)} as a further agent`);
  return allowed.filter((own) => asked.some((choice) => isSameAgent(own, choice)));
}

function allowedUnder(asked: Config['workspace']['include_allowed'], allowed: readonly string[]): Config['workspace']['include_allowed'] {
  if (asked === null) return allowed.length === 0 ? null : [...allowed];
  if (asked === false) return false;
  const wider = asked.find((pattern) => !allowed.includes(pattern));
  if (wider !== undefined) throw tooWide('workspace.include_allowed', `a copy of ${wider} for agents`);
  return asked;
}

/** Journal, commits and costs name an agent by backend and model. */
function distinct(first: string, choices: Config['agent']['fallback']): Config['agent']['fallback'] {
  if (!Array.isArray(choices)) return choices;
  const names = [agentLabel({ backend: first }), ...choices.map(agentLabel)];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return choices;
  throw usageError(
    `agent.fallback names ${twice} twice, or like the agent that works first, so they cannot be told apart.`,
    'field: agent.fallback',
    'fix: give each a model, or for a program of yours any distinct name',
  );
}

function tooWide(field: string, what: string): Error {
  return usageError(
    `.harness.yaml asks for ${what}, which your own settings do not allow.`,
    `field: ${field}`,
    `fix: remove it from .harness.yaml, or allow it under ${field} in $HARNESS_HOME/config.yaml`,
  );
}
