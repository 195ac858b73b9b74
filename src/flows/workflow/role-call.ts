/**
 * Asks a role and takes what it leaves.
 *
 * 1. The file counts. The first line of the reply is shown and, for some roles, read; one that breaks its contract is told and means
 *    nothing. Whatever else a role says goes no further.
 * 2. A role without its file is asked once more; then the flow stops, and the same command goes on from there.
 */
import { exitCodeFor, type Outcome, type Reason } from '../../domain/reasons.ts';
import type { Capture } from '../../domain/tree.ts';
import { loadRole } from '../../prompts/load-role.ts';
import type { ReplyContract } from '../../prompts/role.ts';
import type { RoleStop } from '../../kernel/roles/contract.ts';
import { callRole, roleFolders } from '../../kernel/roles/call-role.ts';
import { firstLine, lastLine, parseContractLine, wantedLine } from '../../kernel/roles/reply.ts';
import type { Bench } from './bench.ts';
import type { WorkflowReport } from './contract.ts';

export interface RoleRequest {
  /** Without the flow: `architect`. */
  role: string;
  /** Lane of its own for calls that run at the same time; else the role's. */
  lane?: string;
  variables: Readonly<Record<string, string>>;
  model: string | null;
  /** Name of its file; null: it has none. */
  output: string | null;
  tree: string;
  keeps?: 'tree';
}

export interface RoleAnswer {
  /** The contract line; null when it was broken. */
  line: string | null;
  /** Content of its file; empty for a role without one. */
  text: string;
  capture: Capture | null;
}

/** A role that did not come to its end: the flow rests, and the same command goes on from there. */
export interface Stopped {
  stopped: WorkflowReport;
}

export function isStopped(result: object | null): result is Stopped {
  return result !== null && 'stopped' in result;
}

const TRIES = 2;

export async function askRole(bench: Bench, request: RoleRequest): Promise<RoleAnswer | Stopped> {
  const { place, words } = bench;
  const role = `workflow/${request.role}`;
  const { reply: contract } = await loadRole(place.platform, role, roleFolders(place));
  for (let attempt = 1; ; attempt += 1) {
    const result = await callRole(place, {
      lane: request.role,
      ...request,
      role,
      language: bench.session.user_lang,
    });
    if (result.stop !== null) return { stopped: stoppedReport(bench, role, result.stop) };
    if (request.output === null || (result.output ?? '').trim() !== '') {
      return { line: contractLine(bench, role, result.reply, contract), text: result.output ?? '', capture: result.capture };
    }
    if (attempt >= TRIES) return { stopped: partial(['agent.failed'], words.roles.noFile({ role, file: request.output })) };
    bench.warn(words.roles.again({ role, file: request.output }));
  }
}

/** Roles that do not see each other. Each answer is kept as soon as it is there; the first failure is told after all have ended. */
export async function askTogether(
  bench: Bench,
  requests: readonly RoleRequest[],
  keep: (answer: RoleAnswer, at: number) => Promise<void>,
): Promise<Stopped | null> {
  const settled = await Promise.allSettled(
    requests.map(async (request, at) => {
      const answer = await askRole(bench, request);
      if (isStopped(answer)) return answer;
      await keep(answer, at);
      return null;
    }),
  );
  const broken = settled.find((one) => one.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : null)).find((one) => one !== null) ?? null;
}

function contractLine(bench: Bench, role: string, reply: string, contract: ReplyContract | null): string | null {
  const line = contract?.where === 'last' ? lastLine(reply) : firstLine(reply);
  if (line !== null && (contract === null || parseContractLine(line, contract.pattern) !== null)) return line;
  bench.warn(bench.words.roles.unparsed({ role, wanted: contract === null ? '…' : wantedLine(contract.pattern) }));
  return null;
}

export function stoppedReport(bench: Bench, role: string, stop: RoleStop): WorkflowReport {
  const outcome: Outcome = stop.neverStarted === true ? 'error' : 'partial';
  const message = bench.words.roles.stopped({ role, why: stop.message });
  return { outcome, reasons: [stop.reason], exitCode: exitCodeFor(outcome, [stop.reason]), commit: null, message };
}

export function partial(reasons: Reason[], message: string): WorkflowReport {
  return { outcome: 'partial', reasons, exitCode: exitCodeFor('partial', reasons), commit: null, message };
}
