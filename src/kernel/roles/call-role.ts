/**
 * Calls a role: one watched session in a copy of its own.
 *
 * 1. Copy, sandbox, environment, limits and budget are those of every session. Calls in different lanes may run at the same time; what they
 *    write about themselves (number, costs) is written in turn.
 * 2. The role's file lies at `.harness/output/<name>` in its copy, which no capture takes; the harness takes it after the last process is gone.
 * 3. A session is written down when it begins; its record, its end and its cost once, when it ends, whatever ended it.
 */
import { dirname, join } from 'node:path';
import type { Outcome } from '../../domain/reasons.ts';
import { isoNow } from '../../platform/platform.ts';
import { loadRole } from '../../prompts/load-role.ts';
import { OUTPUT_NAME, renderPrompt, type Role } from '../../prompts/role.ts';
import { exhausted } from '../../session/budget-monitor.ts';
import type { Stop } from '../../session/contract.ts';
import type { RunningSession } from '../../store/costs.ts';
import { prepareWorkspace, type AgentCopy } from '../../workspace/agent-copy.ts';
import { pinTree } from '../../workspace/capture.ts';
import { readHead } from '../../workspace/home.ts';
import { makeAgentPlace } from '../flight/agent-place.ts';
import { captureAgentWork, openAgentSession, requirePrice } from '../flight/agent-session.ts';
import type { Place } from '../place.ts';
import type { CallRole, RoleCall, RoleResult } from './contract.ts';
import { inTurn } from '../flight/in-turn.ts';
import { collectReply } from './reply.ts';
import type { Account } from '../books/books.ts';
import { tellRoleEnd, type RoleEnd } from '../books/role-record.ts';
import { roleTools } from './role-tools.ts';
import { outputPath, takeOutput } from './take-output.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import { COMMON } from '../words/common.ts';
import { pickWords } from '../words/words.ts';
import { harnessRef } from '../../workspace/refs.ts';

export const callRole: CallRole = async (place, call) => {
  checkCall(call);
  const role = await loadRole(place.platform, call.role, roleFolders(place));
  const model = modelOf(place, call, role);
  requirePrice(place, model, call.model === null ? 'models.default' : `the model of ${call.role}`);
  const prompt = renderPrompt(role, call.variables);
  const account = await place.books.account(null);
  const spent = exhausted(account.budget, 0);
  if (spent !== null) return nothing({ ...spent, retryAt: null, neverStarted: true });
  const number = await place.books.nextSession();
  const copy = await prepareCopy(place, call);
  const file = call.output === null ? null : outputPath(copy.path, call.output);
  if (file !== null) await place.platform.files.mkdir(dirname(file));
  return await fly(place, call, { role, model, prompt, account, number, copy, file });
};

/** Where users keep roles of their own, the nearest first. */
export function roleFolders(place: Pick<Place, 'documents' | 'harnessHome'>): string[] {
  return [place.documents.where('roles'), join(place.harnessHome, 'roles')];
}

interface Flight {
  role: Role;
  model: string;
  prompt: string;
  account: Account;
  number: number;
  copy: AgentCopy;
  file: string | null;
}

/** What every session may have to say, in the user's language. */
function inWordsOf(language: string, event: HarnessEvent): HarnessEvent {
  return event.type === 'warning' && event.code === 'cost.unknown'
    ? { ...event, message: pickWords(language, COMMON).warnings.costUnknown }
    : event;
}

