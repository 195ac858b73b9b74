/**
 * Events as spans and measurements, by OpenTelemetry's conventions for generative AI. Pure.
 *
 * 1. run → session → one `chat` for each request, and one `execute_tool` for each tool; session → verdict → one span for each of its checks.
 * 2. Tokens and money of a request are on its own span alone: no parent counts its children's again.
 * 3. What was asked and said is in no attribute, unless `content` is on.
 */
import type { HarnessEvent } from '../../domain/event.ts';

export type Attributes = Record<string, string | number | boolean>;

export type Operation =
  | { kind: 'start'; span: string; parent: string | null; name: string; at: number; attributes: Attributes }
  | { kind: 'end'; span: string; at: number; attributes?: Attributes; error?: string }
  | { kind: 'measure'; name: Measurement; value: number; attributes: Attributes };

export const MEASUREMENTS = {
  'gen_ai.client.token.usage': { type: 'histogram', unit: '{token}', description: 'tokens of a request' },
  'gen_ai.client.operation.duration': { type: 'histogram', unit: 's', description: 'duration of a session or a tool' },
  'harness.cost': { type: 'counter', unit: '{USD}', description: 'money that requests have cost' },
  'harness.verdicts': { type: 'counter', unit: '{verdict}', description: 'verdicts, by decision' },
} as const;
export type Measurement = keyof typeof MEASUREMENTS;

interface OpenSession {
  model: string;
  provider: string;
  since: number;
  /** When the request under way began. */
  requestAt: number;
  tools: { span: string; name: string; since: number }[];
}

export interface SpanModel {
  run: boolean;
  sessions: Readonly<Record<number, OpenSession>>;
  /** Session whose verdict is under way. */
  verdict: number | null;
  /** For names of spans. */
  count: number;
}

export const NO_SPANS: SpanModel = { run: false, sessions: {}, verdict: null, count: 0 };
const RUN = 'run';

export interface SpanOptions {
  command: string;
  content: boolean;
}

const PROVIDERS: Readonly<Record<string, string>> = { anthropic: 'anthropic', 'claude-code': 'anthropic', codex: 'openai' };

export function spansFor(
  before: SpanModel,
  event: HarnessEvent,
  at: number,
  options: SpanOptions,
): { model: SpanModel; operations: Operation[] } {
  const operations: Operation[] = [];
  let model = before;
  if (!model.run) {
    operations.push({ kind: 'start', span: RUN, parent: null, name: `harness ${options.command}`, at, attributes: {} });
    model = { ...model, run: true };
  }
  const step = STEPS[event.type] as Step | undefined;
  if (step === undefined) return { model, operations };
  const next = step(model, event as never, at, options);
  return { model: next.model, operations: [...operations, ...next.operations] };
}

/** What is still open when the command ends. */
export function closeSpans(model: SpanModel, at: number, failed: string | null): Operation[] {
  if (!model.run) return [];
  const open = Object.entries(model.sessions).flatMap(([session, { tools }]) => [
    ...tools.map(({ span }): Operation => ({ kind: 'end', span, at })),
    ...(model.verdict === Number(session) ? [{ kind: 'end' as const, span: verdictOf(Number(session)), at }] : []),
    { kind: 'end' as const, span: sessionOf(Number(session)), at },
  ]);
  return [...open, { kind: 'end', span: RUN, at, ...(failed === null ? {} : { error: failed }) }];
}

const sessionOf = (session: number): string => `session ${session}`;
const verdictOf = (session: number): string => `verdict ${session}`;

interface Stepped {
  model: SpanModel;
  operations: Operation[];
}
type Step = (model: SpanModel, event: never, at: number, options: SpanOptions) => Stepped;
type Of<Type extends HarnessEvent['type']> = Extract<HarnessEvent, { type: Type }>;

/** An agent may choose its model itself; then it is not known. */
function modelOf(name: string): Attributes {
  return name === '' ? {} : { 'gen_ai.request.model': name };
}

