/** Every question that waits, answered here or anywhere, once. */
import { useEffect, useState } from 'preact/hooks';
import { knownMoney } from '../../../reading/figures.ts';
import type { QuestionView, SessionView } from '../../../reading/views.ts';
import { CommandLine, Empty, featureName, plural, Problem, Time, Waiting } from '../parts/bits.tsx';
import { Diff } from '../parts/diff.tsx';
import { linkTo } from '../route.ts';
import { post, readOnly, Refused } from '../source.ts';
import { lookNow, now, refresh, useView } from '../store.ts';

export function QuestionsPage({ project, subject }: { project: string; subject: string | null }) {
  const path = `p/${project}/questions`;
  const { value, error } = useView<QuestionView[]>(path);
  const [done, setDone] = useState<readonly string[]>([]);
  const answered = (line: string): void => {
    setDone([...done, line]);
    void refresh(path);
    void lookNow();
  };
  return (
    <>
      <h1>
        {value === null || value.length === 0 ? 'Questions' : value.length === 1 ? 'One question waits' : `${value.length} questions wait`}
      </h1>
      <Problem text={error} />
      {value === null && error === null && <Waiting what="the questions" />}
      <div role="status">
        {done.map((line, at) => (
          <p key={at} class="banner good">
            {line}
          </p>
        ))}
      </div>
      {value?.length === 0 && (
        <Empty title="Nothing waits for you">
          <p>When a run needs a decision, it appears here and in the terminal. Answer it in either place.</p>
          {done.length > 0 && (now.value?.running ?? null) !== null && <p>The run goes on with your answer by itself.</p>}
          {done.length > 0 && now.value?.running === null && (
            <p>
              Nothing runs now. To go on:{' '}
              <CommandLine text={now.value.project === null ? 'harness mission run' : 'harness run --until-done'} />
            </p>
          )}
        </Empty>
      )}
      {value?.map((question) => (
        <Question
          key={`${question.id} ${question.asked_at}`}
          question={question}
          project={project}
          marked={question.id === subject}
          onAnswer={answered}
        />
      ))}
    </>
  );
}

interface QuestionProps {
  question: QuestionView;
  project: string;
  marked: boolean;
  onAnswer: (line: string) => void;
}

