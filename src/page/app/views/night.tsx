/** What happened since a person left, and the one thing to do next. */
import { useEffect, useState } from 'preact/hooks';
import type { NightView } from '../../../reading/views.ts';
import { CommandLine, Empty, Problem, Time, Waiting } from '../parts/bits.tsx';
import { linkTo } from '../route.ts';
import { report } from '../source.ts';
import { useView } from '../store.ts';

const SPANS: readonly [string, number | null][] = [
  ['12 hours', 12],
  ['24 hours', 24],
  ['7 days', 168],
  ['everything', null],
];
const HOUR = 3_600_000;

/** When this person was here last, before now. */
function lastVisit(project: string): string | null {
  try {
    return localStorage.getItem(`harness-seen-${project}`);
  } catch {
    return null;
  }
}

export function NightPage({ project }: { project: string }) {
  const [visit] = useState(() => lastVisit(project));
  const [span, setSpan] = useState(visit === null ? 'everything' : 'last visit');
  useEffect(() => {
    const timer = setTimeout(() => {
      if (report.peek() === null) localStorage.setItem(`harness-seen-${project}`, new Date().toISOString());
    }, 5_000);
    return () => clearTimeout(timer);
  }, [project]);
  const [opened] = useState(Date.now);
  const hours = SPANS.find(([name]) => name === span)?.[1] ?? null;
  const since = span === 'last visit' ? visit : hours === null ? null : new Date(opened - hours * HOUR).toISOString();
  const { value, error } = useView<NightView>(`p/${project}/night${since === null ? '' : `?since=${encodeURIComponent(since)}`}`);
  const choices = [...(visit === null ? [] : ['last visit']), ...SPANS.map(([name]) => name)];
  return (
    <>
      <div class="head">
        <h1>{report.value === null ? 'Since you left' : 'What happened'}</h1>
        {report.value === null && (
          <div class="filters" role="group" aria-label="Since">
            {choices.map((name) => (
              <button key={name} type="button" aria-pressed={span === name} onClick={() => setSpan(name)}>
                {name}
              </button>
            ))}
          </div>
        )}
      </div>
      <Problem text={error} />
      {value === null && error === null && <Waiting what="the night" />}
      {value !== null && <Told night={value} project={project} />}
    </>
  );
}

function Told({ night, project }: { night: NightView; project: string }) {
  const main = night.project ?? night.mission;
  return (
    <>
      <section class="next" aria-label="Next">
        <p class="next-label">Next</p>
        <p class="next-text" dir="auto">
          <a href={linkTo(project, night.next.view)}>{night.next.text}</a>
        </p>
        {night.next.command !== null && night.next.view !== 'questions' && <CommandLine text={night.next.command} />}
      </section>
      {main !== null && main.since !== null && main.until !== null && main.sessions > 0 && (
        <p class="dim">
          From <Time at={main.since} /> to <Time at={main.until} />.
        </p>
      )}
      {night.lines.length === 0 ? (
        <Empty title="No session ended in this time" />
      ) : (
        <ol class="night">
          {night.lines.map((line, at) => (
            <li key={at} class={line.kind}>
              <span class="night-kind">{KINDS[line.kind]}</span>
              <span class="night-text" dir="auto">
                {line.view === null ? line.text : <a href={linkTo(project, line.view)}>{line.text}</a>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

const KINDS = {
  done: 'verified',
  refused: 'refused',
  waits: 'needs you',
  answered: 'answered',
  aside: 'set aside',
  money: 'spent',
  info: 'in all',
} as const;
