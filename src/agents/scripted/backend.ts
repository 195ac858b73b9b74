/**
 * The embedded agent: the built-in loop against a scripted model, over the wire, without key or network.
 *
 * 1. Each conversation has a server of its own that ends with it; all share one model, and so its prefix cache.
 * 2. The scenario is given as a value, as a path, or as a path in HARNESS_SCENARIO.
 */
import { usageError } from '../../domain/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { startLoop } from '../anthropic/backend.ts';
import type { AgentBackend, AgentTask } from '../contract.ts';
import { FEATURE_HEADER, ROLE_HEADER, SESSION_HEADER } from './model-request.ts';
import { readScenario, type ScenarioInput } from './scenario.ts';
import { scriptedModel, type ScriptedModel } from './scripted-model.ts';
import { startScriptedServer } from './server.ts';

export interface ScriptedOptions {
  scenario?: ScenarioInput | string | null;
  idleTimeoutMs?: number;
  maxOutputTokens?: number;
}

const SCENARIO_VARIABLE = 'HARNESS_SCENARIO';

export function scriptedBackend(options: ScriptedOptions = {}): AgentBackend {
  let model: Promise<ScriptedModel> | undefined;
  const modelOf = (platform: Platform): Promise<ScriptedModel> => (model ??= loadModel(platform, options.scenario ?? null));
  return {
    name: 'scripted',
    usage: 'exact',
    start: async (task, host) => {
      const apiKey = host.platform.random.id(16);
      const server = await startScriptedServer(host.platform, await modelOf(host.platform), { apiKey });
      return startLoop(
        task,
        host,
        { apiKey, baseUrl: server.url, headers: identityHeaders(task) },
        { ...options, onStopped: server.close },
      );
    },
    check: async (platform) => {
      const ready = sourceOf(platform, options.scenario ?? null) !== null;
      return {
        name: 'scripted',
        found: true,
        version: null,
        can_start: ready,
        detail: ready ? 'built in; plays a scenario' : `built in; plays a scenario, and none is named (${SCENARIO_VARIABLE})`,
        install: ready ? null : `export ${SCENARIO_VARIABLE}=<scenario.json>`,
      };
    },
  };
}

async function loadModel(platform: Platform, given: ScenarioInput | string | null): Promise<ScriptedModel> {
  const source = sourceOf(platform, given);
  if (source === null)
    throw usageError('The scripted backend has no scenario to play.', `fix: set ${SCENARIO_VARIABLE} to the path of a scenario`);
  return scriptedModel(typeof source === 'string' ? await readScenario(platform, source) : source);
}

function sourceOf(platform: Platform, given: ScenarioInput | string | null): ScenarioInput | string | null {
  return given ?? (platform.env[SCENARIO_VARIABLE] || null);
}

function identityHeaders(task: AgentTask): Record<string, string> {
  return {
    [ROLE_HEADER]: task.role,
    [SESSION_HEADER]: String(task.session),
    ...(task.feature === null ? {} : { [FEATURE_HEADER]: String(task.feature) }),
  };
}
