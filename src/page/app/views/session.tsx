/** One session: what was asked, done, judged, and what it changed. */
import { duration } from '../../../reading/figures.ts';
import type { RunView, SessionView } from '../../../reading/views.ts';
import {
  Attempts,
  Badge,
  count,
  Empty,
  featureName,
  money,
  outcomeWord,
  plural,
  Problem,
  Time,
  toneOfOutcome,
  Waiting,
  type Tone,
} from '../parts/bits.tsx';
import { Diff } from '../parts/diff.tsx';
import { Story } from '../parts/story.tsx';
import { linkTo } from '../route.ts';
import { useView } from '../store.ts';

export function SessionPage({ project, number }: { project: string; number: number }) {
  const { value, error } = useView<SessionView>(`p/${project}/sessions/${number}`);
  if (value === null || value.session !== number)
    return (
      <>
        <h1>Session {number}</h1>
        {error === null ? <Waiting what="the session" /> : <Problem text={error} />}
      </>
    );
  const { record } = value;
  return (
    <>
      <div class="head">
        <div>
          <p class="dim">
            Session {number}, {record?.role ?? value.prompt}
          </p>
          <h1 dir="auto">
            {value.feature === null ? (record?.role ?? value.prompt) : featureName(value.feature)} {value.title ?? ''}
          </h1>
        </div>
        <nav class="beside" aria-label="Sessions">
          {value.before !== null && (
            <a rel="prev" href={linkTo(project, `session/${value.before}`)}>
              ← {value.before}
            </a>
          )}
          {value.after !== null && (
            <a rel="next" href={linkTo(project, `session/${value.after}`)}>
              {value.after} →
            </a>
          )}
        </nav>
      </div>
      <Facts view={value} />
      <Words view={value} project={project} />
      <Checks view={value} />
      <Failed view={value} />
      <section>
        <h2>Changes</h2>
        {value.patch === null ? (
          <p class="dim">{record === null ? 'Shown when the session has ended.' : 'Nothing was captured, or it is no longer kept.'}</p>
        ) : (
          <>
            <p>
              <Badge tone={value.landed ? 'good' : 'quiet'}>
                {value.landed ? `landed as ${record?.commit?.slice(0, 10) ?? 'a commit'}` : 'not on the branch'}
              </Badge>
            </p>
            <Diff patch={value.patch} />
          </>
        )}
      </section>
      <Runs runs={value.runs} />
      <section>
        <h2>What happened</h2>
        {!value.said_kept && record !== null && <p class="dim">What the agent said is no longer kept, beyond a sample.</p>}
        {value.story.length === 0 ? (
          <Empty title="The journal has nothing about it" />
        ) : (
          <Story steps={value.story} leftOut={value.left_out} />
        )}
      </section>
    </>
  );
}

function Facts({ view }: { view: SessionView }) {
  const { record } = view;
  if (record === null)
    return (
      <p>
        <Badge tone="busy">under way</Badge> <Time at={view.started_at} prefix="since " />
      </p>
    );
  const { tokens } = record;
  const input = tokens.input + tokens.cached;
  return (
    <dl class="facts-row">
      <div>
        <dt>Outcome</dt>
        <dd>
          <Badge tone={toneOfOutcome(record.outcome)}>{outcomeWord(record.outcome)}</Badge>
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>{money(record.cost_usd)}</dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>{record.seconds < 1 ? '< 1 s' : duration(record.seconds * 1_000)}</dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>
          {count(input)} in{input > 0 && tokens.cached > 0 ? ` (${Math.round((tokens.cached / input) * 100)}% cached)` : ''},{' '}
          {count(tokens.output)} out
        </dd>
      </div>
      <div>
        <dt>Agent</dt>
        <dd>{record.model === '' ? record.backend : `${record.backend}, ${record.model}`}</dd>
      </div>
      <div>
        <dt>Ended</dt>
        <dd>
          <Time at={record.ended_at} />
        </dd>
      </div>
    </dl>
  );
}

