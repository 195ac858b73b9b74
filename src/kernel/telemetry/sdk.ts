/**
 * The OpenTelemetry SDK, where it is installed: no part of the program, and loaded only when telemetry is on.
 * All of its packages come from one folder, because they share one registry.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findPackage } from '../../agents/installed.ts';
import type { Platform } from '../../platform/platform.ts';
import { MEASUREMENTS, type Attributes, type Measurement, type Operation } from './span-model.ts';

/** What `harness doctor --fix telemetry` installs. */
export const TELEMETRY_PACKAGES = {
  '@opentelemetry/api': '1.9.1',
  '@opentelemetry/resources': '2.12.1',
  '@opentelemetry/sdk-trace-base': '2.12.1',
  '@opentelemetry/sdk-metrics': '2.12.1',
  '@opentelemetry/exporter-trace-otlp-http': '0.223.1',
  '@opentelemetry/exporter-metrics-otlp-http': '0.223.0',
} as const;

export const TELEMETRY_FOLDER = 'telemetry';

export async function findTelemetry(platform: Platform): Promise<string | null> {
  const found = await findPackage(platform, TELEMETRY_FOLDER, '@opentelemetry/sdk-trace-base');
  return found?.folder ?? null;
}

export interface Exporter {
  apply(operation: Operation): void;
  /** Sends what is left. */
  close(): Promise<void>;
}

export interface ExporterOptions {
  endpoint: string;
  headers: Record<string, string>;
  version: string;
  attributes: Attributes;
}

interface Span {
  setAttributes(attributes: Attributes): void;
  setStatus(status: { code: number; message?: string }): void;
  end(at: number): void;
}

interface Instrument {
  add?(value: number, attributes: Attributes): void;
  record?(value: number, attributes: Attributes): void;
}

export function createExporter(folder: string, { endpoint, headers, version, attributes }: ExporterOptions): Exporter {
  const load = createRequire(join(folder, 'package.json'));
  const { ROOT_CONTEXT, SpanStatusCode, trace } = load('@opentelemetry/api');
  const { resourceFromAttributes } = load('@opentelemetry/resources');
  const { BasicTracerProvider, BatchSpanProcessor } = load('@opentelemetry/sdk-trace-base');
  const { MeterProvider, PeriodicExportingMetricReader } = load('@opentelemetry/sdk-metrics');
  const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-http');
  const { OTLPMetricExporter } = load('@opentelemetry/exporter-metrics-otlp-http');
  const base = endpoint.replace(/\/+$/, '');
  const resource = resourceFromAttributes({ 'service.name': 'universal-agent-harness', 'service.version': version, ...attributes });
  const tracers = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: `${base}/v1/traces`, headers }))],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics`, headers }),
        exportIntervalMillis: 60_000,
      }),
    ],
  });
  const tracer = tracers.getTracer('harness', version);
  const meter = meters.getMeter('harness', version);
  const spans = new Map<string, Span>();
  const instruments = new Map<Measurement, Instrument>();
  const instrumentFor = (name: Measurement): Instrument => {
    const { type, unit, description } = MEASUREMENTS[name];
    const made: Instrument =
      instruments.get(name) ??
      (type === 'counter' ? meter.createCounter(name, { unit, description }) : meter.createHistogram(name, { unit, description }));
    instruments.set(name, made);
    return made;
  };
  return {
    apply: (operation) => {
      if (operation.kind === 'measure') {
        const instrument = instrumentFor(operation.name);
        (instrument.add ?? instrument.record)?.call(instrument, operation.value, operation.attributes);
      } else if (operation.kind === 'start') {
        const parent = operation.parent === null ? undefined : spans.get(operation.parent);
        const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
        spans.set(operation.span, tracer.startSpan(operation.name, { startTime: operation.at, attributes: operation.attributes }, context));
      } else {
        const span = spans.get(operation.span);
        if (operation.attributes !== undefined) span?.setAttributes(operation.attributes);
        if (operation.error !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR, message: operation.error });
        span?.end(operation.at);
        spans.delete(operation.span);
      }
    },
    close: async () => void (await Promise.allSettled([tracers.shutdown(), meters.shutdown()])),
  };
}
