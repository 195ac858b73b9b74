/** What runs in each lane, and what a person can do about it. */
import { useState } from 'preact/hooks';
import type { NowView } from '../../../reading/views.ts';
import type { Lane } from '../../../reading/watch.ts';
import { Badge, CommandLine, count, Empty, featureName, Meter, money, Problem, Since, Time, Waiting, type Tone } from '../parts/bits.tsx';
import { Story } from '../parts/story.tsx';
import { linkTo } from '../route.ts';
import { post, readOnly, report } from '../source.ts';
import { lookNow, now } from '../store.ts';
import { stateOf } from '../state-words.ts';
import { SessionTable } from './sessions.tsx';

export function NowPage({ project }: { project: string }) {
  const view = now.value;
  if (view === null)
    return (
      <>
        <h1>Now</h1>
        <Waiting what="the project" />
      </>
    );
  const state = stateOf(view);
  const lanes = view.watch.lanes;
  return (
    <>
      <div class="head">
        <div>
          <h1>{headline(view)}</h1>
          <p class="lead" role="status">
            {state.text} {view.running !== null && <Running view={view} />}
          </p>
        </div>
        {!readOnly.value && <Wheel view={view} project={project} />}
      </div>
      {view.questions > 0 && (
        <p class="banner warn">
          <a href={linkTo(project, 'questions')}>
            {view.questions === 1 ? 'One question waits for you' : `${view.questions} questions wait for you`}
          </a>
        </p>
      )}
      {lanes.length > 0 && (
        <ul class="lanes">
          {lanes.map((lane) => (
            <LaneCard key={lane.session} lane={lane} view={view} project={project} />
          ))}
        </ul>
      )}
      {lanes.length === 0 && view.running === null && <Idle view={view} project={project} />}
      <Workers view={view} />
      {view.sessions.length > 0 && (
        <section>
          <h2>Latest sessions</h2>
          <SessionTable rows={view.sessions} project={project} />
          <p>
            <a href={linkTo(project, 'sessions')}>All sessions</a>
          </p>
        </section>
      )}
      {lanes.length === 0 && view.recent.length > 0 && report.value === null && (
        <details>
          <summary>Last events</summary>
          <Story steps={view.recent} />
        </details>
      )}
    </>
  );
}

function headline(view: NowView): string {
  const features = view.project?.features ?? null;
  if (features !== null && features.total > 0) return `${features.passing} of ${features.total} features pass`;
  if (view.mission !== null) {
    const passed = view.mission.features.filter(({ status }) => status === 'passed').length;
    return `Mission: ${passed} of ${view.mission.features.length} features passed`;
  }
  if (view.flow !== null) return view.flow.task ?? view.flow.skill;
  return view.watch.flow?.label ?? view.name;
}

function Running({ view }: { view: NowView }) {
  return (
    <span class="dim">
      <code>{view.running!.command}</code>, process {view.running!.pid}, started <Time at={view.running!.since} />.
    </span>
  );
}

function Idle({ view, project }: { view: NowView; project: string }) {
  const features = view.project?.features;
  if (view.questions > 0) return null;
  if (features !== undefined && features.total > 0 && features.passing === features.total)
    return (
      <Empty title="Everything on the list is verified">
        <p>Add the next feature:</p>
        <CommandLine text={'harness add-feature "What a user can do"'} />
      </Empty>
    );
  if (view.paused)
    return (
      <Empty title="The project is paused">
        <CommandLine text="harness resume" />
      </Empty>
    );
  return (
    <Empty title={view.sessions.length === 0 ? 'No session has run yet' : 'Nothing runs'}>
      <p>
        {view.project?.next_feature === null || view.project === null
          ? 'Start the next session:'
          : `Feature #${view.project.next_feature} is next:`}
      </p>
      <CommandLine text={view.mission !== null && view.project === null ? 'harness mission run' : 'harness run --until-done'} />
      {view.sessions.length > 0 && (
        <p>
          <a href={linkTo(project, 'night')}>What happened so far</a>
        </p>
      )}
    </Empty>
  );
}

const STAGES: Readonly<Record<Lane['stage'], string>> = {
  preparing: 'preparing',
  working: 'agent at work',
  verifying: 'verifying',
  waiting: 'waiting',
  asking: 'waiting for you',
};

