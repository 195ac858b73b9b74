/**
 * The place of a flight with the agent that was chosen for it: everything that asks the settings for agent, model and login finds its own.
 * What to start stands in the settings alone: a document never names a command.
 */
import type { AgentChoice } from '../../config/agent-choice.ts';
import { priceFor } from '../../config/models.ts';
import type { Config } from '../../config/schema.ts';
import type { AgentUse, Flight } from '../../domain/session.ts';
import { requirePrice } from '../flight/agent-session.ts';
import type { FlightPlace } from '../flight/contract.ts';
import { lanePlace } from '../lanes/lane-place.ts';

export function flightPlace<Place extends FlightPlace>(place: Place, flight: Pick<Flight, 'lane' | 'agent'>): Place {
  const config = configFor(place.config, flight.agent);
  return lanePlace(config === place.config ? place : { ...place, config }, flight);
}

const made = new WeakMap<Config, Map<AgentChoice, Config>>();

/** The same object each time, so that what is said once in a run is. */
export function configFor(config: Config, agent: AgentUse | undefined): Config {
  const choice = agent === undefined ? undefined : choiceOf(config, agent);
  if (choice === undefined) return config;
  const known = made.get(config) ?? new Map<AgentChoice, Config>();
  made.set(config, known);
  const own = known.get(choice) ?? withChoice(config, choice);
  known.set(choice, own);
  return own;
}

function choiceOf({ agent }: Config, use: AgentUse): AgentChoice | undefined {
  if (use.model === null && use.backend === agent.backend) return undefined;
  return Array.isArray(agent.fallback)
    ? agent.fallback.find(({ backend, model = null }) => backend === use.backend && model === use.model)
    : undefined;
}

function withChoice(config: Config, { backend, model, command }: AgentChoice): Config {
  const models =
    model === undefined ? config.models : (Object.fromEntries(Object.keys(config.models).map((kind) => [kind, model])) as Config['models']);
  return { ...config, agent: { ...config.agent, backend, command: command ?? null, logins: true }, models };
}

/** Exit 2 for a further agent whose price nobody knows, before anything runs. */
export function requireFallbackPrices({ config }: { config: Config }): void {
  for (const choice of Array.isArray(config.agent.fallback) ? config.agent.fallback : [])
    if (choice.model !== undefined) requirePrice({ config: withChoice(config, choice) }, choice.model, 'agent.fallback');
}

/** In dollars per million tokens, for people. */
export function priceLabel(config: Config, agent: AgentUse): string {
  const { agent: own, models, prices } = configFor(config, agent);
  const price = own.backend === 'command' ? null : priceFor(agent.model ?? models.coding, prices);
  return price === null ? 'its price is not known' : `$${price.input} and $${price.output} per million tokens in and out`;
}
