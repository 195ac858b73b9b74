/**
 * What runs now, folded from events: one lane for each session in the air. Pure.
 *
 * 1. The same fold serves the terminal's live view, the page and whoever else shows a run.
 * 2. A session that ended is gone from the lanes; its last word stays as `ended`.
 * 3. Checks of a verdict carry no session: they belong to the session whose verification began last.
 */
import type { FeatureRef, HarnessEvent } from '../domain/event.ts';
import { shortLine, stepOf, type Step } from './step.ts';
import { toolSubject } from './tool-subject.ts';

export type Stage = 'preparing' | 'working' | 'verifying' | 'waiting' | 'asking';

export interface Lane {
  session: number;
  /** Null: it works alone. */
  lane: string | null;
  feature: FeatureRef | null;
  role: string;
  backend: string;
  model: string;
  stage: Stage;
  /** The check that was run last, the question that is asked, or why nothing goes on. */
  detail: string;
  /** The last thing the agent did. */
  action: string;
  /** The latest steps, oldest first. */
  recent: readonly Step[];
  context_tokens: number;
  context_window: number;
  /** Null: nothing is known yet. */
  cost_usd: number | null;
  tokens: { input: number; output: number; cached: number };
  started_at: number;
  last_at: number;
  /** Epoch milliseconds at which a wait ends. */
  until: number | null;
}

export interface Flow {
  flow: 'workflow' | 'spec' | 'mission';
  label: string;
  round: { number: number; of: number } | null;
  retry: number | null;
  language: string | null;
}

export interface Watch {
  lanes: readonly Lane[];
  flow: Flow | null;
  /** The lane of which something was heard last. */
  latest: number | null;
  /** The session that is judged now. */
  judged: number | null;
  /** Questions that a person is asked at the terminal. */
  asked: readonly string[];
  /** How the last session ended. */
  ended: { session: number; outcome: string } | null;
  last_at: number | null;
}

export const NOTHING: Watch = { lanes: [], flow: null, latest: null, judged: null, asked: [], ended: null, last_at: null };

const KEPT_STEPS = 12;

/** `now`: when it is seen, for events that carry no time. */
export function foldWatch(watch: Watch, event: HarnessEvent & { ts?: string }, now: number): Watch {
  const at = event.ts === undefined ? now : Date.parse(event.ts);
  const next = { ...watch, last_at: at };
  const session = 'session' in event && typeof event.session === 'number' ? event.session : null;
  switch (event.type) {
    case 'session.start': {
      const others = event.lane === undefined ? [] : watch.lanes.filter((lane) => lane.session !== event.session);
      return { ...next, lanes: [...others, laneOf(event, at)], latest: event.session, ended: null };
    }
    case 'session.end': {
      const lanes = watch.lanes.filter((lane) => lane.session !== event.session);
      return { ...next, lanes, latest: lanes.at(-1)?.session ?? null, ended: { session: event.session, outcome: event.outcome } };
    }
    case 'flow.phase':
      return {
        ...next,
        flow: {
          flow: event.flow,
          label: event.label,
          round: event.round ?? null,
          retry: event.retry ?? null,
          language: event.language ?? null,
        },
      };
    case 'verify.start':
      return change(
        { ...next, judged: event.session },
        event.session,
        { event, at },
        {
          stage: 'verifying',
          detail: '',
          action: '',
          until: null,
        },
      );
    case 'verify.check':
      return change(
        next,
        watch.judged ?? watch.latest,
        { event, at },
        {
          stage: 'verifying',
          detail: `${event.title ?? event.name} ${event.state}`,
        },
      );
    case 'gate.asked':
      if (event.left === true) return change(next, watch.latest, { event, at }, {});
      return change(
        { ...next, asked: [...watch.asked, event.gate.id] },
        watch.latest,
        { event, at },
        {
          stage: 'asking',
          detail: event.gate.id,
        },
      );
    case 'gate.answered':
      return change({ ...next, asked: watch.asked.filter((id) => id !== event.id) }, watch.latest, { event, at }, AT_WORK);
    case 'session.limit': {
      if (event.until !== undefined)
        return change(next, session, { event, at }, { stage: 'waiting', detail: event.kind, until: Date.parse(event.until) });
      return change(next, session, { event, at }, event.kind === 'usage' ? AT_WORK : {});
    }
    case 'agent.usage':
      return change(next, session, { event, at }, (lane) => ({
        ...AT_WORK,
        context_tokens: event.context_tokens,
        context_window: event.context_window,
        cost_usd: event.cost_usd === null ? lane.cost_usd : (lane.cost_usd ?? 0) + event.cost_usd,
        tokens: {
          input: lane.tokens.input + event.usage.input_tokens + event.usage.cache_creation_input_tokens,
          output: lane.tokens.output + event.usage.output_tokens,
          cached: lane.tokens.cached + event.usage.cache_read_input_tokens,
        },
      }));
    case 'agent.tool':
      return change(next, session, { event, at }, { ...AT_WORK, action: shortLine(`${event.name} ${toolSubject(event.input)}`) });
    case 'agent.text':
    case 'agent.result':
      return change(next, session, { event, at }, AT_WORK);
    case 'end':
      return { ...next, lanes: [], latest: null, judged: null, asked: [] };
    default:
      return change(next, session ?? watch.latest, { event, at }, {});
  }
}

const AT_WORK: Partial<Lane> = { stage: 'working', detail: '', until: null };

function laneOf(event: Extract<HarnessEvent, { type: 'session.start' }>, at: number): Lane {
  const first = stepOf(event);
  return {
    session: event.session,
    lane: event.lane ?? null,
    feature: event.feature,
    role: event.prompt,
    backend: event.backend,
    model: event.model,
    stage: 'working',
    detail: '',
    action: '',
    recent: first === null ? [] : [{ ...first, at: new Date(at).toISOString() }],
    context_tokens: 0,
    context_window: 0,
    cost_usd: null,
    tokens: { input: 0, output: 0, cached: 0 },
    started_at: at,
    last_at: at,
    until: null,
  };
}

function change(
  watch: Watch,
  session: number | null,
  { event, at }: { event: HarnessEvent; at: number },
  what: Partial<Lane> | ((lane: Lane) => Partial<Lane>),
): Watch {
  const index = watch.lanes.findIndex((lane) => lane.session === session);
  const lane = watch.lanes[index];
  if (lane === undefined) return watch;
  const step = stepOf(event);
  const recent = step === null ? lane.recent : [...lane.recent, { ...step, at: new Date(at).toISOString() }].slice(-KEPT_STEPS);
  const changed = { ...lane, ...(typeof what === 'function' ? what(lane) : what), recent, last_at: at };
  return { ...watch, lanes: watch.lanes.with(index, changed), latest: lane.session };
}
