/** Small things that every view uses. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { featureLabel } from '../../../domain/feature-name.ts';
import { dollars, duration, localTime, tokens } from '../../../reading/figures.ts';
import { linkTo } from '../route.ts';
import { report } from '../source.ts';
import { clock } from '../store.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'quiet';

/** As people tell it, exact on hover; a report shows the time itself, because it is read later. */
export function Time({ at, prefix = '' }: { at: string | number | null; prefix?: string }) {
  if (at === null || at === '') return null;
  const instant = typeof at === 'number' ? at : Date.parse(at);
  if (Number.isNaN(instant)) return null;
  const exact = localTime(instant);
  const words = report.value === null ? ago(clock.value - instant) : exact;
  return (
    <time dateTime={new Date(instant).toISOString()} title={new Date(instant).toString()}>
      {prefix}
      {words}
    </time>
  );
}

export function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/** How long something has been going on. */
export function Since({ at }: { at: number }) {
  const ms = Math.max(0, clock.value - at);
  return <>{ms < 1_000 ? '0 s' : duration(ms)}</>;
}

export function Badge({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      <span class="mark" aria-hidden="true" />
      {children}
    </span>
  );
}

interface MeterProps {
  label: string;
  value: number;
  of: number;
  format: (value: number) => string;
  /** More of it is no trouble. */
  harmless?: boolean;
}

export function Meter({ label, value, of, format, harmless = false }: MeterProps) {
  const share = of <= 0 ? 0 : Math.min(1, value / of);
  const tone = harmless ? 'quiet' : share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'quiet';
  const text = of <= 0 ? format(value) : `${format(value)} of ${format(of)}`;
  return (
    <div class="meter">
      <span class="meter-label">{label}</span>
      <span class="meter-text">
        {text}
        {of > 0 && <span class="dim"> · {Math.round(share * 100)}%</span>}
      </span>
      <span
        class={`meter-bar ${tone}`}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={text}
      >
        <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </span>
    </div>
  );
}

export const money = dollars;
export const count = tokens;

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="empty-more">{children}</div>}
    </div>
  );
}

/** A command to type, with a button that copies it. */
export function CommandLine({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => {},
    );
  };
  return (
    <span class="command">
      <code>{text}</code>
      <button type="button" class="quiet-button" onClick={copy} aria-label={`Copy ${text}`}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}

export function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

export function Waiting({ what }: { what: string }) {
  return (
    <p class="dim" aria-busy="true">
      Reading {what} …
    </p>
  );
}

export function toneOfOutcome(outcome: string): Tone {
  if (outcome === 'verified' || outcome === 'complete') return 'good';
  if (outcome === 'rejected' || outcome === 'error') return 'bad';
  return outcome === 'needs_human' || outcome === 'escalated' ? 'warn' : 'quiet';
}

const OUTCOMES: Readonly<Record<string, string>> = {
  verified: 'verified',
  rejected: 'refused',
  needs_human: 'needs you',
  partial: 'unfinished',
  escalated: 'needs you',
  complete: 'complete',
  error: 'failed',
};

export function outcomeWord(outcome: string): string {
  return OUTCOMES[outcome] ?? outcome;
}

const MOST_ATTEMPTS = 12;

/** Sessions of one feature, each with how it ended, why where it was refused, and what it cost where that is known. */
export function Attempts({ sessions, project }: { sessions: readonly Attempt[]; project: string }) {
  const left = Math.max(0, sessions.length - MOST_ATTEMPTS);
  return (
    <ul class="attempts small">
      {left > 0 && <li class="dim">{plural(left, 'earlier session')}</li>}
      {sessions.slice(left).map(({ session, outcome, reasons = [], cost_usd }) => (
        <li key={session}>
          <a href={linkTo(project, `session/${session}`)}>Session {session}</a>{' '}
          <Badge tone={toneOfOutcome(outcome)}>{outcomeWord(outcome)}</Badge>
          {reasons.length > 0 && <span class="dim"> {reasons.slice(0, 3).join(', ')}</span>}
          {cost_usd !== null && <span class="dim"> {money(cost_usd)}</span>}
        </li>
      ))}
    </ul>
  );
}

interface Attempt {
  session: number;
  outcome: string;
  reasons?: readonly string[];
  cost_usd: number | null;
}

export function featureName(feature: number | string | null): string {
  return feature === null ? 'no feature' : featureLabel(feature);
}

export function plural(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}
