/** The telemetry of a long command, where the user's own settings name a receiver and the project does not switch it off. */
import { basename } from 'node:path';
import { loadConfig } from '../config/read-config.ts';
import { loadUserSettings } from '../config/user-settings.ts';
import { beforeFirst } from '../domain/text-parts.ts';
import type { Telemetry, TelemetryGround } from '../kernel/telemetry/telemetry.ts';

export async function openTelemetryFor(
  ground: Pick<TelemetryGround, 'platform' | 'command' | 'warn'> & { root: string },
): Promise<Telemetry | null> {
  const { telemetry } = await loadUserSettings(ground.platform).catch(() => ({ telemetry: undefined }));
  if (telemetry === undefined) return null;
  const loaded = await loadConfig(ground.platform, ground.root).catch(() => null);
  if (loaded?.config.telemetry === false) return null;
  // Loaded when used: most people have no receiver.
  const { openTelemetry } = await import('../kernel/telemetry/telemetry.ts');
  const project = loaded?.config.project.name ?? basename(ground.root);
  return await openTelemetry({ ...ground, project, settings: telemetry }).catch((error: unknown) => {
    ground.warn(`telemetry could not be started: ${error instanceof Error ? beforeFirst(error.message, '\n') : String(error)}`);
    return null;
  });
}
