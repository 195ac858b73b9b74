/** Telemetry at a receiver on loopback, through the official SDK: spans and sums against the books; without settings nothing is loaded. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventsOf, git, startHarness, write, type Run, type Scene } from './support.ts';
import { HONEST_STEPS, projectOnWire } from './wire.ts';

interface Value {
  stringValue?: string;
  intValue?: number;
  doubleValue?: number;
}
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Value }[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
}
interface Point {
  attributes: { key: string; value: Value }[];
  sum?: number;
  asDouble?: number;
  asInt?: number;
}
interface Metric {
  name: string;
  sum?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[] };
}

/** Node tells of every module that it loads. */
const TRACED = { NODE_DEBUG: 'module' };

let receiver: Server;
let spans: Span[];
let metrics: Metric[];
let bodies: string[];
let headers: (string | undefined)[];

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  bodies.push(body);
  headers.push(request.headers['x-tenant'] as string | undefined);
  const sent = JSON.parse(body) as {
    resourceSpans?: { scopeSpans: { spans: Span[] }[] }[];
    resourceMetrics?: { scopeMetrics: { metrics: Metric[] }[] }[];
  };
  spans.push(...(sent.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
  metrics.push(...(sent.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)));
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}

beforeEach(async () => {
  [spans, metrics, bodies, headers] = [[], [], [], []];
  receiver = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

async function runWith(more = ''): Promise<{ scene: Scene; run: Run }> {
  const { scene } = await projectOnWire(HONEST_STEPS, 'verification:\n  examiner: off\n');
  await mkdir(scene.env['HARNESS_HOME']!, { recursive: true });
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  await writeFile(
    join(scene.env['HARNESS_HOME']!, 'config.yaml'),
    `telemetry: { otlp_endpoint: "${endpoint}", headers_env: OTLP_HEADERS${more} }\n`,
  );
  const run = await startHarness(scene, ['run', '--json'], { OTLP_HEADERS: 'x-tenant=mine,x-other=2', ...TRACED }).ended;
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  return { scene, run };
}

const valueOf = ({ attributes }: { attributes: Span['attributes'] }, key: string): string | number | undefined => {
  const value = attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.doubleValue ?? (value?.intValue === undefined ? undefined : Number(value.intValue));
};
const named = (name: string): Span[] => spans.filter((span) => span.name.startsWith(name));
const totalOf = (key: string): number => spans.reduce((sum, span) => sum + Number(valueOf(span, key) ?? 0), 0);
const pointsOf = (name: string): Point[] =>
  metrics.filter((metric) => metric.name === name).flatMap(({ sum, histogram }) => (sum ?? histogram)!.dataPoints);

test('spans nest from run to check, and their sums are those of the books', async () => {
  const { scene, run } = await runWith();
  const [root, session, verdict] = [named('harness run')[0]!, named('invoke_agent')[0]!, named('verdict')[0]!];
  expect(root.parentSpanId ?? '').toBe('');
  expect(session.parentSpanId).toBe(root.spanId);
  expect(verdict.parentSpanId).toBe(session.spanId);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(named('execute_tool').map(({ parentSpanId }) => parentSpanId)).toEqual(Array(3).fill(session.spanId));
  expect(named('check ').length).toBe(eventsOf(run, 'verify.check').length);
  expect(new Set(named('check ').map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([verdict.spanId]));
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  expect(valueOf(session, 'gen_ai.provider.name')).toBe('anthropic');
  expect(valueOf(verdict, 'harness.decision')).toBe('accepted');

  const { usage, cost_usd } = eventsOf(run, 'session.end')[0]! as unknown as { usage: Record<string, number>; cost_usd: number };
  const input = usage['input_tokens']! + usage['cache_read_input_tokens']! + usage['cache_creation_input_tokens']!;
  expect(totalOf('gen_ai.usage.input_tokens')).toBe(input);
  expect(totalOf('gen_ai.usage.output_tokens')).toBe(usage['output_tokens']);
  expect(totalOf('harness.cost_usd')).toBeCloseTo(cost_usd, 6);
  const books = await readFile(join(scene.project, '.harness', 'costs.yaml'), 'utf8');
  expect(totalOf('harness.cost_usd')).toBeCloseTo(Number(/total_cost_usd: ([\d.]+)/.exec(books)![1]), 5);
  const tokens = (type: string): number =>
    pointsOf('gen_ai.client.token.usage')
      .filter((point) => valueOf(point, 'gen_ai.token.type') === type)
      .reduce((sum, point) => sum + (point.sum ?? 0), 0);
  expect([tokens('input'), tokens('output')]).toEqual([input, usage['output_tokens']]);
  expect(pointsOf('harness.cost').reduce((sum, point) => sum + (point.asDouble ?? point.asInt ?? 0), 0)).toBeCloseTo(cost_usd, 6);
  expect(pointsOf('harness.verdicts')).toHaveLength(1);
  expect(run.stderr).toContain('opentelemetry');
  expect(headers.every((header) => header === 'mine')).toBe(true);
  expect(bodies.join()).not.toContain('export const subtract');
}, 120_000);

test('what the agent does is sent only where the user asks for it', async () => {
  await runWith(', content: true');
  expect(bodies.join()).toContain('export const subtract');
}, 120_000);

test('off, nothing of the SDK is loaded; a project can only switch it off', async () => {
  const { scene } = await projectOnWire(HONEST_STEPS, 'verification:\n  examiner: off\n');
  const off = await startHarness(scene, ['run', '--json'], TRACED).ended;
  expect(off).toMatchObject({ code: 0 });
  expect(off.stderr).not.toContain('opentelemetry');
  await write(scene, {
    '.harness.yaml': 'project:\n  name: calculator\ntesting:\n  full: npm test\ntelemetry:\n  otlp_endpoint: http://127.0.0.1:9\n',
  });
  await git(scene, 'commit', '-q', '-m', 'Telemetry', '--', '.harness.yaml');
  expect((await startHarness(scene, ['run']).ended).code).toBe(2);
}, 120_000);
