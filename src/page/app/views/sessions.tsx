import { useState } from 'preact/hooks';
import type { MoneyView, SessionRow } from '../../../reading/views.ts';
import { duration } from '../../../reading/figures.ts';
import { Badge, CommandLine, Empty, featureName, money, outcomeWord, Problem, Time, toneOfOutcome, Waiting } from '../parts/bits.tsx';
import { linkTo } from '../route.ts';
import { useView } from '../store.ts';

const PAGE = 100;

export function SessionsPage({ project }: { project: string }) {
  const { value, error } = useView<MoneyView>(`p/${project}/money`);
  const [shown, setShown] = useState(PAGE);
  const [only, setOnly] = useState('all');
  const all = (value?.sessions ?? []).toReversed();
  const rows = all.filter(({ outcome }) => only === 'all' || outcomeWord(outcome) === only);
  const outcomes = [...new Set(all.map(({ outcome }) => outcomeWord(outcome)))];
  return (
    <>
      <h1>Sessions</h1>
      <Problem text={error} />
      {value === null && error === null && <Waiting what="the sessions" />}
      {value !== null && all.length === 0 && (
        <Empty title="No session has ended yet">
          <CommandLine text="harness run" />
        </Empty>
      )}
      {outcomes.length > 1 && (
        <div class="filters" role="group" aria-label="Show only">
          {['all', ...outcomes].map((name) => (
            <button key={name} type="button" aria-pressed={only === name} onClick={() => setOnly(name)}>
              {name} {name === 'all' ? all.length : all.filter(({ outcome }) => outcomeWord(outcome) === name).length}
            </button>
          ))}
        </div>
      )}
      <SessionTable rows={rows.slice(0, shown)} project={project} />
      {rows.length > shown && (
        <button type="button" onClick={() => setShown(shown + 5 * PAGE)}>
          Show more of {rows.length} sessions
        </button>
      )}
    </>
  );
}

export function SessionTable({ rows, project }: { rows: readonly SessionRow[]; project: string }) {
  if (rows.length === 0) return null;
  return (
    <ul class="rows">
      {rows.map((row) => (
        <li key={row.session}>
          <a href={linkTo(project, `session/${row.session}`)}>
            <span class="row-number">{row.session}</span>
            <Badge tone={toneOfOutcome(row.outcome)}>{outcomeWord(row.outcome)}</Badge>
            <span class="row-what" dir="auto">
              <strong>{row.feature === null ? row.role.replace(/^project\//, '') : featureName(row.feature)}</strong>{' '}
              {row.title !== null && `${row.title} `}
              <span class="dim">{row.message ?? row.reasons.join(', ')}</span>
            </span>
            <span class="row-figures">
              {money(row.cost_usd)} · {row.seconds < 1 ? '< 1 s' : duration(row.seconds * 1_000)}
            </span>
            <span class="row-time">
              <Time at={row.ended_at} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
