/** Tests of the examiner that agents never see. They are shown here and nowhere else. */
import type { HiddenView } from '../../../reading/views.ts';
import { Badge, Empty, featureName, Problem, Waiting } from '../parts/bits.tsx';
import { linkTo } from '../route.ts';
import { useView } from '../store.ts';

export function HiddenPage({ project }: { project: string }) {
  const { value, error } = useView<HiddenView>(`p/${project}/hidden`);
  return (
    <>
      <h1>Hidden tests</h1>
      <p class="lead dim">
        Written by the examiner from the description of a feature. Agents never see them; do not paste them where an agent reads.
      </p>
      <Problem text={error} />
      {value === null && error === null && <Waiting what="the hidden tests" />}
      {value !== null && value.reviewed !== null && <Reviewed reviewed={value.reviewed} project={project} />}
      {value?.tests.length === 0 && value.reviewed === null && (
        <Empty title="No hidden test is kept yet">
          <p>Those of a feature are kept once its commit has landed.</p>
        </Empty>
      )}
      {value?.tests.map((test) => (
        <details key={test.number} class="card">
          <summary dir="auto">
            <strong>{featureName(test.feature)}</strong> {test.behaviour}{' '}
            {test.released !== null && <Badge tone="quiet">released by a person</Badge>}
          </summary>
          <p class="dim" dir="auto">
            {test.description}, {test.path}
          </p>
          <pre class="body" tabIndex={0}>
            {test.code}
          </pre>
        </details>
      ))}
    </>
  );
}

/** Both sides of a review: each test, and what it said about the work. */
function Reviewed({ reviewed, project }: { reviewed: NonNullable<HiddenView['reviewed']>; project: string }) {
  return (
    <section>
      <h2 dir="auto">
        <a href={linkTo(project, `session/${reviewed.session}`)}>Session {reviewed.session}</a> waits for your review:{' '}
        {featureName(reviewed.feature)} {reviewed.description}
      </h2>
      {reviewed.tests.map((test, at) => (
        <details key={at} class="card" open={!test.passed}>
          <summary dir="auto">
            <Badge tone={test.passed ? 'good' : 'bad'}>{test.passed ? 'passes' : 'fails'}</Badge> {test.behaviour}
          </summary>
          {test.ruling !== null && (
            <p class="dim" dir="auto">
              The second call: {test.ruling.ruling}. {test.ruling.reason}
            </p>
          )}
          <pre class="body" tabIndex={0}>
            {test.code}
          </pre>
          {test.message !== null && !test.passed && (
            <pre class="body" tabIndex={0}>
              {test.message}
            </pre>
          )}
        </details>
      ))}
    </section>
  );
}
