/**
 * Event → the lines a person reads.
 *
 * 1. Whatever an agent or a test wrote is cleaned of control sequences and kept to one short line, on a terminal within its width.
 * 2. Every type of event has its entry: a new one does not compile before it is thought about.
 */
import { agentLabel } from '../domain/agent-label.ts';
import { featureLabel } from '../domain/feature-name.ts';
import { workingModel } from '../agents/registry.ts';
import { counted } from '../domain/counted.ts';
import { cleanText } from '../domain/clean-text.ts';
import type { EventType, HarnessEvent } from '../domain/event.ts';
import { displayWidth, fitWidth } from '../domain/display-width.ts';
import { optionName } from '../domain/option-name.ts';
import type { Usage } from '../domain/money.ts';
import { dollars, duration, localTime, tokens } from '../reading/figures.ts';
import { liveWordsIn } from './live-words.ts';
import type { Paint } from './paint.ts';
import { toolSubject } from '../reading/tool-subject.ts';
import { wrap } from './wrap.ts';

type Of<T extends EventType> = Extract<HarnessEvent, { type: T }>;
type Renderers = { [T in EventType]: (event: Of<T>, paint: Paint, width: number) => string[] };

/** Shown under `--quiet` too: results and what needs attention. */
const ALWAYS: ReadonlySet<EventType> = new Set<EventType>([
  'session.end',
  'gate.asked',
  'escalation',
  'warning',
  'state.recovered',
  'agent.error',
  'end',
]);
const LINE_LIMIT = 160;
/** An agent's own lines are for following along, not for reading. */
const AGENT_LIMIT = 100;
const TEXT_LIMIT = 400;

export function renderText(event: HarnessEvent, paint: Paint, options: { quiet: boolean; width?: number }): string[] {
  if (options.quiet && !ALWAYS.has(event.type)) return [];
  const lines = (RENDERERS[event.type] as (event: HarnessEvent, paint: Paint, width: number) => string[])(
    event,
    paint,
    options.width ?? LINE_LIMIT,
  );
  return event.type === 'session.end' && !options.quiet ? [...lines, ''] : lines;
}

