/**
 * One watched session of a role, from its copy to its record.
 *
 * 1. Copy, sandbox, environment, limits and budget are those of every session. Sessions in different lanes may run at the same time.
 * 2. It is written down when it begins; its record, its end and its cost once, when it is settled, whatever ended it.
 */
import { dirname } from 'node:path';
import type { ToolPolicy } from '../../agents/contract.ts';
import { workingModel } from '../../agents/registry.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import type { Capture } from '../../domain/tree.ts';
import type { Session, Stop } from '../../session/contract.ts';
import type { RunningSession } from '../../store/costs.ts';
import type { AgentCopy } from '../../workspace/agent-copy.ts';
import type { Account } from '../books/books.ts';
import { tellRoleEnd, type RoleEnd } from '../books/role-record.ts';
import type { Spent } from '../books/spent.ts';
import { makeAgentPlace } from '../flight/agent-place.ts';
import { captureAgentWork, openAgentSession } from '../flight/agent-session.ts';
import type { Head } from '../flight/contract.ts';
import { prepareCopy } from '../flight/copies.ts';
import type { Place } from '../place.ts';
import { wordsIn } from '../../domain/words.ts';
import { collectReply } from './reply.ts';
import { outputPath, takeOutput, type TakenOutput } from './take-output.ts';

export interface RoleBrief {
  /** `<flow>/<role>` */
  role: string;
  system: string;
  /** As the settings or the user name it; `recorded`: as the record names it. */
  model: string;
  recorded?: string;
  /** The commit below its copy, and the tree that its work is compared with. */
  head: Head;
  /** What the copy holds when it starts, where that is another tree. */
  start?: string;
  /** Copy of its own; null: the one of sessions that work alone. */
  lane: string | null;
  /** Name of the file that it has to write. */
  output: string | null;
  tools: ToolPolicy & { mcp: boolean };
  number: number;
  account: Account;
  /** In which the user is spoken to; null: as sessions of the project do. */
  language: string | null;
  /** Whose budget it is paid from; absent: only the place's. */
  feature?: number;
  testFiles?: readonly string[];
  /** The user's directory is out of its sight. */
  isBlind?: true;
  /** What it says and does is no event. */
  isSecret?: true;
  effort?: string | null;
  alone?: true;
}

export interface RoleSession {
  turn(prompt: string): Promise<{ stop: Stop | null }>;
  canAnswer(): boolean;
  /** No process of it lives on. */
  close(): Promise<void>;
  /** What it said after its last tool call. */
  reply(): string;
  spent(): Spent;
  /** Its files as they stand now. */
  capture(): Promise<Capture>;
  /** The file that it had to write. */
  taken(): Promise<TakenOutput>;
  /** Closes it, and writes down how it ended. */
  settle(end: Omit<RoleEnd, keyof Spent>): Promise<void>;
}

export async function openRoleSession(place: Place, brief: RoleBrief): Promise<RoleSession> {
  const { number, output, head } = brief;
  const copy = await prepareCopy(place, head, { tree: brief.start ?? head.tree, lane: brief.lane });
  const file = output === null ? null : outputPath(copy.path, output);
  if (file !== null) await place.platform.files.mkdir(dirname(file));
  const reply = collectReply();
  const hears: Place = {
    ...place,
    emit: (event) => {
      reply.see(event);
      if (brief.isSecret !== true || !SECRET_EVENTS.has(event.type)) place.emit(inWordsOf(brief.language, event));
    },
  };
  const running: RunningSession = {
    session_id: number,
    role: brief.role,
    started: place.now(),
    model: workingModel(place.config.agent.backend, brief.recorded ?? brief.model),
    ...(brief.feature === undefined ? {} : { feature_id: brief.feature }),
  };
  const session = await openAgent(hears, brief, copy, file);
  await brief.account.begin(session, running);
  return {
    turn: session.turn,
    canAnswer: session.canAnswer,
    close: session.close,
    reply: reply.text,
    spent: () => session.totals(),
    capture: () => captureAgentWork(place, copy, { session: number, baseTree: brief.head.tree }),
    taken: async () => (output === null ? NOTHING_TAKEN : await takeOutput(place.platform, copy.path, output)),
    settle: async (end) => {
      await session.close();
      const { usage, cost_usd } = session.totals();
      await tellRoleEnd(place, running, { usage, cost_usd, ...end });
      await brief.account.record(session, number, running.started);
    },
  };
}

const SECRET_EVENTS: ReadonlySet<HarnessEvent['type']> = new Set(['agent.text', 'agent.tool', 'agent.result', 'agent.action']);

const NOTHING_TAKEN: TakenOutput = { output: null, refused: null };

async function openAgent(place: Place, brief: RoleBrief, copy: AgentCopy, outputFile: string | null): Promise<Session> {
  const { role, system, model, tools, lane, account } = brief;
  const surroundings = await makeAgentPlace(place, copy, { deniedPaths: tools.filesystem.denied_paths, isBlind: brief.isBlind === true });
  return await openAgentSession(
    place,
    {
      session: brief.number,
      feature: brief.feature ?? null,
      testFiles: brief.testFiles ?? [],
      outputFile,
      role,
      system,
      model,
      workspace: copy.path,
      tools,
      lane,
      budget: account.budget,
      heard: () => {},
      signal: place.signal,
      ...(brief.effort === undefined ? {} : { effort: brief.effort }),
      ...(brief.alone === undefined ? {} : { alone: brief.alone }),
    },
    surroundings,
  );
}

/** What every session may have to say, in the user's language. */
function inWordsOf(language: string | null, event: HarnessEvent): HarnessEvent {
  return language !== null && event.type === 'warning' && event.code === 'cost.unknown'
    ? { ...event, message: wordsIn(language).common.warnings.costUnknown }
    : event;
}