const STEPS: Partial<Record<HarnessEvent['type'], Step>> = {
  'session.start': (model, { session, feature, prompt, backend, model: name, lane }: Of<'session.start'>, at) => {
    const provider = PROVIDERS[backend] ?? backend;
    const attributes: Attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': provider,
      ...modelOf(name),
      'gen_ai.agent.name': prompt,
      'harness.session': session,
      'harness.backend': backend,
      ...(feature === null ? {} : { 'harness.feature': String(feature) }),
      ...(lane === undefined ? {} : { 'harness.lane': lane }),
    };
    const open: OpenSession = { model: name, provider, since: at, requestAt: at, tools: [] };
    return {
      model: { ...model, sessions: { ...model.sessions, [session]: open } },
      operations: [{ kind: 'start', span: sessionOf(session), parent: RUN, name: `invoke_agent ${prompt}`, at, attributes }],
    };
  },
  'agent.usage': (model, { session, usage, cost_usd }: Of<'agent.usage'>, at) => {
    const open = model.sessions[session];
    if (open === undefined) return { model, operations: [] };
    const input = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
    const about: Attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': open.provider,
      ...modelOf(open.model),
    };
    const span = `chat ${model.count + 1}`;
    const tokens = (type: string, value: number): Operation => ({
      kind: 'measure',
      name: 'gen_ai.client.token.usage',
      value,
      attributes: { ...about, 'gen_ai.token.type': type },
    });
    return {
      model: withSession({ ...model, count: model.count + 1 }, session, { ...open, requestAt: at }),
      operations: [
        {
          kind: 'start',
          span,
          parent: sessionOf(session),
          name: `chat ${open.model}`.trimEnd(),
          at: open.requestAt,
          attributes: {
            ...about,
            'gen_ai.usage.input_tokens': input,
            'gen_ai.usage.output_tokens': usage.output_tokens,
            'gen_ai.usage.cache_read.input_tokens': usage.cache_read_input_tokens,
            'gen_ai.usage.cache_creation.input_tokens': usage.cache_creation_input_tokens,
            ...(cost_usd === null ? {} : { 'harness.cost_usd': cost_usd }),
          },
        },
        { kind: 'end', span, at },
        tokens('input', input),
        tokens('output', usage.output_tokens),
        ...(cost_usd === null ? [] : [{ kind: 'measure' as const, name: 'harness.cost' as const, value: cost_usd, attributes: about }]),
      ],
    };
  },
  'agent.tool': (model, { session, name, input }: Of<'agent.tool'>, at, { content }) => {
    const open = model.sessions[session];
    if (open === undefined) return { model, operations: [] };
    const span = `tool ${model.count + 1}`;
    const attributes: Attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      ...(content ? { 'gen_ai.tool.call.arguments': JSON.stringify(input) } : {}),
    };
    return {
      model: withSession({ ...model, count: model.count + 1 }, session, { ...open, tools: [...open.tools, { span, name, since: at }] }),
      operations: [{ kind: 'start', span, parent: sessionOf(session), name: `execute_tool ${name}`, at, attributes }],
    };
  },
  'agent.result': (model, { session, name, ok, output }: Of<'agent.result'>, at, { content }) => {
    const open = model.sessions[session];
    const tool = open?.tools.find((one) => one.name === name);
    if (open === undefined || tool === undefined) return { model, operations: [] };
    const attributes: Attributes = content ? { 'gen_ai.tool.call.result': output } : {};
    return {
      model: withSession(model, session, { ...open, requestAt: at, tools: open.tools.filter((one) => one !== tool) }),
      operations: [
        { kind: 'end', span: tool.span, at, attributes, ...(ok ? {} : { error: 'the tool failed' }) },
        {
          kind: 'measure',
          name: 'gen_ai.client.operation.duration',
          value: (at - tool.since) / 1_000,
          attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name },
        },
      ],
    };
  },
  'verify.start': (model, { session, feature }: Of<'verify.start'>, at) => ({
    model: { ...model, verdict: session },
    operations: [
      {
        kind: 'start',
        span: verdictOf(session),
        parent: model.sessions[session] === undefined ? RUN : sessionOf(session),
        name: 'verdict',
        at,
        attributes: { 'harness.session': session, ...(feature === null ? {} : { 'harness.feature': String(feature) }) },
      },
    ],
  }),
  'verify.check': (model, { name, state, duration_ms }: Of<'verify.check'>, at) => {
    if (model.verdict === null) return { model, operations: [] };
    const span = `check ${model.count + 1}`;
    return {
      model: { ...model, count: model.count + 1 },
      operations: [
        {
          kind: 'start',
          span,
          parent: verdictOf(model.verdict),
          name: `check ${name}`,
          at: at - duration_ms,
          attributes: { 'harness.check': name, 'harness.state': state },
        },
        { kind: 'end', span, at, ...(state === 'failed' ? { error: state } : {}) },
      ],
    };
  },
  'verify.result': (model, { session, verdict, decision, reasons }: Of<'verify.result'>, at) => {
    if (model.verdict !== session) return { model, operations: [] };
    const attributes: Attributes = { 'harness.verdict': verdict, 'harness.decision': decision, 'harness.reasons': reasons.join(' ') };
    return {
      model: { ...model, verdict: null },
      operations: [
        { kind: 'end', span: verdictOf(session), at, attributes },
        { kind: 'measure', name: 'harness.verdicts', value: 1, attributes: { 'harness.decision': decision } },
      ],
    };
  },
  'session.end': (model, { session, outcome, reasons }: Of<'session.end'>, at) => {
    const { [session]: open, ...sessions } = model.sessions;
    if (open === undefined) return { model, operations: [] };
    const about: Attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': open.provider,
      ...modelOf(open.model),
    };
    return {
      model: { ...model, sessions },
      operations: [
        ...open.tools.map(({ span }): Operation => ({ kind: 'end', span, at })),
        {
          kind: 'end',
          span: sessionOf(session),
          at,
          attributes: { 'harness.outcome': outcome, 'harness.reasons': reasons.join(' ') },
          ...(outcome === 'error' ? { error: reasons.join(' ') } : {}),
        },
        { kind: 'measure', name: 'gen_ai.client.operation.duration', value: (at - open.since) / 1_000, attributes: about },
      ],
    };
  },
};

function withSession(model: SpanModel, session: number, open: OpenSession): SpanModel {
  return { ...model, sessions: { ...model.sessions, [session]: open } };
}
