/**
 * The settings that hold at a place: its file, tightened by the user's own.
 *
 * 1. A project has a `.harness.yaml`, or the text that will become it. A folder needs none: without one the defaults stand.
 * 2. The agent that the command line names comes first, then the one that the session was begun with, then what the file says, then the user's own.
 */
import { basename, join } from 'node:path';
import { stringify } from 'yaml';
import { CONFIG_FILE, configError, loadConfig, parseConfig } from '../config/read-config.ts';
import { ConfigSchema, type Config } from '../config/schema.ts';
import { BACKEND_NAMES, BACKENDS, COMMAND_BACKEND, isBackend } from '../agents/registry.ts';
import { checkAgentCommand, loadUserSettings, mergeUserSettings, userAgent, type UserSettings } from '../config/user-settings.ts';
import { consentFor } from '../config/project-consent.ts';
import { usageError } from '../domain/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { folderStore } from '../store/folder-store.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { openDocuments, type Documents } from './documents/documents.ts';
import type { SpecState } from './session-schema.ts';
import { readSession } from './state-file.ts';

export interface AgentChoice {
  /** `--agent` */
  agent: string | null;
  /** `--agent-command` */
  agentCommand: string | null;
}

export interface SettingsChoice extends Partial<AgentChoice> {
  /** What has to be there: a project has settings and a repository; without this the place may have neither. */
  needs?: 'project';
  /** Settings to use instead of the file's, before there is a file. */
  configText?: string;
  /** Where the documents lie; absent: in the folder that the settings name. */
  store?: DocumentStore;
}

export interface PlaceSettings {
  config: Config;
  /** What a person should know about them. */
  remarks: string[];
  /** The agent that the command line named, now or when the session began; null: nobody named one. */
  chosenAgent: ChosenAgent;
}

export type ChosenAgent = SpecState['agent'];

export async function placeSettings(platform: Platform, root: string, choice: SettingsChoice): Promise<PlaceSettings> {
  const own = await ownSettings(platform, root, choice);
  const user = await loadUserSettings(platform);
  const base = own?.config ?? defaultConfig(root, user);
  const store = choice.store ?? folderStore(platform, join(root, base.paths.state_dir));
  const known = choice.needs === undefined ? await sessionAgent(openDocuments(platform, store, { onNewerState: 'warn' })) : null;
  const chosen = withAgent(known === null ? base : withAgent(base, { agent: known.backend, agentCommand: known.command }), choice);
  const named = choice.agentCommand ?? known?.command ?? null;
  const { config, notes } = mergeUserSettings(chosen, user, await consentFor(platform, root, user, named));
  const isNamed = known !== null || (choice.agent ?? choice.agentCommand ?? null) !== null;
  const { backend, command } = chosen.agent;
  return { config, remarks: [...(own?.warnings ?? []), ...notes], chosenAgent: isNamed ? { backend, command } : null };
}

/** A file that cannot be understood says nothing here; whoever works with it tells of it. */
async function sessionAgent(documents: Documents): Promise<ChosenAgent> {
  const session = await readSession(documents, { writer: false }).catch(() => ({ kind: 'none' as const }));
  return 'state' in session ? session.state.agent : null;
}

async function ownSettings(
  platform: Platform,
  root: string,
  { needs, configText }: SettingsChoice,
): Promise<{ config: Config; warnings: string[] } | null> {
  if (configText !== undefined) return { config: parsedConfig(root, configText), warnings: [] };
  if (needs === undefined && !(await platform.files.exists(join(root, CONFIG_FILE)))) return null;
  return await loadConfig(platform, root);
}

/**
 * Nothing runs `testing.full` of these settings: flows without a project find their commands themselves. The agent gets the variables that
 * the user allows to every project.
 */
function defaultConfig(root: string, user: UserSettings): Config {
  const project = { name: basename(root) || 'project' };
  return parsedConfig(root, stringify({ project, testing: { full: 'true' }, agent: { ...userAgent(user), env: user.agent?.env ?? [] } }));
}

function parsedConfig(root: string, text: string): Config {
  const parsed = parseConfig(text);
  if (parsed.config === null) throw configError(join(root, CONFIG_FILE), parsed.errors);
  return parsed.config;
}

function withAgent(config: Config, { agent = null, agentCommand = null }: Partial<AgentChoice>): Config {
  if (agent === null && agentCommand === null) return config;
  checkAgentCommand(agentCommand);
  const wanted = agent ?? (agentCommand === null ? config.agent.backend : COMMAND_BACKEND);
  if (!isBackend(wanted)) throw usageError(`There is no agent backend named ${wanted}.`, `fix: use one of ${BACKEND_NAMES.join(', ')}`);
  const command = agentCommand ?? config.agent.command;
  if (BACKENDS[wanted].needsCommand && command === null)
    throw usageError(`The backend ${wanted} needs a command to start.`, 'fix: name it with --agent-command CMD');
  return ConfigSchema.parse({ ...config, agent: { ...config.agent, backend: wanted, command } });
}
