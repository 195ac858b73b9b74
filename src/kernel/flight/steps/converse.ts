/** One turn of the agent: the task, or what became of its last claim. Why it ended, and what it showed, is the result. */
import type { Flight } from '../../../domain/session.ts';
import { redacted, type Secret } from '../../../domain/secrets.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import { createEvidenceCollector } from '../../../verify/checks/evidence.ts';
import { doubtsFor, feedbackFor } from '../../../prompts/describe-verdict.ts';
import { endsBy } from '../../hours/run-hours.ts';
import type { TurnResult } from '../../../session/contract.ts';
import { collectReply } from '../../roles/reply.ts';
import { earsFor } from '../../say/hear.ts';
import { retireCheckpoints } from '../checkpoints.ts';
import type { Brief, Conversation, FlightPlace, LiveFlight } from '../contract.ts';
import { prepareVerdict } from '../judge-candidate.ts';
import type { FlightEvent } from '../machine.ts';
import { redactedEvent, secretsOf } from '../included-files.ts';
import { modelName, openProjectSession } from '../project-agent.ts';
import { keepScreenshots, watchSightings } from '../screenshots.ts';
import { inTreeTurn } from '../in-turn.ts';
import { readVerdict } from '../verdict-files.ts';
import { mustHave } from '../../../domain/must-have.ts';

export async function converse(place: FlightPlace, flight: Flight, brief: Brief): Promise<FlightEvent> {
  const live = place.live.get(flight.session);
  if (live === undefined) return { type: 'reopened' };
  const conversation = (live.conversation ??= await open(place, flight, brief, live));
  const { session, evidence } = conversation;
  conversation.reply = collectReply();
  const turning = turnsOf(conversation, await promptFor(place, flight, conversation.prompt));
  live.chores ??= besideTheAgent(place, brief, live);
  live.chores.catch(() => {});
  const turn = await turning;
  await live.chores;
  if (!session.canAnswer() || turn.stop !== null) {
    await session.close();
    await live.environment?.stop();
  }
  await keepScreenshots(place, { ...flight, workspace: mustHave(live.copy, 'a conversation has its copy').path }, conversation.sightings);
  await conversation.account.record(session, flight.session, flight.started_at, 'more');
  const reply = conversation.reply.text();
  const stop =
    turn.stop === null
      ? null
      : {
          reason: turn.stop.reason,
          message: turn.stop.message,
          retry_at: turn.stop.retryAt,
          never_started: turn.stop.neverStarted === true,
          died_at_once: turn.stop.diedAtOnce === true,
        };
  return {
    type: 'conversed',
    stop,
    evidence: evidence.result(),
    ...(flight.examined ? { said: reply.slice(0, LONGEST_WORDS) } : {}),
    ...(brief.reads === undefined ? {} : { word: brief.reads(reply) }),
  };
}

/** A turn, and another one for what a person said that the agent could not hear while it worked. */
async function turnsOf({ session, ears }: Conversation, prompt: string): Promise<TurnResult> {
  const before = await ears.forPrompt('session');
  let turn = await session.turn(before === null ? prompt : `${prompt}\n\n${before}`);
  while (turn.stop === null && session.canAnswer()) {
    const said = await ears.forPrompt('turn');
    if (said === null) break;
    turn = await session.turn(said);
  }
  return turn;
}

async function open(place: FlightPlace, flight: Flight, brief: Brief, live: LiveFlight): Promise<Conversation> {
  await place.journal?.flush();
  const testFiles = testFilesOf(brief.feature);
  const evidence = createEvidenceCollector(testFiles);
  const briefing = await brief.words({ startsFrom: live.startTree ?? brief.head.tree, sanity: live.sanity });
  const conversation: Pick<Conversation, 'reply' | 'sightings'> = { reply: collectReply(), sightings: watchSightings() };
  const copy = mustHave(live.copy, 'a conversation has its copy');
  const secrets = await secretsOf(place, copy.path);
  const ground = { ...place, emit: hearing(place, conversation, secrets) };
  const account = await place.books.account(flight.feature, flight.agent);
  const ears = earsFor(place, flight);
  await ears.forget(brief.completed);
  const session = await openProjectSession(
    ground,
    {
      session: flight.session,
      feature: flight.feature,
      testFiles,
      briefing,
      model: brief.model ?? modelName(place, briefing.modelRole),
      copy,
      evidence,
      budget: account.budget,
      signal: place.signal,
      lane: flight.lane,
      leavesAtLimit: flight.agent !== undefined,
      hearing: ears,
      endsBy: endsBy(place.hours, place.platform.clock.now()),
    },
    mustHave(live.agent, 'a conversation has its agent'),
  );
  account.join(session);
  return Object.assign(conversation, { session, account, evidence, ears, prompt: redacted(briefing.prompt, secrets) });
}

/** What need not be done before the agent starts, after a pause in which it does. */
async function besideTheAgent(place: FlightPlace, brief: Brief, live: LiveFlight): Promise<void> {
  live.spares ??= place.platform.clock.sleep(PAUSE_MS).then(() => prepareVerdict(place, brief.head.tree).catch(() => null));
  await live.spares;
  await inTreeTurn(place, () => retireCheckpoints(place, brief.completed));
}

const PAUSE_MS = 10;

/** Everything that is told, heard by whoever listens to the turn. */
function hearing(
  { emit }: FlightPlace,
  conversation: Pick<Conversation, 'reply' | 'sightings'>,
  secrets: readonly Secret[],
): FlightPlace['emit'] {
  return (event) => {
    conversation.reply.see(event);
    conversation.sightings.see(event);
    emit(redactedEvent(event, secrets));
  };
}

const LONGEST_WORDS = 2_000;

/** The conversation that is open has had its task already when a claim of it was refused. */
async function promptFor(place: FlightPlace, flight: Flight, first: string): Promise<string> {
  const verdict = flight.refused === null ? null : await readVerdict(place, flight.refused.verdict);
  if (verdict === null) return first;
  const text = verdict.decision === 'needs_human' ? doubtsFor(verdict) : feedbackFor(verdict);
  place.emit({ type: 'session.inject', session: flight.session, text, delivered: true });
  return text;
}
