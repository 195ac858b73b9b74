/** The list of features and what each waits for. */
import { useState } from 'preact/hooks';
import { duration, knownMoney } from '../../../reading/figures.ts';
import type { FeatureView } from '../../../reading/views.ts';
import { Attempts, Badge, CommandLine, Empty, featureName, plural, Problem, Waiting, type Tone } from '../parts/bits.tsx';
import { Graph } from '../parts/graph.tsx';
import { linkTo } from '../route.ts';
import { report } from '../source.ts';
import { useView } from '../store.ts';

const TONES: Readonly<Record<FeatureView['state'], Tone>> = {
  verified: 'good',
  'on trust': 'good',
  waiting: 'warn',
  'needs a person': 'warn',
  answered: 'quiet',
  'set aside': 'quiet',
  blocked: 'quiet',
  'under way': 'busy',
  refused: 'bad',
  open: 'quiet',
};
const ORDER: readonly FeatureView['state'][] = [
  'needs a person',
  'waiting',
  'under way',
  'refused',
  'blocked',
  'open',
  'answered',
  'set aside',
  'on trust',
  'verified',
];

export function toneOfFeature(state: FeatureView['state']): Tone {
  return TONES[state] ?? 'quiet';
}

const MOST_DRAWN = 120;

export function FeaturesPage({ project }: { project: string }) {
  const { value, error } = useView<FeatureView[]>(`p/${project}/features`);
  const [only, setOnly] = useState<string>('all');
  const rows = value ?? [];
  const done = rows.filter(({ state }) => state === 'verified' || state === 'on trust').length;
  const states = ORDER.filter((state) => rows.some((row) => row.state === state));
  const shown = rows.filter(({ state }) => only === 'all' || state === only);
  const hasEdges = rows.some(({ depends_on }) => depends_on.length > 0);
  return (
    <>
      <div class="head">
        <div>
          <h1>{rows.length === 0 ? 'Features' : `${done} of ${plural(rows.length, 'feature')} verified`}</h1>
          {rows.length > 0 && <p class="lead dim">{sentenceOf(rows)}</p>}
        </div>
        {report.value === null && (
          <a class="beside" href={linkTo(project, 'hidden')}>
            Hidden tests
          </a>
        )}
      </div>
      <Problem text={error} />
      {value === null && error === null && <Waiting what="the features" />}
      {value !== null && rows.length === 0 && (
        <Empty title="There is no feature list">
          <CommandLine text={'harness add-feature "What a user can do"'} />
        </Empty>
      )}
      {states.length > 1 && (
        <div class="filters" role="group" aria-label="Show only">
          {['all', ...states].map((name) => (
            <button key={name} type="button" aria-pressed={only === name} onClick={() => setOnly(name)}>
              {name} {name === 'all' ? rows.length : rows.filter(({ state }) => state === name).length}
            </button>
          ))}
        </div>
      )}
      <ul class="features">
        {shown.map((row) => (
          <Row key={row.id} row={row} project={project} />
        ))}
      </ul>
      {hasEdges && rows.length <= MOST_DRAWN && (
        <section>
          <h2>What depends on what</h2>
          <Graph
            label="Features and what each depends on"
            nodes={rows.map((row) => ({
              id: String(row.id),
              name: featureName(row.id),
              title: row.description,
              tone: toneOfFeature(row.state),
              link: row.session === null ? null : linkTo(project, `session/${row.session}`),
            }))}
            edges={rows.flatMap((row) => row.depends_on.map((other): [string, string] => [String(other), String(row.id)]))}
          />
        </section>
      )}
    </>
  );
}

function sentenceOf(rows: readonly FeatureView[]): string {
  const count = (...states: FeatureView['state'][]): number => rows.filter(({ state }) => states.includes(state)).length;
  const parts: [number, string][] = [
    [count('waiting', 'needs a person'), 'waiting for you'],
    [count('under way'), 'under way'],
    [count('refused'), 'refused last time'],
    [count('blocked'), 'blocked by others'],
    [count('open', 'answered'), 'open'],
    [count('set aside'), 'set aside'],
  ];
  const told = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return told.length === 0 ? 'Nothing is left to do.' : `${told.join(', ')}.`;
}

function Row({ row, project }: { row: FeatureView; project: string }) {
  return (
    <li id={`feature-${row.id}`}>
      <span class="row-number">{featureName(row.id)}</span>
      <Badge tone={toneOfFeature(row.state)}>{row.state}</Badge>
      <div class="feature-what">
        <p dir="auto">
          {row.session === null ? row.description : <a href={linkTo(project, `session/${row.session}`)}>{row.description}</a>}
        </p>
        {row.note !== '' && (
          <p class="dim" dir="auto">
            {row.note}
          </p>
        )}
        {row.question !== null && (
          <p>
            <a href={linkTo(project, `questions/${row.question}`)}>Answer its question</a>
          </p>
        )}
        <p class="dim small">
          {row.attempts > 0 && (
            <>
              {plural(row.attempts, 'session')}, {knownMoney(row)}
              {row.seconds > 0 && `, ${duration(row.seconds * 1_000)}`}
            </>
          )}
          {row.tests !== null &&
            ` · ${plural(row.tests.red_to_green, 'test')} failed before and ${row.tests.red_to_green === 1 ? 'passes' : 'pass'} now`}
          {row.commit !== null && (
            <>
              {' · '}
              <code>{row.commit.slice(0, 10)}</code>
            </>
          )}
        </p>
        {row.sessions.length > 1 && <Attempts sessions={row.sessions} project={project} />}
      </div>
    </li>
  );
}