const RENDERERS: Renderers = {
  'session.start': (event, paint) => [
    paint.strong(`Session ${event.session}${event.feature === null ? '' : `: feature ${featureLabel(event.feature)}`}`) +
      paint.dim(
        ` (${[event.prompt, event.backend, ...[workingModel(event.backend, event.model)].filter((model) => model !== '')].join(', ')})`,
      ),
  ],
  'session.end': (event, paint, width) => {
    const subject =
      event.feature === null ? `Session ${event.session}` : `Session ${event.session}, feature ${featureLabel(event.feature)}`;
    const reasons = event.reasons.length === 0 ? '' : `: ${event.reasons.join(', ')}`;
    const facts = [
      duration(event.duration_ms),
      dollars(event.cost_usd),
      ...(event.usage === undefined ? [] : usageFacts(event.usage)),
      ...(event.commit === undefined ? [] : [`commit ${event.commit.slice(0, 10)}`]),
    ];
    const summary = `(${facts.join(', ')})`;
    const head = `${subject} ${outcomeColour(event.outcome, paint)(event.outcome)}${reasons}`;
    const fits = `${subject} ${event.outcome}${reasons} ${summary}`.length <= width;
    const top = fits ? [`${head} ${paint.dim(summary)}`] : [head, ...wrap(`  ${summary}`, width).map(paint.dim)];
    return event.message === undefined ? top : [...top, ...indented(event.message, width)];
  },
  'session.limit': (event, paint, width) => {
    const until = event.until === undefined ? '' : ` (until ${localTime(Date.parse(event.until))})`;
    return wrap(`  ${oneLine(event.message)}${until}`, width).map(event.level === 'info' ? paint.dim : paint.warn);
  },
  'session.inject': (event, paint, width) => [
    paint.dim(clip(`  told the agent${event.delivered ? '' : ' (it cannot be reached while it works)'}: ${oneLine(event.text)}`, width)),
  ],
  'preflight.check': (event, paint, width) => checkLines(event, paint, width),
  'agent.text': (event, paint, width) =>
    lines(event.text).flatMap((line) => wrap(clip(line, TEXT_LIMIT), width - 4).map((part) => paint.dim(clip(`  │ ${part}`, width)))),
  'agent.tool': (event, paint, width) => [
    paint.dim(clip(`  › ${oneLine(event.name)} ${oneLine(toolSubject(event.input))}`.trimEnd(), Math.min(width, AGENT_LIMIT))),
  ],
  'agent.result': (event, paint, width) =>
    event.ok ? [] : [paint.dim(clip(`    ${oneLine(event.name)} failed: ${oneLine(event.output)}`, Math.min(width, AGENT_LIMIT)))],
  'agent.usage': () => [],
  'agent.error': (event, paint, width) =>
    wrap(`  agent${event.class === 'agent' ? '' : ` (${event.class})`}: ${oneLine(event.message)}`, width).map(paint.warn),
  'agent.action': () => [],
  'checkpoint.created': (event, paint) => [paint.dim(`  checkpoint ${event.id}`)],
  rollback_completed: () => [],
  migration_start: () => [],
  migration_complete: () => [],
  'agent.request': () => [],
  'progress.check': () => [],
  'checkpoint.restored': (event) => [`Restored checkpoint ${event.id}. The previous state is saved as ${event.saved_as}.`],
  'workspace.prepared': (event, paint) => [
    paint.dim(`  workspace ready (${counted(event.files_changed, 'file')} synced, ${duration(event.duration_ms)})`),
  ],
  'workspace.captured': (event, paint) => [
    paint.dim(`  captured ${counted(event.files_changed, 'changed file')} (${duration(event.duration_ms)})`),
  ],
  'verify.start': (event) => [event.feature === null ? 'Verifying the work' : `Verifying feature ${featureLabel(event.feature)}`],
  'verify.check': (event, paint, width) => checkLines(event, paint, width),
  'verify.result': (event, paint, width) => [
    decisionColour(
      event.decision,
      paint,
    )(`  verdict ${event.verdict}: ${event.decision === 'needs_human' ? 'your decision is needed' : event.decision}`),
    ...event.messages.flatMap((message) => indented(message, width)),
  ],
  'commit.created': (event, paint) => [paint.good(`  commit ${event.commit.slice(0, 10)} on ${oneLine(event.branch)}`)],
  'wip.saved': (event) => [`  unfinished work is kept as ${event.ref}`],
  'gate.asked': ({ gate }, paint, width) => {
    const words = liveWordsIn(gate.language).question;
    return [
      ...shownContext(gate.context ?? [], width).map(paint.dim),
      ...asked(gate.header, gate.question, width, paint),
      ...gate.options.flatMap((option, index) =>
        wrap(
          `  ${index + 1}. ${oneLine(optionName(option))}: ${oneLine(option.description)}${option.recommended ? ` (${words.recommended})` : ''}`,
          width,
        ),
      ),
      `  ${words.answerWith({ command: `harness answer ${gate.id} <option>` })}`,
    ];
  },
  'gate.answered': (event, paint) => [paint.dim(`  ${event.id} answered: ${oneLine(event.option ?? event.text ?? '')} (${event.by})`)],
  escalation: (event, paint, width) => [
    ...wrap(`Your decision is needed: ${oneLine(event.message)}`, width).map(paint.warn),
    ...(event.options.length === 0 ? [] : wrap(`  options: ${event.options.map(oneLine).join(' · ')}`, width)),
    ...wrap(`  the facts, and a command for each option: ${event.file}`, width),
  ],
  'budget.reached': (event, paint, width) =>
    wrap(
      `  ${event.percent} % of the budget of the ${event.scope} is spent: $${event.spent_usd.toFixed(2)} of $${event.budget_usd.toFixed(2)}`,
      width,
    ).map(paint.warn),
  'words.delivered': (event, paint, width) => wrap(`  said to the agent: ${oneLine(event.text)}`, width).map(paint.strong),
  'agent.switched': (event, paint, width) =>
    wrap(`  ${oneLine(agentLabel(event.to))} goes on: ${oneLine(event.why)} (${event.price})`, width).map(paint.warn),
  /** An agent's own decision stands in its text already, and a person knows what they decided. */
  decision: (event, paint, width) => (event.by === 'harness' ? wrap(`  decided: ${oneLine(event.text)}`, width).map(paint.dim) : []),
  'state.recovered': (event, paint, width) => wrap(`Found ${oneLine(event.what)}: ${oneLine(event.action)}`, width).map(paint.warn),
  'quality.warning': (event, paint, width) => wrap(`  ${oneLine(event.file)}: ${oneLine(event.message)}`, width).map(paint.warn),
  'run.preview': () => [],
  'mission.preview': () => [],
  'run.summary': () => [],
  /** Said by the workflow itself, in the user's language. */
  'flow.step': () => [],
  /** The workflow flow announces each phase in a line of its own. */
  'flow.phase': (event, paint, width) => (event.flow === 'workflow' ? [] : wrap(oneLine(event.label), width).map(paint.strong)),
  progress: (event, _paint, width) => lines(event.message).flatMap((line) => wrap(line, width)),
  warning: (event, paint, width) => lines(event.message).flatMap((line) => wrap(line, width).map((part) => paint.warn(part))),
  end: (event, _paint, width) => (event.message === undefined ? [] : lines(event.message).flatMap((line) => wrap(line, width))),
};

