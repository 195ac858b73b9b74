/**
 * Before an agent is started: is the task one that may be begun, and what will prove it?
 *
 * 1. Contract and spec are read first. What has to be asked of an advisor is asked here, and no agent runs for it.
 * 2. Nothing is chosen by a model: commands come from the task, else from the project, each with the reason.
 */
import { HarnessError, usageError } from '../../../domain/errors.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { isIgnored } from '../../../kernel/flight/land-candidate.ts';
import { branchAt } from '../../../kernel/flight/task-candidate.ts';
import { commandsOf } from '../../../kernel/ground/commands.ts';
import { headOf, isSettled } from '../../../kernel/ground/head.ts';
import { nestedRepositories, superproject } from '../../../kernel/ground/nested-repositories.ts';
import { wayTo } from '../../../kernel/ground/way-to.ts';
import type { TaskInput } from '../contract.ts';
import { readContract, readSpec, isTddEnforced } from '../documents.ts';
import { consult, triggersOf, type Trigger } from '../machine/advice.ts';
import { covers, objectionTo, plainPath } from '../machine/bounds.ts';
import { contractFacts, itemsIn, tddFor } from '../machine/sprint-contract.ts';
import type { Ground, Head, TaskState } from '../machine/state.ts';
import { inputOf, type Moved, type WorkerPlace } from '../place.ts';

export async function examine(place: WorkerPlace, state: TaskState): Promise<Moved> {
  const input = inputOf(state);
  for (const path of new Set(input.files)) await checkEntry(place, path);
  const base = await startingPoint(place);
  const contract = await readContract(place, input.contract_path);
  await readSpec(place, input.spec_path);
  const triggers = [
    ...specTrigger(input),
    ...(await embeddedTrigger(place, input, base.tree)),
    ...triggersOf(input, contract?.value ?? null),
  ];
  for (const trigger of triggers) {
    const asked = consult(state, trigger, [`mode ${input.mode}`, `files: ${input.files.slice(0, 20).join(', ')}`]);
    if (asked.kind === 'ask') return { event: { type: 'asked', request: asked.request } };
    if (asked.kind === 'escalate') return { event: { type: 'ended', status: 'escalated', reason: asked.reason } };
    if (trigger.signature === SPEC_MISSING)
      return {
        event: {
          type: 'ended',
          status: 'escalated',
          reason: 'The advisor was asked, and the task still has neither spec_path nor spec_skip_reason.',
        },
      };
  }
  if (input.mode === 'breezing') await checkBranch(place, state);
  return { event: { type: 'examined', base, ground: await groundOf(place, input, contract?.value ?? null) } };
}

async function checkEntry(place: WorkerPlace, path: string): Promise<void> {
  const objection =
    objectionTo(path) ?? ((await wayTo(place, plainPath(path))).inside ? null : 'a symbolic link leads out of the repository');
  if (objection !== null)
    throw usageError(`files: ${path}: ${objection}.`, 'Paths of a task are relative to the repository and stay inside it.');
}

async function startingPoint(place: WorkerPlace): Promise<Head> {
  const refuse = (message: string, fix: string): HarnessError => new HarnessError(message, { exitCode: EXIT.preflight, details: [fix] });
  if (!place.hasGit)
    throw refuse(`${place.root} is not a git repository.`, 'A worker hands over a commit: run git init and make a first commit.');
  const head = await headOf(place);
  if (head === null) throw refuse(`${place.home.root} has no commit yet.`, 'Make a first commit, then run again.');
  if (!(await isSettled(place)))
    throw refuse(`A merge or rebase is under way in ${place.home.root}.`, 'Finish or abort it, then run again.');
  return head;
}

const SPEC_MISSING = 'spec-missing';

function specTrigger(input: TaskInput): Trigger[] {
  if ((input.spec_path ?? null) !== null || (input.spec_skip_reason ?? null) !== null) return [];
  return [
    {
      reason: 'advisor-required',
      signature: SPEC_MISSING,
      question:
        'The task names neither spec_path nor spec_skip_reason (docs-only, mechanical-change, existing-spec-sufficient). Which one applies? Answer with one of the two fields.',
      lastError: null,
    },
  ];
}

/** A repository of its own inside the files of the task, or around the whole: asked once, whatever there is of it. */
async function embeddedTrigger(place: WorkerPlace, input: TaskInput, tree: string): Promise<Trigger[]> {
  const around = await superproject(place);
  const inside: string[] = [];
  for (const nested of await nestedRepositories(place, tree)) if (await isInFiles(place, nested, input.files)) inside.push(nested);
  if (around === null && inside.length === 0) return [];
  const what = [
    ...(around === null ? [] : [`this repository is a submodule of ${around}`]),
    ...(inside.length === 0 ? [] : [`the task's files are in nested repositories: ${inside.join(', ')}`]),
  ].join('; ');
  return [
    {
      reason: 'needs-spike',
      signature: 'embedded-git-repo',
      question: `Which repository should the commit go to? ${what}.`,
      lastError: what,
    },
  ];
}

/** A pattern does not mean what git ignores; a path that is written out does. */
async function isInFiles(place: WorkerPlace, nested: string, files: readonly string[]): Promise<boolean> {
  for (const file of files.map(plainPath)) {
    const isPattern = /[*?[{]/.test(file);
    if (!isPattern && (file === nested || file.startsWith(`${nested}/`) || nested.startsWith(`${file}/`))) return true;
    const prefix = file.replace(/(?:^|\/)[^/]*[*?[{].*$/, '');
    const reaches =
      covers(file, nested) || prefix === '' || prefix === nested || prefix.startsWith(`${nested}/`) || nested.startsWith(`${prefix}/`);
    if (isPattern && reaches && !(await isIgnored(place, nested))) return true;
  }
  return false;
}

export function branchOf(input: Pick<TaskInput, 'task_id'>): string {
  return `harness-work/${input.task_id}`;
}

/** Nobody's branch is used. */
async function checkBranch(place: WorkerPlace, state: TaskState): Promise<void> {
  const branch = branchOf(state.input);
  const [own, root] = [await branchAt(place, branch), await branchAt(place, 'harness-work')];
  if (root === null && (own === null || own === state.commit || own === state.amends)) return;
  throw new HarnessError(`The branch ${root === null ? branch : 'harness-work'} already exists and was not made by this task.`, {
    exitCode: EXIT.preflight,
    details: ['Rename or delete it, or give the task another task_id.'],
  });
}

async function groundOf(place: WorkerPlace, input: TaskInput, contract: unknown): Promise<Ground> {
  const commands = await commandsOf(place);
  const facts = contractFacts(contract);
  const chosen = [
    { command: commands.test_cmd, reason: 'the tests of the project' },
    { command: commands.build_cmd, reason: 'its build' },
    { command: commands.type_check_cmd, reason: 'its type check' },
  ].flatMap(({ command, reason }) => (command === null ? [] : [{ command, reason: `not given: chosen, because it is ${reason}` }]));
  const given = (input.validation_commands ?? []).map((command) => ({ command, reason: null }));
  const dod = [...(input.dod ?? []).flatMap((one) => itemsIn([one])), ...facts.dod];
  return {
    validation: given.length > 0 ? given : chosen,
    test: commands.test_cmd,
    tdd: tddFor(input, facts, { enforced: await isTddEnforced(place), hasTests: commands.test_cmd !== null }),
    dod,
    plans: plainPath(place.config.worker.plans_file),
  };
}
