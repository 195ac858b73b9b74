import { Badge, CommandLine, Empty, plural, Problem, Time, Waiting, type Tone } from '../parts/bits.tsx';
import { linkTo } from '../route.ts';
import { useView } from '../store.ts';
import type { ProjectCard } from '../../../reading/views.ts';

export function ProjectsPage() {
  const { value, error } = useView<ProjectCard[]>('projects');
  return (
    <>
      <h1>Projects</h1>
      <Problem text={error} />
      {value === null && error === null && <Waiting what="the projects" />}
      {value?.length === 0 && (
        <Empty title="No project yet">
          <FirstSteps />
        </Empty>
      )}
      <ul class="cards">
        {value?.toSorted(byUrgency).map((project) => (
          <li key={project.id} class="card">
            <h2>
              <a href={linkTo(project.id, project.questions > 0 && project.running === null ? 'questions' : 'now')} dir="auto">
                {project.name}
              </a>
            </h2>
            <p>
              <Badge tone={toneOf(project)}>{wordOf(project)}</Badge>
            </p>
            <p class="dim">
              {project.features !== null && `${project.features.passing} of ${plural(project.features.total, 'feature')} pass`}
              {project.last_event_at !== null && (
                <>
                  {project.features !== null && ' · '}
                  <Time at={project.last_event_at} prefix="last event " />
                </>
              )}
            </p>
            <p class="path" dir="auto">
              {project.root}
            </p>
            <Problem text={project.problem} />
          </li>
        ))}
      </ul>
    </>
  );
}

function byUrgency(one: ProjectCard, other: ProjectCard): number {
  return rank(other) - rank(one) || (other.last_event_at ?? '').localeCompare(one.last_event_at ?? '');
}

function rank({ running, questions }: ProjectCard): number {
  return (questions > 0 ? 2 : 0) + (running === null ? 0 : 1);
}

function toneOf({ running, questions }: ProjectCard): Tone {
  return questions > 0 ? 'warn' : running === null ? 'quiet' : 'busy';
}

function wordOf({ running, questions }: ProjectCard): string {
  const words = [
    ...(questions === 0 ? [] : [`${plural(questions, 'question')} ${questions === 1 ? 'waits' : 'wait'}`]),
    ...(running === null ? [] : ['running']),
  ];
  return words.length === 0 ? 'idle' : words.join(', ');
}

/** What a person who has no project yet does first. */
function FirstSteps() {
  return (
    <ol class="first-steps">
      <li>
        See it work on a bundled example: <CommandLine text="harness demo" />
      </li>
      <li>
        Set up your project: <CommandLine text="harness init" />
      </li>
      <li>
        Start the first session: <CommandLine text="harness run" />
      </li>
    </ol>
  );
}
