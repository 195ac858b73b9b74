/**
 * One agent session on the task, from its number to what it left.
 *
 * 1. The number is the project's and is written down before the agent starts.
 * 2. Whatever ended the session, its files are taken; what it said is kept as a claim.
 * 3. A limit ends the drive, and the same command goes on; a silent agent and a stuck one are events of the machine.
 */
import { exitCodeFor } from '../../../domain/reasons.ts';
import type { HarnessEvent } from '../../../domain/event.ts';
import { startsAgent } from '../../../domain/starts-agents.ts';
import { takesEffort } from '../../../kernel/flight/agent-session.ts';
import { salvageTask } from '../../../kernel/flight/task-candidate.ts';
import { callRole } from '../../../kernel/roles/call-role.ts';
import type { RoleResult, RoleStop } from '../../../kernel/roles/contract.ts';
import { readContract, readQualityRules, readSpec, projectRules } from '../documents.ts';
import type { Halt } from '../machine/machine.ts';
import type { Seen, TaskState, Claim } from '../machine/state.ts';
import { inputOf, type Moved, type WorkerPlace } from '../place.ts';
import { RULES } from '../machine/rules.ts';
import { briefFor } from '../words/brief.ts';
import { inPhase } from '../../../domain/must-have.ts';

export async function begin(place: WorkerPlace): Promise<Moved> {
  return { event: { type: 'begun', session: await place.books.nextSession() } };
}

const OUTPUT = 'report.json';

export async function work(place: WorkerPlace, state: TaskState): Promise<Moved> {
  const input = inputOf(state);
  const contract = await readContract(place, input.contract_path);
  const own = await projectRules(place);
  const texts = {
    contract: contract?.text ?? null,
    spec: await readSpec(place, input.spec_path),
    rules: [...RULES, ...own.map((one) => one.rule)],
    quality: await readQualityRules(place),
  };
  const base = inPhase(state, 'base');
  const watch = watched(place);
  const result = await callRole(watch.place, {
    role: 'worker/worker',
    variables: briefFor(state, input, texts),
    model: null,
    output: OUTPUT,
    lane: place.lane,
    tree: state.tree ?? base.tree,
    base,
    keeps: 'tree',
    language: 'en',
    effort: input.effort ?? null,
    alone: true,
    number: inPhase(state, 'session'),
  });
  const { told, ...seen } = watch.seen();
  return outcome(result, { ...seen, effort: told ?? givenEffort(place, input), limits: [] });
}

/** For an agent that does not say what it does with it. */
function givenEffort(place: WorkerPlace, { effort }: TaskState['input']): string | null {
  return typeof effort === 'string' && takesEffort(place, effort) ? effort : null;
}

/** Counts what the agent does while it does it. */
function watched(place: WorkerPlace): { place: WorkerPlace; seen(): Pick<Seen, 'turns' | 'stalls' | 'agents'> & { told: string | null } } {
  let [requests, tools, stalls] = [0, 0, 0];
  let told: string | null = null;
  const agents: string[] = [];
  const see = (event: HarnessEvent): void => {
    if (event.type === 'agent.usage') {
      requests += 1;
      told = event.effort ?? told;
    }
    if (event.type === 'agent.tool') tools += 1;
    if (event.type === 'agent.tool' && startsAgent(event.name, event.input)) agents.push(event.name);
    if (event.type === 'session.limit' && event.kind === 'silence' && event.level === 'stop') stalls += 1;
  };
  return {
    place: {
      ...place,
      emit: (event) => {
        see(event);
        place.emit(event);
      },
    },
    seen: () => ({ turns: Math.max(requests, tools, 1), stalls, agents, told }),
  };
}

function outcome(result: RoleResult, seen: Omit<Seen, 'sessions'>): Moved {
  const { stop, capture } = result;
  const findings = (capture?.findings ?? []).map((finding) => ({ ...finding }));
  if (stop === null && capture !== null)
    return { event: { type: 'worked', tree: capture.tree, findings, claim: readClaim(result.output, result.reply), seen } };
  const why = haltOf(stop);
  const limits = [why.message];
  const started = stop?.neverStarted !== true;
  const event = {
    type: 'halted',
    started,
    tree: capture?.tree ?? null,
    findings,
    seen: { ...seen, turns: started ? seen.turns : 0, limits },
    why,
  } as const;
  if (why.kind !== 'limit') return { event };
  const outcomeWord = stop?.neverStarted === true ? 'error' : 'partial';
  return { event, rest: { exitCode: exitCodeFor(outcomeWord, stop === null ? [] : [stop.reason]), message: why.message } };
}

function haltOf(stop: RoleStop | null): Halt {
  const message = stop?.message ?? 'the session left nothing that can be taken';
  if (stop?.reason === 'stalled') return { kind: 'stalled', message };
  if (stop?.reason === 'stuck' || stop?.reason === 'repeated_error') return { kind: 'stuck', message };
  return { kind: 'limit', message };
}

/** After a crash: what lies in the copy is what the next session starts from. A copy that no agent was started in may be half made. */
export async function salvage(place: WorkerPlace, state: TaskState): Promise<Moved> {
  const session = inPhase(state, 'session');
  const started = await place.history.events(`session=${session} type=session.start`);
  const capture = started.length === 0 ? null : await salvageTask(place, session, inPhase(state, 'base').tree);
  if (capture !== null)
    place.emit({ type: 'state.recovered', what: `the files of session ${session}, which was cut off`, action: 'taken' });
  return {
    event: { type: 'salvaged', tree: capture?.tree ?? null, findings: (capture?.findings ?? []).map((finding) => ({ ...finding })) },
  };
}

/** What an agent says about its work. It decides nothing, and is kept short. Pure. */
const LONGEST = 500;
const MOST = 20;

export function readClaim(output: string | null, reply: string): Claim {
  const said = parsed(output);
  const rules = Array.isArray(said['self_review']) ? said['self_review'] : [];
  const pairs = rules.flatMap((one: unknown): [string, string][] => {
    const entry = typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : {};
    return typeof entry['rule'] === 'string' ? [[entry['rule'].slice(0, LONGEST), textOf(entry['evidence'])]] : [];
  });
  return {
    summary: textOf(said['summary']) || textOf(reply.trim().split('\n').at(-1) ?? ''),
    memory_updates: (Array.isArray(said['memory_updates']) ? said['memory_updates'] : [])
      .map(textOf)
      .filter((text) => text !== '')
      .slice(0, MOST),
    note: textOf(said['task_complexity_note']),
    rules: Object.fromEntries(pairs.slice(0, MOST)),
  };
}

function parsed(output: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(output ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value.replace(/\s+/g, ' ').trim().slice(0, LONGEST);
}
