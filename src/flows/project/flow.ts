/** The project flow: its machine, and the one place where its steps are performed. */
import type { Flight } from '../../domain/session.ts';
import { drive, type Driven } from '../../kernel/drive.ts';
import type { Brief } from '../../kernel/flight/contract.ts';
import type { FlightEvent, FlightStep } from '../../kernel/flight/machine.ts';
import { capture, salvage } from '../../kernel/flight/steps/capture.ts';
import { commit } from '../../kernel/flight/steps/commit.ts';
import { converse } from '../../kernel/flight/steps/converse.ts';
import { judge } from '../../kernel/flight/steps/judge.ts';
import { land } from '../../kernel/flight/steps/land.ts';
import { move } from '../../kernel/flight/steps/move.ts';
import { prepare } from '../../kernel/flight/steps/prepare.ts';
import { push } from '../../kernel/flight/steps/push.ts';
import type { Flow } from '../../kernel/flow.ts';
import { flightPlace } from '../../kernel/fallback/flight-agent.ts';
import { briefAtBase, briefAtHead } from './brief.ts';
import { flightOf, focused } from './machine/lanes.ts';
import type { OwnStep, ProjectStep, Running, RunEvent } from './machine/running.ts';
import { advance, due, resting } from './machine/run.ts';
import type { Project } from './project.ts';
import type { RunReport } from './machine/run-report.ts';
import { askAboutCandidate, askAboutEscalation, askAboutExhaustion, offerMore } from './steps/ask.ts';
import type { ProjectProgress } from './steps/contract.ts';
import { finish } from './steps/finish.ts';
import { guard } from './steps/unattended.ts';
import { look } from './steps/look.ts';
import { restore } from './steps/restore.ts';
import { settle } from './steps/settle.ts';
import { takeUp } from './steps/take-up.ts';
import { talk } from './steps/talk.ts';
import { wait } from './steps/hours.ts';
import { tell } from './tell.ts';
import { mustHave } from '../../domain/must-have.ts';

/** Brings what is under way to its end, and then as many sessions as the run asks for. */
export async function driveProject(project: Project, begin: Running, { opens } = { opens: false }): Promise<Driven<Running, RunReport>> {
  let written = begin.project;
  return await drive(
    projectFlow(project),
    project,
    {
      opens,
      write: async ({ project: document }) => {
        if (document !== written) {
          await project.home.publish?.();
          await project.documents.write('state', document);
        }
        written = document;
      },
      told: (event, after, before) => tell(project, event, after, before),
      between: (state) => takeUp(project, state),
    },
    begin,
  );
}

function projectFlow({ rules, now }: Project): Flow<Running, RunEvent, ProjectStep, RunReport, Project> {
  return {
    due,
    resting,
    reopened: { type: 'reopened' },
    transition: (state, event) => advance(state, event, rules, now()),
    perform: async (project, step, state) => {
      const own = OWN[step.name as OwnStep];
      if (own !== undefined) return await own(project, state);
      const focus = { ...state, project: focused(state.project, mustHave(step.session, 'a step of a flight names its session')) };
      const flight = flightOf(focus.project);
      const brief = await briefAtBase(project, focus.project, flight);
      const event = await FLIGHT[step.name as FlightStep](flightPlace(project, flight), flight, brief, focus);
      return { event: { type: 'flown', session: flight.session, event } };
    },
  };
}

const OWN: Readonly<Record<OwnStep, (project: Project, state: Running) => Promise<ProjectProgress>>> = {
  restore,
  look,
  guard,
  talk,
  wait,
  finish,
  'offer more': offerMore,
  'ask about candidate': askAboutCandidate,
  'ask about escalation': askAboutEscalation,
  'ask about exhaustion': askAboutExhaustion,
};

type FlightWork = (project: Project, flight: Flight, brief: Brief, state: Running) => Promise<RunEvent | FlightEvent>;

const FLIGHT: Readonly<Record<FlightStep, FlightWork>> = {
  prepare,
  converse,
  salvage,
  capture,
  judge,
  commit,
  land,
  push,
  move: async (project, flight, brief, { project: document }) => move(project, flight, brief, await briefAtHead(project, document, flight)),
  settle,
};
