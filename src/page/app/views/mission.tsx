/** A mission: its plan, the proof of each claim, who worked when, and what it remembers. */
import { localTime } from '../../../reading/figures.ts';
import type { MissionView, SessionRow } from '../../../reading/views.ts';
import {
  Attempts,
  Badge,
  CommandLine,
  Empty,
  featureName,
  outcomeWord,
  plural,
  Problem,
  Time,
  toneOfOutcome,
  type Tone,
} from '../parts/bits.tsx';
import { Graph } from '../parts/graph.tsx';
import { linkTo } from '../route.ts';
import { now, useView } from '../store.ts';

const TONES: Readonly<Record<string, Tone>> = {
  passed: 'good',
  working: 'busy',
  validating: 'busy',
  failed: 'bad',
  blocked: 'warn',
  pending: 'quiet',
  skipped: 'quiet',
};

export function MissionPage({ project }: { project: string }) {
  const { value, error } = useView<MissionView | null>(`p/${project}/mission`);
  if (value === null)
    return (
      <>
        <h1>Mission</h1>
        <Problem text={error} />
        <Empty title="There is no mission here">
          <p>A mission plans from a specification and works unattended until every claim is proved.</p>
          <CommandLine text="harness mission run --spec SPEC.md" />
        </Empty>
      </>
    );
  const { status } = value;
  const passed = status.features.filter(({ status: state }) => state === 'passed').length;
  return (
    <>
      <h1>
        {passed} of {plural(status.features.length, 'feature')} passed
      </h1>
      <p class="lead">
        {status.spec}, stage <strong>{status.stage}</strong>, iteration {status.iteration}, begun <Time at={value.started_at} />.
      </p>
      {status.checkpoint !== null && (
        <p class="banner warn">
          It waits at the checkpoint {status.checkpoint}. <CommandLine text={`harness mission grant ${status.checkpoint}`} />
        </p>
      )}
      {status.escalation !== null && (
        <p class="banner warn" dir="auto">
          {status.escalation} {(now.value?.questions ?? 0) > 0 && <a href={linkTo(project, 'questions')}>Answer its question</a>}
        </p>
      )}
      <section>
        <h2>Plan</h2>
        <ul class="features">
          {status.features.map((feature) => (
            <li key={feature.id}>
              <span class="row-number">{feature.id}</span>
              <Badge tone={TONES[feature.status] ?? 'quiet'}>{feature.status}</Badge>
              <div class="feature-what">
                <p dir="auto">{feature.title}</p>
                <p class="dim small">
                  {feature.attempts > 0 && plural(feature.attempts, 'refused attempt')}
                  {feature.depends_on.length > 0 && ` after ${feature.depends_on.join(', ')}`}
                </p>
                <Attempts sessions={value.sessions.filter((one) => featureName(one.feature) === feature.id)} project={project} />
              </div>
            </li>
          ))}
        </ul>
        {status.features.some(({ depends_on }) => depends_on.length > 0) && (
          <Graph
            label="The plan"
            nodes={status.features.map((one) => ({
              id: one.id,
              name: one.id,
              title: one.title,
              tone: TONES[one.status] ?? 'quiet',
              link: null,
            }))}
            edges={status.features.flatMap((one) => one.depends_on.map((other): [string, string] => [other, one.id]))}
          />
        )}
      </section>
      <section>
        <h2>Who worked when</h2>
        <Lanes sessions={value.sessions} project={project} />
      </section>
      <section>
        <h2>Contract</h2>
        <ul class="claims">
          {value.claims.map((claim) => (
            <li key={claim.id}>
              <Badge tone={TONES[claim.state] ?? 'quiet'}>{claim.state === 'passed' ? 'proved' : claim.state}</Badge>
              <div>
                <p dir="auto">{claim.text}</p>
                <p class="dim small">
                  {claim.id}, {claim.feature ?? 'no feature'}
                  {claim.proof.tests.length > 0 && `, shown by ${claim.proof.tests.join(', ')}`}
                  {claim.proof.command !== null && `, shown by ${claim.proof.command}`}
                  {claim.proof.person && ', a person has to say so'}
                </p>
              </div>
            </li>
          ))}
        </ul>
        <p class="dim">
          Validators were asked {plural(status.validator.asked, 'time')}; of their passes, {status.validator.believed} quoted what was
          recorded and {status.validator.unquoted} did not.
        </p>
      </section>
      {status.findings.length > 0 && (
        <section>
          <h2>Found by validators, not fixed</h2>
          <ul class="plain">
            {status.findings.map((finding, at) => (
              <li key={at} dir="auto">
                <strong>{finding.title}</strong> <span class="dim">{finding.text}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {value.memory.length > 0 && (
        <section>
          <h2>Memory</h2>
          {value.memory.map(({ name, text }) => (
            <details key={name}>
              <summary>{name}</summary>
              <pre class="body" tabIndex={0}>
                {text}
              </pre>
            </details>
          ))}
        </section>
      )}
    </>
  );
}

const MOST_LANES = 40;

/** One row a feature or role, each session as a bar where it was. */
function Lanes({ sessions, project }: { sessions: readonly SessionRow[]; project: string }) {
  if (sessions.length === 0) return <p class="dim">No session has ended yet.</p>;
  const start = Math.min(...sessions.map((one) => Date.parse(one.started_at)));
  const end = Math.max(...sessions.map((one) => Date.parse(one.ended_at)));
  const place = (at: string): number => ((Date.parse(at) - start) / Math.max(1, end - start)) * 100;
  const nameOf = (one: SessionRow): string => (one.feature === null ? one.role.replace('mission/', '') : featureName(one.feature));
  const names = [...new Set(sessions.map(nameOf))].slice(0, MOST_LANES);
  return (
    <>
      <ul class="axis">
        {names.map((name) => (
          <li key={name}>
            <span class="axis-name">{name}</span>
            <span class="axis-track">
              {sessions
                .filter((one) => nameOf(one) === name)
                .map((one) => (
                  <a
                    key={one.session}
                    class={`axis-bar ${toneOfOutcome(one.outcome)}`}
                    href={linkTo(project, `session/${one.session}`)}
                    title={`Session ${one.session}, ${one.role}: ${outcomeWord(one.outcome)}`}
                    aria-label={`Session ${one.session}, ${one.role}: ${outcomeWord(one.outcome)}`}
                    style={{ left: `${place(one.started_at)}%`, width: `max(6px, ${place(one.ended_at) - place(one.started_at)}%)` }}
                  />
                ))}
            </span>
          </li>
        ))}
      </ul>
      <p class="axis-ends dim">
        <span>{localTime(start)}</span>
        <span>{localTime(end)}</span>
      </p>
    </>
  );
}