function usageFacts(usage: Usage): string[] {
  const input = usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens;
  if (input + usage.output_tokens === 0) return [];
  const cached = usage.cache_read_input_tokens === 0 ? '' : ` (${Math.round((usage.cache_read_input_tokens / input) * 100)}% cached)`;
  return [`${tokens(input)} tokens in${cached}`, `${tokens(usage.output_tokens)} out`];
}

const MARKS = { passed: '✓', failed: '✗', skipped: '-', warned: '!' } as const;

function checkLines(
  event: { name: string; title?: string; state: keyof typeof MARKS; detail: string; duration_ms: number },
  paint: Paint,
  width: number,
): string[] {
  const colour = { passed: paint.good, failed: paint.bad, skipped: paint.dim, warned: paint.warn }[event.state];
  const [first = '', ...more] = wrap(`    ${event.title ?? event.name}  ${oneLine(event.detail)}`.trimEnd(), width);
  const time = event.duration_ms < 1_000 ? '' : paint.dim(` (${duration(event.duration_ms)})`);
  return [
    `  ${colour(MARKS[event.state])} ${first.slice(4)}${more.length === 0 ? time : ''}`,
    ...more.map((line, index) => `${line}${index === more.length - 1 ? time : ''}`),
  ];
}

function outcomeColour(outcome: string, paint: Paint): (text: string) => string {
  if (outcome === 'verified' || outcome === 'complete') return paint.good;
  return outcome === 'rejected' || outcome === 'error' ? paint.bad : paint.warn;
}

function decisionColour(decision: string, paint: Paint): (text: string) => string {
  return decision === 'accepted' ? paint.good : decision === 'rejected' ? paint.bad : paint.warn;
}

/** The question whole: a person has to decide by it. */
function asked(header: string, question: string, width: number, paint: Paint): string[] {
  const [first = '', ...rest] = lines(question).flatMap((line) => wrap(line, width));
  return [paint.strong(`${oneLine(header)}: `) + first, ...rest];
}

const CONTEXT_LINES = 60;

/** Facts that go with a question: long ones are cut, and say so. */
function shownContext(context: readonly string[], width: number): string[] {
  const all = context.flatMap((entry) => indented(entry, width));
  return all.length <= CONTEXT_LINES ? all : [...all.slice(0, CONTEXT_LINES), `  (${counted(all.length - CONTEXT_LINES, 'more line')})`];
}

function indented(text: string, width: number): string[] {
  return lines(text).flatMap((line) => wrap(`  ${line}`, width));
}

function lines(text: string): string[] {
  // A tab would move what comes after the border by as much as the terminal likes.
  return cleanText(text).replaceAll('\t', '    ').trimEnd().split('\n');
}

function oneLine(text: string): string {
  return clip(cleanText(text).replace(/\s+/g, ' ').trim());
}

function clip(line: string, limit = LINE_LIMIT): string {
  return displayWidth(line) <= limit ? line : `${fitWidth(line, Math.max(1, limit - 1))}…`;
}
