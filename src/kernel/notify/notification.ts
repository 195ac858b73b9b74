/**
 * What a person is told outside of the terminal, made from events. Pure.
 *
 * 1. Five kinds: a question that waits, an escalation, a budget at 80 and at 100 %, the first change of agent, and the end of a run.
 * 2. An escalation that is also a question is told once, as the escalation.
 * 3. Nothing in it comes from an agent's own words but the question's sentence, cut short and without what looks like a key.
 */
import { agentLabel } from '../../domain/agent-label.ts';
import { featureLabel } from '../../domain/feature-name.ts';
import { cleanText } from '../../domain/clean-text.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import { kindOf } from '../../domain/gate-id.ts';
import type { NoticeKind } from '../../domain/notice-kind.ts';

export interface Notice {
  kind: NoticeKind;
  /** In one sentence or a few lines. */
  message: string;
  /** The question to answer, where there is one. */
  gate: string | null;
  /** Only for the end of a run. */
  outcome: string | null;
  exit_code: number | null;
  /** Two notices with the same key tell the same. */
  key: string;
}

/** Null: nobody has to know. */
export function noticeOf(event: HarnessEvent): Notice | null {
  switch (event.type) {
    case 'gate.asked': {
      const { id, question, asked_at } = event.gate;
      return notice('question', `${question}\nAnswer with: harness answer ${id} OPTION`, {
        gate: id,
        key: `${kindOf(id)} ${asked_at} ${question}`,
      });
    }
    case 'escalation':
      return notice('escalation', event.message, { gate: event.question ?? event.trigger, key: `${event.trigger} ${event.message}` });
    case 'budget.reached': {
      const { scope, percent, spent_usd, budget_usd, feature, session } = event;
      const whose =
        scope === 'project'
          ? 'the project'
          : scope === 'feature'
            ? `feature ${feature === null ? '' : featureLabel(feature)}`
            : `session ${session}`;
      return notice('budget', `${percent} % of the budget of ${whose} is spent: $${spent_usd.toFixed(2)} of $${budget_usd.toFixed(2)}.`, {
        key: `budget ${scope} ${scope === 'feature' ? String(feature) : scope === 'session' ? session : ''} ${percent}`,
      });
    }
    case 'agent.switched':
      return event.first
        ? notice('agent', `${agentLabel(event.to)} goes on: ${event.why}. Price: ${event.price}.`, { key: `agent ${event.session}` })
        : null;
    default:
      return null;
  }
}

export function endNotice(end: { command: string; outcome: string; exit_code: number; message: string }): Notice {
  const message = `harness ${end.command} has ended: ${end.outcome} (exit ${end.exit_code}).${end.message === '' ? '' : `\n${end.message}`}`;
  return { ...notice('end', message, { key: 'end' }), outcome: end.outcome, exit_code: end.exit_code };
}

/** An escalation, and the question that it is asked as: one thing. Null: they are two. */
export function asOne(escalation: Notice, question: Notice): Notice | null {
  if (question.kind !== 'question' || kindOf(question.gate ?? '') !== kindOf(escalation.gate ?? '')) return null;
  return { ...question, kind: 'escalation' };
}

const LONGEST = 1_000;

function notice(kind: NoticeKind, message: string, more: Partial<Notice> & { key: string }): Notice {
  return { kind, gate: null, outcome: null, exit_code: null, ...more, message: withoutKeys(cleanText(message)).slice(0, LONGEST) };
}

/** Keys and tokens as their makers write them, and whatever follows a word for one. */
export function withoutKeys(text: string): string {
  return KEYS.reduce((left, pattern) => left.replace(pattern, '[hidden]'), text);
}

const KEYS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|npm|pypi|hf)[-_][\w-]{10,}/g,
  /\bAKIA[0-9A-Z]{12,}\b/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
  /\b(?:bearer|token|password|passwd|secret|api[-_ ]?key)["']?\s*[:=]\s*["']?[^\s"']{6,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/@:]+:[^\s/@]+@/gi,
];
