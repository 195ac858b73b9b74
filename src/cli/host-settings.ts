/**
 * The Stop hook in the settings of a host: the same shape in both.
 *
 * 1. What else is in the file stays. A file that is no JSON is left alone.
 * 2. Taking the hook out leaves nothing: empty parts go, and so does a file in which nothing is left.
 */
import { dirname, join } from 'node:path';
import { z } from '../domain/zod.ts';
import { usageError } from '../domain/errors.ts';
import type { Platform } from '../platform/platform.ts';

export const HOOK_COMMAND = 'harness hook stop';
/** More than the hook's own limit of 240 s. */
const TIMEOUT_SECONDS = 300;
/** The hook is also told where a session begins, to know what the session changed. */
const EVENTS = ['SessionStart', 'Stop'];

const GroupSchema = z.looseObject({ hooks: z.array(z.looseObject({ command: z.string().optional() })) });
const SettingsSchema = z.looseObject({ hooks: z.record(z.string(), z.array(z.unknown())).optional() });
type Settings = z.infer<typeof SettingsSchema>;

export interface HostSettings {
  file: string;
  text: string | null;
  settings: Settings;
}

export async function readHostSettings(platform: Platform, named: string): Promise<HostSettings> {
  const text = await platform.files.readTextIfExists(named);
  // A link into somebody's dotfiles stays a link.
  const file = text === null ? named : await platform.files.realpath(named);
  try {
    return { file, text, settings: SettingsSchema.parse(text === null || text.trim() === '' ? {} : JSON.parse(text)) };
  } catch {
    throw usageError(
      `${file} is not JSON that the harness can change.`,
      `Add the hook by hand: ${HOOK_COMMAND} for ${EVENTS.join(' and ')}`,
    );
  }
}

export function withStopHook(settings: Settings): Settings {
  const { hooks = {} } = withoutStopHook(settings);
  const group = { hooks: [{ type: 'command', command: HOOK_COMMAND, timeout: TIMEOUT_SECONDS }] };
  return { ...settings, hooks: { ...hooks, ...Object.fromEntries(EVENTS.map((event) => [event, [...(hooks[event] ?? []), group]])) } };
}

export function withoutStopHook(settings: Settings): Settings {
  if (settings.hooks === undefined) return settings;
  const kept = Object.entries(settings.hooks).flatMap(([event, groups]): [string, unknown[]][] => {
    const others = groups.filter((group) => !isOwn(group));
    return others.length === 0 && groups.length > 0 ? [] : [[event, others]];
  });
  const { hooks: _hooks, ...rest } = settings;
  return kept.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(kept) };
}

function isOwn(group: unknown): boolean {
  const read = GroupSchema.safeParse(group);
  return read.success && read.data.hooks.some(({ command }) => command?.startsWith(HOOK_COMMAND) === true);
}

export async function writeHostSettings(platform: Platform, { file, text }: HostSettings, wanted: Settings): Promise<void> {
  if (Object.keys(wanted).length === 0) return text === null ? undefined : await platform.files.remove(file);
  await platform.files.mkdir(dirname(file));
  await platform.files.writeAtomic(file, `${JSON.stringify(wanted, null, 2)}\n`);
}

export function claudeSettings({ env }: Platform): string {
  return join(env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? '', '.claude'), 'settings.json');
}

export function codexHooks({ env }: Platform): string {
  return join(env['CODEX_HOME'] ?? join(env['HOME'] ?? '', '.codex'), 'hooks.json');
}
