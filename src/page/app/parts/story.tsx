/** Steps of a session or of a place, oldest first. */
import { useState } from 'preact/hooks';
import type { StoryStep } from '../../../reading/views.ts';

const KINDS: Readonly<Record<string, string>> = {
  start: 'start',
  say: 'agent',
  tool: 'tool',
  result: 'output',
  fail: 'error',
  told: 'harness',
  limit: 'limit',
  check: 'check',
  verdict: 'verdict',
  commit: 'commit',
  ask: 'question',
  answer: 'answer',
  note: 'note',
  end: 'end',
};

const PAGE = 150;

export function Story({ steps, leftOut = 0 }: { steps: readonly StoryStep[]; leftOut?: number }) {
  const [shown, setShown] = useState(PAGE);
  const rest = steps.length - shown;
  return (
    <>
      <ol class="story">
        {steps.slice(0, shown).map((step, at) => (
          <Row key={step.seq ?? at} step={step} />
        ))}
      </ol>
      {leftOut > 0 && <p class="dim">{leftOut} steps in the middle are left out; harness log session has all of them.</p>}
      {rest > 0 && (
        <button type="button" class="quiet-button" onClick={() => setShown(shown + 3 * PAGE)}>
          Show {Math.min(rest, 3 * PAGE)} more of {rest} steps
        </button>
      )}
    </>
  );
}

function Row({ step }: { step: StoryStep }) {
  const line = (
    <>
      <time dateTime={step.at} title={step.at}>
        {timeOfDay(step.at)}
      </time>
      <span class={`kind ${step.kind}`}>{KINDS[step.kind]}</span>
      <span class={`what ${step.kind} ${step.state ?? ''}`} dir="auto">
        {step.text}
      </span>
    </>
  );
  if (step.body === undefined) return <li class="step">{line}</li>;
  return (
    <li>
      <details>
        <summary class="step">{line}</summary>
        <pre class="body" tabIndex={0}>
          {step.body}
        </pre>
      </details>
    </li>
  );
}

function timeOfDay(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '' : date.toTimeString().slice(0, 8);
}