async function fly(place: Place, call: RoleCall, flight: Flight): Promise<RoleResult> {
  const { role, number, copy } = flight;
  const running: RunningSession = { session_id: number, role: call.role, started: isoNow(place.platform.clock), model: flight.model };
  const reply = collectReply();
  const ground: Place = {
    ...place,
    emit: (event) => {
      reply.see(event);
      place.emit(inWordsOf(call.language, event));
    },
  };
  const tools = roleTools(place.config.tools, role.tools);
  const surroundings = await makeAgentPlace(ground, copy, tools.filesystem.denied_paths);
  const session = await openAgentSession(
    ground,
    {
      session: number,
      feature: null,
      testFiles: [],
      outputFile: flight.file,
      role: call.role,
      system: role.system,
      model: flight.model,
      workspace: copy.path,
      tools,
      lane: call.lane,
      budget: flight.account.budget,
      heard: () => {},
      signal: place.signal,
    },
    surroundings,
  );
  await flight.account.begin(session, running);
  let stop: Stop | null = BROKEN_OFF;
  try {
    ({ stop } = await session.turn(flight.prompt));
  } finally {
    await session.close();
    await tellRoleEnd(place, running, { ...session.totals(), ...endOf(stop) });
    await flight.account.record(session, number, running.started);
  }
  const capture = call.keeps === 'tree' ? await captureAgentWork(place, copy, number, call.tree) : null;
  const taken = call.output === null ? NOTHING_TAKEN : await takeOutput(place.platform, copy.path, call.output);
  if (taken.refused !== null) place.emit({ type: 'warning', message: `the file of ${call.role} was not taken: ${taken.refused}` });
  return { stop, reply: reply.text(), ...taken, capture };
}

const NOTHING_TAKEN = { output: null, refused: null };

function nothing(stop: Stop): RoleResult {
  return { stop, reply: '', ...NOTHING_TAKEN, capture: null };
}

/** Mistakes of the caller, not of a person. */
function checkCall(call: RoleCall): void {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(call.lane) || ['main', 'mirror'].includes(call.lane))
    throw new Error(`"${call.lane}" is no name for a lane`);
  if (call.output !== null && !OUTPUT_NAME.test(call.output)) throw new Error(`"${call.output}" is no name for a role's file`);
}

/** What the call asks for, else what the role asks for: a kind of session from the settings, or a model by its name. */
function modelOf(place: Place, call: RoleCall, role: Role): string {
  const { models } = place.config;
  if (call.model !== null) return call.model;
  return Object.hasOwn(models, role.model) ? models[role.model as keyof typeof models] : role.model;
}

async function prepareCopy(place: Place, call: RoleCall): Promise<AgentCopy> {
  const copy = await inTurn(`copy ${place.home.root}`, async () =>
    prepareWorkspace(place.platform, {
      home: place.home,
      store: place.trees,
      harnessHome: place.harnessHome,
      ...(await baseOf(place, call)),
      tree: call.tree,
      lane: call.lane,
    }),
  );
  if (copy.dependencies.failed)
    place.emit({ type: 'warning', message: `the dependencies could not be installed for the agent: ${copy.dependencies.detail}` });
  place.emit({ type: 'workspace.prepared', path: copy.path, files_changed: copy.files_changed, duration_ms: Math.round(copy.duration_ms) });
  return copy;
}

/** The commit below the copy; before the first commit of a repository, one of the tree itself that only the harness knows. */
async function baseOf(place: Place, call: RoleCall): Promise<{ base: string; branch: string }> {
  const { branch, head } = await readHead(place.platform, place.home);
  if (head !== null) return { base: head, branch: branch ?? 'work' };
  const pin = { tree: call.tree, parent: null, ref: harnessRef('starts', call.lane), message: 'Start of the work' };
  return { base: await pinTree(place.platform, place.home, pin), branch: branch ?? 'main' };
}

const BROKEN_OFF: Stop = { reason: 'agent.failed', message: 'the session broke off', retryAt: null };

function endOf(stop: Stop | null): Pick<RoleEnd, 'outcome' | 'reasons' | 'message'> {
  if (stop === null) return { outcome: 'complete', reasons: [], message: null };
  const outcome: Outcome = stop.neverStarted === true || stop.reason === 'agent.failed' ? 'error' : 'partial';
  return { outcome, reasons: [stop.reason], message: stop.message };
}
