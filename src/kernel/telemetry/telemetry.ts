/** What a command sends to the telemetry that the user has, as their own settings say; without such settings nothing is loaded. */
import type { UserSettings } from '../../config/user-settings.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { Platform } from '../../platform/platform.ts';
import { createExporter, findTelemetry } from './sdk.ts';
import { closeSpans, NO_SPANS, spansFor, type SpanModel } from './span-model.ts';

export interface Telemetry {
  see(event: HarnessEvent): void;
  end(failed: string | null): Promise<void>;
}

export interface TelemetryGround {
  platform: Platform;
  command: string;
  /** Name of the project. */
  project: string;
  settings: NonNullable<UserSettings['telemetry']>;
  warn(message: string): void;
}

/** The last words of a command do not wait longer for a receiver that does not answer. */
const LAST_WORDS_MS = 5_000;

export async function openTelemetry({ platform, command, project, settings, warn }: TelemetryGround): Promise<Telemetry | null> {
  const { otlp_endpoint, headers_env = null, content = false } = settings;
  const folder = await findTelemetry(platform);
  if (folder === null) {
    warn('telemetry is set, but the OpenTelemetry SDK is not installed, so nothing is sent. To install it: harness doctor --fix telemetry');
    return null;
  }
  const headers = headersIn(headers_env === null ? '' : (platform.env[headers_env] ?? ''));
  const exporter = createExporter(folder, {
    endpoint: otlp_endpoint,
    headers,
    version: HARNESS_VERSION,
    attributes: { 'harness.project': project },
  });
  let model: SpanModel = NO_SPANS;
  return {
    see: (event) => {
      const next = spansFor(model, event, platform.clock.now(), { command, content });
      model = next.model;
      next.operations.forEach(exporter.apply);
    },
    end: async (failed) => {
      closeSpans(model, platform.clock.now(), failed).forEach(exporter.apply);
      const over = new AbortController();
      await Promise.race([exporter.close(), platform.clock.sleep(LAST_WORDS_MS, over.signal).catch(() => {})]);
      over.abort();
    },
  };
}

/** As OpenTelemetry writes them in a variable: `name=value,name=value`. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=');
    return name.trim() === '' || value.length === 0 ? [] : [[name.trim(), decodeURIComponent(value.join('=').trim())] as const];
  });
  return Object.fromEntries(pairs);
}