function Words({ view, project }: { view: SessionView; project: string }) {
  const [first, ...rest] = view.words;
  if (first === undefined) return null;
  return (
    <section class="verdict">
      <h2 class="hidden">Verdict</h2>
      <p class="lead" dir="auto">
        {first}
      </p>
      {rest.length > 0 && (
        <pre class="words-more" tabIndex={0}>
          {rest.join('\n')}
        </pre>
      )}
      {view.record !== null && view.record.reasons.length > 0 && <p class="dim">Reasons: {view.record.reasons.join(', ')}</p>}
      {view.question !== null && (
        <p class="banner warn">
          <a href={linkTo(project, `questions/${view.question}`)}>A question waits because of this session. Answer it.</a>
        </p>
      )}
      {view.later.length > 0 && (
        <div class="later">
          <p>What became of {view.feature === null ? 'it' : featureName(view.feature)}:</p>
          <Attempts sessions={view.later} project={project} />
        </div>
      )}
      {view.later.length === 0 && view.question === null && view.record?.outcome === 'rejected' && (
        <p class="dim">Nothing is left for you to do: the next run tries again, with this verdict in its prompt.</p>
      )}
    </section>
  );
}

const STATES: Readonly<Record<string, [Tone, string]>> = {
  passed: ['good', 'passed'],
  failed: ['bad', 'failed'],
  warned: ['warn', 'warning'],
  skipped: ['quiet', 'skipped'],
};

function Checks({ view: { verdict } }: { view: SessionView }) {
  if (verdict === null || verdict.checks.length === 0) return null;
  return (
    <section>
      <h2>Checks</h2>
      <ul class="checks">
        {verdict.checks.map((check, at) => {
          const [tone, word] = STATES[check.state] ?? ['quiet', check.state];
          const findings = verdict.findings.filter((finding) => finding.check === check.name && finding.weight !== 'warn');
          return (
            <li key={at}>
              <Badge tone={tone}>{word}</Badge>
              <span class="check-name">{check.title ?? check.name}</span>
              <span class="check-detail" dir="auto">
                {check.detail}
                {findings.map((finding, index) => (
                  <details key={index}>
                    <summary>{finding.message}</summary>
                    <pre class="body" tabIndex={0}>
                      {(finding.failures ?? []).length > 0
                        ? (finding.failures ?? []).map(({ test, status, message }) => `${test} (${status})\n${message}`).join('\n\n')
                        : finding.subjects.join('\n') || finding.reason}
                    </pre>
                  </details>
                ))}
              </span>
              <span class="dim figure">{check.duration_ms < 1_000 ? '' : duration(check.duration_ms)}</span>
            </li>
          );
        })}
      </ul>
      {verdict.red_to_green.length > 0 && (
        <details>
          <summary>{plural(verdict.red_to_green.length, 'test')} went from red to green</summary>
          <pre class="body" tabIndex={0}>
            {verdict.red_to_green.join('\n')}
          </pre>
        </details>
      )}
      {verdict.caveats.length > 0 && <p class="dim">Note: {verdict.caveats.join('; ')}.</p>}
    </section>
  );
}

function Failed({ view }: { view: SessionView }) {
  if (view.failed.length === 0) return null;
  return (
    <section>
      <h2>Failed tests</h2>
      {view.failed.map((test) => (
        <details key={test.id}>
          <summary dir="auto">
            {test.id} ({test.status})
          </summary>
          <pre class="body" tabIndex={0}>
            {test.message ?? 'It said nothing.'}
          </pre>
        </details>
      ))}
    </section>
  );
}

function Runs({ runs }: { runs: readonly RunView[] }) {
  if (runs.length === 0) return null;
  return (
    <section>
      <h2>Test runs</h2>
      {runs.map((run, at) => (
        <details key={at}>
          <summary>
            <span class="check-name">{run.name === '' ? 'run' : run.name}</span> <span class="plus">{run.passed} passed</span>
            {run.failed > 0 && <span class="minus"> {run.failed} failed</span>}
            {run.other > 0 && <span class="dim"> {run.other} other</span>}
            <span class="dim">
              {' '}
              {run.timed_out ? 'timed out' : `exit ${run.exit_code ?? '?'}`}, {duration(run.duration_ms)}
            </span>
          </summary>
          <pre class="body" tabIndex={0}>
            {`$ ${run.command}\n${run.output}`}
          </pre>
        </details>
      ))}
    </section>
  );
}
