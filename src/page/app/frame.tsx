/** The frame: which project, which view, whether anything runs, and the keys. */
import { useEffect, useRef } from 'preact/hooks';
import { Time } from './parts/bits.tsx';
import { Keys, listenForKeys } from './keys.tsx';
import { linkTo, route, TITLES, VIEWS, type ViewName } from './route.ts';
import { reachable, report } from './source.ts';
import { followProject, now, nowError } from './store.ts';
import { stateOf } from './state-words.ts';
import { FeaturesPage } from './views/features.tsx';
import { HiddenPage } from './views/hidden.tsx';
import { MissionPage } from './views/mission.tsx';
import { MoneyPage } from './views/money.tsx';
import { NightPage } from './views/night.tsx';
import { NowPage } from './views/now.tsx';
import { ProjectsPage } from './views/projects.tsx';
import { QuestionsPage } from './views/questions.tsx';
import { SessionPage } from './views/session.tsx';
import { SessionsPage } from './views/sessions.tsx';

export function Frame() {
  const { project, view } = route.value;
  useEffect(() => (project === null ? undefined : followProject(project)), [project]);
  useEffect(listenForKeys, []);
  const main = useRef<HTMLElement>(null);
  const title = view === 'session' ? `Session ${route.value.subject ?? ''}` : view === 'hidden' ? 'Hidden tests' : TITLES[view];
  const name = now.value?.name ?? 'harness';
  const place = `${project ?? ''} ${view} ${route.value.subject ?? ''}`;
  const before = useRef(place);
  useEffect(() => {
    document.title = project === null ? 'harness' : `${title} · ${name}`;
  }, [title, name, project]);
  useEffect(() => {
    // A reader of screens is taken to the new view, as with a page that was loaded.
    if (before.current !== place) main.current?.focus({ preventScroll: true });
    if (before.current !== place) scrollTo(0, 0);
    before.current = place;
  }, [place]);
  return (
    <div class={project === null ? 'frame single' : 'frame'}>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <header class="top">
        <div class="top-inner">
          <Switcher />
          {project !== null && <Views project={project} view={view} />}
          <footer class="foot">
            <button type="button" class="quiet-button" onClick={() => document.querySelector<HTMLDialogElement>('#keys')?.showModal()}>
              Keys <kbd>?</kbd>
            </button>
          </footer>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {!reachable.value && (
          <p class="banner bad" role="alert">
            The page’s server does not answer. What you see is from before. It goes on by itself once <code>harness ui</code> runs again.
          </p>
        )}
        {project === null ? <ProjectsPage /> : <View view={view} project={project} subject={route.value.subject} />}
      </main>
      <Keys />
    </div>
  );
}

function View({ view, project, subject }: { view: ViewName | 'session' | 'hidden'; project: string; subject: string | null }) {
  if (nowError.value !== null && now.value === null)
    return (
      <>
        <h1>{TITLES.now}</h1>
        <p class="problem" role="alert">
          {nowError.value}
        </p>
        <p>
          <a href="#/">All projects</a>
        </p>
      </>
    );
  switch (view) {
    case 'now':
      return <NowPage project={project} />;
    case 'questions':
      return <QuestionsPage project={project} subject={subject} />;
    case 'night':
      return <NightPage project={project} />;
    case 'sessions':
      return <SessionsPage project={project} />;
    case 'session':
      return <SessionPage project={project} number={Number(subject)} />;
    case 'features':
      return <FeaturesPage project={project} />;
    case 'money':
      return <MoneyPage project={project} />;
    case 'mission':
      return <MissionPage project={project} />;
    case 'hidden':
      return <HiddenPage project={project} />;
  }
}

function Switcher() {
  const view = now.value;
  const { project } = route.value;
  if (project === null || view === null) return <p class="brand">harness</p>;
  const state = stateOf(view);
  return (
    <div class="switcher">
      {report.value === null ? (
        <a class="brand" href="#/" title="All projects">
          harness
        </a>
      ) : (
        <p class="brand">harness report</p>
      )}
      <p class="project-name" dir="auto">
        {view.name}
      </p>
      <p class={`state ${state.tone}`}>
        <span class="mark" aria-hidden="true" />
        {state.word}
      </p>
      {report.value === null && view.last_event_at !== null && (
        <p class="dim small">
          <Time at={view.last_event_at} prefix="last event " />
        </p>
      )}
      {report.value !== null && (
        <p class="dim">
          made <Time at={report.value.made_at} />
        </p>
      )}
    </div>
  );
}

function Views({ project, view }: { project: string; view: string }) {
  const questions = now.value?.questions ?? 0;
  const shown = VIEWS.filter((name) => name !== 'mission' || now.value?.mission !== null);
  return (
    <nav class="views" aria-label="Views">
      {shown.map((name) => {
        const current = name === view || (name === 'sessions' && view === 'session') || (name === 'features' && view === 'hidden');
        return (
          <a key={name} href={linkTo(project, name)} aria-current={current ? 'page' : undefined}>
            {name === 'money' ? 'Money' : TITLES[name]}
            {name === 'questions' && questions > 0 && <span class="count">{questions}</span>}
          </a>
        );
      })}
    </nav>
  );
}
