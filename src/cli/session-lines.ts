/** One session as lines for a terminal: what was asked, done, judged, and the change. Pure; the same view as the page's. */
import { cleanLine } from '../domain/clean-text.ts';
import { counted } from '../domain/counted.ts';
import { featureLabel } from '../domain/feature-name.ts';
import { dollars, duration, localTime, tokens } from '../reading/figures.ts';
import type { SessionView, StoryStep } from '../reading/views.ts';
import type { Paint } from './paint.ts';

const MARKS = { passed: '✓', failed: '✗', skipped: '-', warned: '!' } as const;
const SHOWN_OUTPUT = 12;

export function sessionLines(view: SessionView, paint: Paint): string[] {
  return [
    ...head(view, paint),
    ...part('Verdict', view.words, paint),
    ...part('Checks', checkLines(view, paint), paint),
    ...part('What happened', storyLines(view, paint), paint),
    ...part('Changes', changeLines(view, paint), paint),
  ];
}

function part(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : ['', paint.strong(title), ...lines.map((line) => `  ${line}`.trimEnd())];
}

function head({ session, feature, title, record, prompt, question }: SessionView, paint: Paint): string[] {
  const about = feature === null ? '' : `, feature ${featureLabel(feature)}${title === null ? '' : `: ${cleanLine(title)}`}`;
  if (record === null) return [paint.strong(`Session ${session}${about}`), `${prompt}, still under way`];
  const facts = [
    record.role,
    record.model === '' ? record.backend : `${record.backend}, ${record.model}`,
    localTime(Date.parse(record.started_at)),
    duration(record.seconds * 1_000),
    dollars(record.cost_usd),
    `${tokens(record.tokens.input + record.tokens.cached)} tokens in, ${tokens(record.tokens.output)} out`,
  ];
  const tone = record.outcome === 'verified' ? paint.good : record.outcome === 'rejected' ? paint.bad : paint.warn;
  return [
    paint.strong(`Session ${session}${about}`),
    `${tone(record.outcome)}${record.reasons.length === 0 ? '' : `: ${record.reasons.join(', ')}`}${record.commit === null ? '' : `, commit ${record.commit.slice(0, 10)}`}`,
    paint.dim(facts.join(' · ')),
    ...(question === null ? [] : [paint.warn(`A question waits: harness answer ${question} OPTION`)]),
  ];
}

function checkLines({ verdict }: SessionView, paint: Paint): string[] {
  const colours = { passed: paint.good, failed: paint.bad, skipped: paint.dim, warned: paint.warn };
  return (verdict?.checks ?? []).map(
    (check) => `${colours[check.state](MARKS[check.state])} ${(check.title ?? check.name).padEnd(18)} ${cleanLine(check.detail)}`,
  );
}

function storyLines({ story, said_kept, record, left_out }: SessionView, paint: Paint): string[] {
  return [
    ...story.flatMap((step) => stepLines(step, paint)),
    ...(left_out === 0 ? [] : [paint.dim(`${counted(left_out, 'step')} in the middle ${left_out === 1 ? 'is' : 'are'} left out.`)]),
    ...(said_kept || record === null ? [] : [paint.dim('What the agent said is no longer kept, beyond a sample.')]),
  ];
}

function stepLines({ at, kind, text, state, body }: StoryStep, paint: Paint): string[] {
  const colour =
    state === 'good' ? paint.good : state === 'bad' ? paint.bad : state === 'warn' ? paint.warn : (line: string): string => line;
  const time = new Date(at).toTimeString().slice(0, 8);
  const isOutput = kind === 'result' && body !== undefined;
  const lines = isOutput ? body.trimEnd().split('\n') : [];
  const more = lines.length - SHOWN_OUTPUT;
  return [
    `${paint.dim(time)} ${SIGNS[kind] ?? ' '} ${colour(text)}`,
    ...lines.slice(1, SHOWN_OUTPUT).map((line) => paint.dim(`           ${line}`)),
    ...(more > 0 ? [paint.dim(`           … ${counted(more, 'more line')}`)] : []),
  ];
}

const SIGNS: Readonly<Partial<Record<StoryStep['kind'], string>>> = { say: '│', tool: '›', told: '→', ask: '?', commit: '●' };

function changeLines({ patch, landed, record }: SessionView, paint: Paint): string[] {
  if (patch === null) return [record === null ? 'Shown when the session has ended.' : 'No longer kept.'];
  const coloured = patch
    .trimEnd()
    .split('\n')
    .map((line) =>
      line.startsWith('+')
        ? paint.good(line)
        : line.startsWith('-')
          ? paint.bad(line)
          : /^(?:@@|diff )/.test(line)
            ? paint.dim(line)
            : line,
    );
  return [landed ? 'On the branch.' : 'Not on the branch.', ...(patch === '' ? ['It changed nothing.'] : coloured)];
}
