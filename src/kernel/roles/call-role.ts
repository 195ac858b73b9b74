/**
 * Calls a role: one turn of a watched session in a copy of its own.
 *
 * 1. What sessions that run at the same time write about themselves (number, costs) is written in turn.
 * 2. The role's file lies at `.harness/output/<name>` in its copy, which no capture takes; the harness takes it after the last process is gone.
 */
import { join } from 'node:path';
import type { Outcome } from '../../domain/reasons.ts';
import { loadRole } from '../../prompts/load-role.ts';
import { OUTPUT_NAME, renderPrompt, type Role, type RoleTool } from '../../prompts/role.ts';
import { exhausted } from '../../session/budget-monitor.ts';
import type { Stop } from '../../session/contract.ts';
import { pinTree } from '../../workspace/capture.ts';
import { readHead } from '../../workspace/home.ts';
import { harnessRef } from '../../workspace/refs.ts';
import type { Account } from '../books/books.ts';
import type { RoleEnd } from '../books/role-record.ts';
import { requirePrice } from '../flight/agent-session.ts';
import type { Head } from '../flight/contract.ts';
import { localFolder } from '../local-folder.ts';
import type { Place } from '../place.ts';
import type { CallRole, RoleCall, RoleResult } from './contract.ts';
import { openRoleSession, type RoleBrief } from './role-session.ts';
import type { ToolPolicy } from '../../agents/contract.ts';
import type { Config } from '../../config/schema.ts';
import { OUTPUT_FOLDER } from './take-output.ts';

export const callRole: CallRole = async (place, call) => {
  checkCall(call);
  const role = await loadRole(place.platform, call.role, roleFolders(place));
  const model = modelOf(place, call, role);
  requirePrice(place, model, call.model === null ? 'models.default' : `the model of ${call.role}`);
  const prompt = renderPrompt(role, call.variables);
  const account = limited(await place.books.account(call.feature ?? null), call.mostUsd ?? null);
  const spent = exhausted(account.budget, 0);
  if (spent !== null)
    return {
      stop: { ...spent, retryAt: null, neverStarted: true },
      reply: '',
      output: null,
      refused: null,
      capture: null,
    };
  const number = call.number ?? (await place.books.nextSession());
  const { lane, output, language, feature, testFiles, isBlind, isSecret, effort, alone } = call;
  return await speak(place, call, prompt, {
    role: call.role,
    system: call.identity === undefined || call.identity === '' ? role.system : `${role.system}\n\n${call.identity}`,
    model,
    head: await headFor(place, call),
    lane,
    output,
    tools: roleTools(place.config.tools, role.tools),
    number,
    account,
    language,
    ...(feature === undefined ? {} : { feature }),
    ...(testFiles === undefined ? {} : { testFiles }),
    ...(isBlind === undefined ? {} : { isBlind }),
    ...(isSecret === undefined ? {} : { isSecret }),
    ...(effort === undefined ? {} : { effort }),
    ...(alone === undefined ? {} : { alone }),
  });
};

/** An account that ends at this cost. */
function limited(account: Account, mostUsd: number | null): Account {
  if (mostUsd === null) return account;
  const { budget } = account;
  const perSession = budget.perSession === null ? mostUsd : Math.min(budget.perSession, mostUsd);
  return {
    ...account,
    budget: {
      perSession,
      perFeature: budget.perFeature,
      perProject: budget.perProject,
      perPurse: budget.perPurse ?? null,
      get featureSpent() {
        return budget.featureSpent;
      },
      get projectSpent() {
        return budget.projectSpent;
      },
    },
  };
}

/** Where users keep roles of their own, the nearest first. */
export function roleFolders(place: Pick<Place, 'documents' | 'stateDir' | 'harnessHome'>): string[] {
  return [localFolder(place, 'roles'), join(place.harnessHome, 'roles')];
}

async function speak(place: Place, call: RoleCall, prompt: string, brief: RoleBrief): Promise<RoleResult> {
  const session = await openRoleSession(place, brief);
  let stop: Stop | null = BROKEN_OFF;
  try {
    ({ stop } = await session.turn(prompt));
  } finally {
    await session.settle(endOf(stop));
  }
  const capture = call.keeps === 'tree' ? await session.capture() : null;
  const taken = await session.taken();
  if (taken.refused !== null) place.emit({ type: 'warning', message: `the file of ${call.role} was not taken: ${taken.refused}` });
  return { session: brief.number, stop, reply: session.reply(), ...taken, capture };
}

/** Mistakes of the caller, not of a person. */
function checkCall(call: RoleCall): void {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(call.lane) || ['main', 'mirror'].includes(call.lane))
    throw new Error(`"${call.lane}" is not a valid name for a lane`);
  if (call.output !== null && !OUTPUT_NAME.test(call.output)) throw new Error(`"${call.output}" is not a valid name for a role's file`);
}

/** What the call asks for, else what the role asks for: a kind of session from the settings, or a model by its name. */
function modelOf(place: Place, call: RoleCall, role: Role): string {
  const { models } = place.config;
  if (call.model !== null) return call.model;
  return Object.hasOwn(models, role.model) ? models[role.model as keyof typeof models] : role.model;
}

/** The commit below the copy; before the first commit of a repository, and for a role that may see nothing of it, one of the tree itself that only the harness knows. */
async function headFor(place: Place, { tree, lane, isBlind, base }: RoleCall): Promise<Head> {
  if (base !== undefined) return { commit: base.commit, branch: base.branch === '' ? 'work' : base.branch, tree };
  const { branch, head } = await readHead(place.platform, place.home);
  if (head !== null && isBlind !== true) return { commit: head, branch: branch ?? 'work', tree };
  const pin = { tree, parent: null, ref: harnessRef('starts', lane), message: 'Start of the work' };
  return { commit: await pinTree(place.platform, place.home, pin), branch: branch ?? 'main', tree };
}

const BROKEN_OFF: Stop = { reason: 'agent.failed', message: 'the session ended early', retryAt: null };

function endOf(stop: Stop | null): Pick<RoleEnd, 'outcome' | 'reasons' | 'message'> {
  if (stop === null) return { outcome: 'complete', reasons: [], message: null };
  const outcome: Outcome = stop.neverStarted === true || stop.reason === 'agent.failed' ? 'error' : 'partial';
  return { outcome, reasons: [stop.reason], message: stop.message };
}

/**
 * The tools of a role. Pure.
 *
 * 1. A role can ask for fewer tools than the settings give, never for more.
 * 2. Its own file is open to it: rules that would close the folder of outputs do not count. In a role's copy nothing else lies there.
 */
export function roleTools(
  { filesystem, shell }: Pick<Config['tools'], 'filesystem' | 'shell'>,
  wanted: readonly RoleTool[] | null,
): ToolPolicy & { mcp: boolean } {
  const allows = (tool: RoleTool): boolean => wanted === null || wanted.includes(tool);
  return {
    filesystem: {
      ...filesystem,
      enabled: filesystem.enabled && allows('files'),
      denied_paths: filesystem.denied_paths.filter((rule) => !coversOutput(rule)),
    },
    shell: { ...shell, enabled: shell.enabled && allows('shell') },
    mcp: allows('mcp'),
  };
}

function coversOutput(rule: string): boolean {
  const plain = rule.replace(/^\.\//, '').replace(/(\/\*\*)?\/*$/, '');
  return OUTPUT_FOLDER === plain || OUTPUT_FOLDER.startsWith(`${plain}/`);
}