function Question({ question, project, marked, onAnswer }: QuestionProps) {
  const options = question.options.toSorted((one, other) => Number(other.recommended) - Number(one.recommended));
  const [option, setOption] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = question.id.replace(/[^a-z0-9]+/g, '-');
  useEffect(() => {
    if (marked) document.getElementById(`q-${id}`)?.scrollIntoView();
  }, [marked, id]);
  const chosen = options.find(({ label }) => label === option) ?? null;
  const wordsAlone = question.words !== false;
  const needsWords = (chosen?.asks ?? []).length > 0 && chosen?.words_optional !== true;
  const ready = chosen === null ? wordsAlone && text.trim() !== '' : !needsWords || text.trim() !== '';
  const subject = question.feature === null ? question.header : `${featureName(question.feature)}, ${question.header}`;
  const send = (event: Event): void => {
    event.preventDefault();
    if (!ready || busy) return;
    setBusy(true);
    setProblem(null);
    const answer = { option, text: text.trim() === '' ? null : text.trim(), asked_at: question.asked_at };
    void post(`p/${project}/answers/${encodeURIComponent(question.id)}`, answer)
      .then(() => onAnswer(`Your answer is recorded: ${option ?? text.trim()} (${subject})`))
      .catch((error: unknown) => {
        const won = error instanceof Refused && error.status === 409 ? winner(error.body) : null;
        if (won !== null) onAnswer(`It was answered meanwhile: ${won}. That answer counts.`);
        else setProblem(error instanceof Error ? error.message : String(error));
      })
      .finally(() => setBusy(false));
  };
  return (
    <form id={`q-${id}`} class={marked ? 'card question marked' : 'card question'} onSubmit={send} aria-labelledby={`t-${id}`}>
      <p class="dim">
        {question.header} · asked <Time at={question.asked_at} />
      </p>
      <h2 id={`t-${id}`} class="asked" dir="auto">
        {question.question}
      </h2>
      {question.feature !== null && (
        <p class="dim" dir="auto">
          {featureName(question.feature)} {question.title ?? ''}
          {question.spent !== null && ` · ${plural(question.spent.sessions, 'session')}, ${knownMoney(question.spent)} so far`}
        </p>
      )}
      {question.id.startsWith('mission.') && (
        <p>
          <a href={linkTo(project, 'mission')}>The plan, and every attempt</a>
        </p>
      )}
      {question.context.length > 0 && <Facts facts={question.context} />}
      {question.refused !== null && (
        <>
          <p>Why session {question.refused.session} was refused:</p>
          <Facts facts={question.refused.words} label="Why it was refused" />
        </>
      )}
      {question.session !== null && <About project={project} session={question.session} />}
      <fieldset disabled={readOnly.value || busy}>
        <legend class="hidden">Options</legend>
        {options.map((one) => (
          <label key={one.label} class={option === one.label ? 'option chosen' : 'option'}>
            <input type="radio" name={id} checked={option === one.label} onChange={() => setOption(one.label)} />
            <span>
              <span class="option-label">
                {one.shown ?? one.label}
                {one.recommended && <span class="tag">recommended</span>}
              </span>
              <span class="option-more">{one.description}</span>
            </span>
          </label>
        ))}
        {(chosen?.asks ?? []).map((ask, at) => (
          <p key={at} class="ask">
            {(chosen?.asks ?? []).length > 1 ? `${at + 1}. ` : ''}
            {ask}
          </p>
        ))}
        {(wordsAlone || chosen !== null) && (
          <label class="words">
            <span>
              {needsWords ? 'Your words' : chosen !== null ? 'A comment (optional)' : 'Or answer in your own words'}
              {chosen === null && typeof question.words === 'string' && <span class="dim"> {question.words}</span>}
            </span>
            <textarea rows={chosen !== null && needsWords ? 4 : 2} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
        )}
        {!readOnly.value && (
          <p class="send">
            <button type="submit" class="primary" disabled={!ready || busy}>
              {busy ? 'Sending …' : option === null ? 'Answer' : `Answer: ${chosen?.shown ?? option}`}
            </button>
          </p>
        )}
      </fieldset>
      <Problem text={problem} />
      {readOnly.value && <CommandLine text={`harness answer ${question.id} OPTION`} />}
    </form>
  );
}

function winner(body: unknown): string | null {
  const answer = (body as { answer?: { option: string | null; text: string | null } | null } | null)?.answer ?? null;
  return answer === null ? null : (answer.option ?? answer.text ?? 'in words');
}

/** Facts, with the lines of a difference coloured. */
function Facts({ facts, label = 'Facts' }: { facts: readonly string[]; label?: string }) {
  const lines = facts.flatMap((fact) => fact.split('\n'));
  return (
    <pre class="facts" tabIndex={0} aria-label={label}>
      {lines.map((line, at) => (
        <span key={at} class={line.startsWith('+') ? 'plus' : line.startsWith('-') ? 'minus' : ''}>
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

function About({ project, session }: { project: string; session: number }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The change it is about (session {session})</summary>
      {open && <Change project={project} session={session} />}
      <p>
        <a href={linkTo(project, `session/${session}`)}>The whole session</a>
      </p>
    </details>
  );
}

function Change({ project, session }: { project: string; session: number }) {
  const { value, error } = useView<SessionView>(`p/${project}/sessions/${session}`);
  if (value === null) return error === null ? <Waiting what="the change" /> : <Problem text={error} />;
  return value.patch === null ? <p class="dim">The change is no longer kept.</p> : <Diff patch={value.patch} />;
}
