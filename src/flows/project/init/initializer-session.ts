/**
 * The conversation with the initializer: its first prompt, and the problems of its list given back to it until the list is valid.
 * Throws when the session ends early, leaves what cannot be taken over, or ends with a list that is not valid.
 */
import { EXIT, exitCodeFor, type Outcome, type Reason } from '../../../domain/reasons.ts';
import { HarnessError, usageError } from '../../../domain/errors.ts';
import type { Capture } from '../../../domain/tree.ts';
import { fence } from '../../../domain/fence.ts';
import { loadRole } from '../../../prompts/load-role.ts';
import { renderPrompt } from '../../../prompts/role.ts';
import { readScenarios, renderScenarios } from '../../../kernel/flight/acceptance.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import { SET_UP_SESSION } from '../../../kernel/founding/landed-set-up.ts';
import { modelFor, modelName } from '../../../kernel/flight/project-agent.ts';
import { roleFolders } from '../../../kernel/roles/call-role.ts';
import type { RoleStop } from '../../../kernel/roles/contract.ts';
import { openRoleSession, type RoleSession } from '../../../kernel/roles/role-session.ts';
import { cycleEscalation, tellOnly } from '../people/escalate.ts';
import type { FeatureList } from '../../../domain/feature.ts';
import { parseFeatureList, type ParsedList } from '../list/feature-list.ts';
import type { Project } from '../project.ts';
import { mustHave } from '../../../domain/must-have.ts';

/** What the initializer left, with a list that is valid. */
export interface InitializerWork {
  capture: Capture;
  list: FeatureList;
}

/** Session 0 of the project. `start`: what its copy holds. */
export async function openInitializer(project: Project, head: Head, start: string): Promise<RoleSession> {
  const role = await loadInitializer(project);
  return await openRoleSession(project, {
    role: role.role,
    system: role.system,
    model: modelName(project, role.model),
    recorded: modelFor(project, 'initializer'),
    head,
    start,
    lane: null,
    output: null,
    tools: { ...project.config.tools, mcp: true },
    number: SET_UP_SESSION,
    account: await project.books.account(null),
    language: null,
  });
}

function loadInitializer(project: Project): ReturnType<typeof loadRole> {
  return loadRole(project.platform, 'project/initializer', roleFolders(project));
}

/** `name`: what the user called the document. */
export async function firstPrompt(project: Project, name: string, spec: string): Promise<string> {
  const role = await loadInitializer(project);
  return renderPrompt(role, {
    project: project.config.project.name,
    spec: fence(name, spec),
    max_steps: String(project.config.features.max_verification_steps),
    full_command_hint: 'Choose a test runner whose command the harness can detect (npm test, pytest, go test, cargo test and the like).',
    scenarios: scenarioHint(spec),
  });
}

/** Acceptance criteria in the form of scenarios are offered as what they are: features with the steps that check them. */
function scenarioHint(spec: string): string {
  const scenarios = readScenarios(spec);
  if (scenarios.length === 0) return '';
  return [
    'The specification has acceptance criteria in the form of scenarios. Each becomes a feature (or part of one that it belongs to), its Given,',
    'When and Then its verification steps; every one of them must be covered by a feature. The harness read these:',
    '',
    fence('scenarios', renderScenarios(scenarios)),
  ].join('\n');
}

const MAX_ANSWERS = 2;

/** What somebody says about work whose list is valid. `repair`: the agent is to change it. `refused`: it is not taken as it is. */
export interface Remark {
  repair: string;
  refused: HarnessError | null;
  /** A person asked for it: it does not count against the tries of the agent. */
  byPerson?: boolean;
}

/** `look`: null where the work is taken as it is. Where an agent cannot be answered, a remark that refuses nothing is only told, by whoever made it. */
export async function converse(
  project: Project,
  session: RoleSession,
  first: string,
  look: (work: InitializerWork, canAnswer: boolean) => Promise<Remark | null>,
): Promise<InitializerWork> {
  let prompt = first;
  for (let answers = 0; ; answers++) {
    const turn = await session.turn(prompt);
    if (turn.stop !== null || !session.canAnswer()) await session.close();
    const capture = await session.capture();
    if (turn.stop !== null) throw stopped(turn.stop);
    const bad = capture.findings[0];
    if (bad !== undefined)
      throw new HarnessError(`The initializer left something that is not taken over: ${bad.path} (${bad.detail}).`, {
        exitCode: EXIT.rejected,
      });
    const parsed = await readList(project, capture.tree);
    const canAnswer = session.canAnswer() && answers < MAX_ANSWERS;
    if (parsed.errors.length === 0) {
      const work = { capture, list: mustHave(parsed.list, 'a list without problems can be read') };
      const remark = await look(work, canAnswer);
      if (remark === null) return work;
      const answerable = remark.byPerson === true ? session.canAnswer() : canAnswer;
      if (!answerable && remark.refused !== null) throw remark.refused;
      if (!answerable) return work;
      if (remark.byPerson === true) answers--;
      prompt = remark.repair;
      project.emit({ type: 'session.inject', session: 0, text: prompt, delivered: true });
      continue;
    }
    if (!canAnswer) {
      const circle = cycleEscalation(parsed.cycles);
      if (circle !== null) await tellOnly(project, circle);
      throw invalidList(project, parsed);
    }
    prompt = `[harness] ${project.config.paths.features} cannot be used yet:\n${parsed.errors
      .slice(0, 20)
      .map((problem) => `- ${problem.field}: ${problem.message}. Fix: ${problem.fix}.`)
      .join('\n')}\nRepair it and end your turn.`;
    project.emit({ type: 'session.inject', session: 0, text: prompt, delivered: true });
  }
}

async function readList(project: Project, tree: string): Promise<ParsedList> {
  const text = (await project.trees.read(tree, project.config.paths.features))?.toString('utf8') ?? null;
  if (text === null)
    return {
      list: null,
      errors: [{ field: project.config.paths.features, message: 'the file was not written', fix: 'create it at the top of the project' }],
      flags: [],
      cycles: [],
    };
  return parseFeatureList(text, {
    maxVerificationSteps: project.config.features.max_verification_steps,
    requireTestFile: project.config.features.require_test_file,
  });
}

function invalidList(project: Project, parsed: ParsedList): HarnessError {
  return usageError(
    `The initializer's ${project.config.paths.features} is not valid; nothing was changed in the project.`,
    ...parsed.errors.slice(0, 20).map((problem) => `${problem.field}: ${problem.message}. Fix: ${problem.fix}.`),
    'Run harness init again, or write the list by hand and adopt it with harness init --features.',
  );
}

function stopped(stop: RoleStop): HarnessError {
  const reasons: Reason[] = [stop.reason];
  const outcome: Outcome = stop.reason === 'api.auth' ? 'error' : 'partial';
  return new HarnessError(`The initializer session ended early (${stop.reason}): ${stop.message}. Nothing was changed in the project.`, {
    exitCode: exitCodeFor(outcome, reasons),
    reasons,
    details: ['Run harness init again.'],
  });
}