function LaneCard({ lane, view, project }: { lane: Lane; view: NowView; project: string }) {
  const gone = view.running === null;
  const tone: Tone = gone ? 'bad' : lane.stage === 'waiting' || lane.stage === 'asking' ? 'warn' : 'busy';
  const title = titleOf(lane, view);
  return (
    <li class="card lane">
      <div class="lane-head">
        <h2>
          <a href={linkTo(project, `session/${lane.session}`)}>
            {lane.feature === null ? lane.role : featureName(lane.feature)}
            {title !== null && <span dir="auto"> {title}</span>}
          </a>
        </h2>
        <Badge tone={tone}>{gone ? 'process gone' : STAGES[lane.stage]}</Badge>
      </div>
      <p class="dim">
        Session {lane.session}
        {lane.lane !== null && `, ${lane.lane.replace('-', ' ')}`}, {lane.role}
        {lane.model !== '' && `, ${lane.model}`}
        {!gone && (
          <>
            , for <Since at={lane.started_at} />
          </>
        )}
      </p>
      <p class="doing" dir="auto">
        {lane.stage === 'waiting' && lane.until !== null ? (
          <Until until={lane.until} />
        ) : lane.stage === 'verifying' && lane.detail !== '' ? (
          lane.detail
        ) : lane.stage === 'asking' ? (
          <a href={linkTo(project, 'questions')}>It asks: {lane.detail}</a>
        ) : (
          lane.action || 'No action yet.'
        )}
      </p>
      <div class="meters">
        {lane.context_window > 0 && <Meter label="Context" value={lane.context_tokens} of={lane.context_window} format={count} />}
        {lane.cost_usd !== null && <Meter label="Money" value={lane.cost_usd} of={view.budgets?.per_session_usd ?? 0} format={money} />}
      </div>
      <p class="dim">
        <Time at={lane.last_at} prefix="last event " />
      </p>
      {!gone && !readOnly.value && <Say project={project} session={lane.session} />}
      <details open>
        <summary>Last steps</summary>
        <Story steps={lane.recent.slice(-6)} />
      </details>
    </li>
  );
}

/** A person's words to this session: delivered at its next safe boundary. */
function Say({ project, session }: { project: string; session: number }) {
  const [text, setText] = useState('');
  const [told, setTold] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const send = (event: Event): void => {
    event.preventDefault();
    if (text.trim() === '') return;
    setProblem(null);
    const kept = (): void => {
      setText('');
      setTold('Kept. The agent hears it at its next safe boundary.');
    };
    void post(`p/${project}/say`, { text, session }).then(kept, (error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <form class="say" onSubmit={send}>
      <input
        type="text"
        aria-label={`Say something to session ${session}`}
        placeholder="Say something to this agent"
        maxLength={2_000}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" disabled={text.trim() === ''}>
        Send
      </button>
      <p class="dim small" role="status">
        {told}
      </p>
      <Problem text={problem} />
    </form>
  );
}

function Until({ until }: { until: number }) {
  return <>Waits until {new Date(until).toTimeString().slice(0, 5)}, then goes on by itself.</>;
}

function titleOf(lane: Lane, view: NowView): string | null {
  const named = view.mission?.features.find(({ id }) => id === lane.feature);
  return named?.title ?? view.titles[String(lane.feature)] ?? null;
}

function Workers({ view }: { view: NowView }) {
  if (view.workers.length === 0) return null;
  return (
    <section>
      <h2>Workers</h2>
      <ul class="plain">
        {view.workers.map((row) => (
          <li key={row.task_id}>
            <strong>{row.task_id}</strong>{' '}
            <Badge tone={row.status === 'running' ? 'busy' : row.status === 'waiting' ? 'warn' : 'quiet'}>{row.status}</Badge>{' '}
            <span dir="auto">{row.task}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Pause, resume and stop: the same as the commands. */
function Wheel({ view, project }: { view: NowView; project: string }) {
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const act = (action: string): void => {
    setBusy(action);
    setProblem(null);
    void post(`p/${project}/${action}`, {})
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
      .then(lookNow)
      .finally(() => setBusy(null));
  };
  const held = view.running !== null;
  const pauses = view.paused || view.pausing;
  return (
    <div class="wheel">
      {held && !pauses && (
        <button type="button" disabled={busy !== null} onClick={() => act('pause')}>
          Pause
        </button>
      )}
      {pauses && (
        <button type="button" disabled={busy !== null} onClick={() => act('resume')}>
          Resume
        </button>
      )}
      {held && (
        <button
          type="button"
          class="danger"
          disabled={busy !== null}
          onClick={() => confirm('End the run? Its state is saved, and the next run continues.') && act('stop')}
        >
          {busy === 'stop' ? 'Stopping …' : 'Stop'}
        </button>
      )}
      <Problem text={problem} />
    </div>
  );
}
