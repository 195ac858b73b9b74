/**
 * The set-up of a session: from a task to a session that can plan.
 *
 * 1. Whatever the command line says is checked before anything is written.
 * 2. As soon as it is known where the documents go, a first state is written; whatever cuts the set-up off, the same command goes on with it.
 */
import { basename } from 'node:path';
import { usageError } from '../../../domain/errors.ts';
import { validatePath } from '../../../domain/validate-path.ts';
import { removeGate } from '../../../gates/gate-files.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import { commandsOf } from '../../../kernel/ground/commands.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import { ORIGINAL_SPEC } from '../../../kernel/session-traces.ts';
import type { Place } from '../../../kernel/place.ts';
import { freeBranch } from '../../../kernel/ground/free-branch.ts';
import { detectLanguage } from '../../../kernel/words/language.ts';
import { answerModelQuestion, chooseVerifier, isCostlyVerifier, parseModels, type RoleModels } from '../../../kernel/roles/models.ts';
import { NO_SCOPE } from '../../../kernel/ground/scope.ts';
import type { WorkflowDraft, WorkflowState } from '../../../kernel/session-schema.ts';
import { wayTo } from '../../../kernel/ground/way-to.ts';
import { isSharedFolder, slugify } from '../../../kernel/ground/slug.ts';
import { changeDraft, changeWorkflow, createSession, readSession } from '../../../kernel/state-file.ts';
import { speaker } from '../bench.ts';
import { checkRepository, originOf, setAside, switchToBranch } from '../../../kernel/ground/session-branch.ts';
import type { Asked } from '../../../gates/ask-for.ts';
import type { Mode, RunStyle, WorkflowRequest } from '../contract.ts';
import { hasDocument, readDocumentText, writeDocumentText } from '../documents.ts';
import { modeGate, modelGate } from './gates.ts';
import { settingsIn } from './settings-in-words.ts';
import { MAX_ROUNDS } from '../machine/table.ts';
import { fromState, newOwnState, type Session } from '../session.ts';
import { setupSummary } from './status.ts';
import { recordBegin } from './narrate.ts';

const DEFAULT_OUTPUT = 'docs/harness';
export const DEFAULT_MAX_FILES = 20;

export function styleOf(step: WorkflowRequest['step']): RunStyle {
  if (step === null) return 'auto';
  return step === 'plan' || step === 'generate' ? 'phase' : 'step';
}

/** Exit 2 with the first thing that is wrong. */
export function checkRequest(request: WorkflowRequest, language: string): void {
  const { common } = speaker({ emit: () => {} }, language);
  if (chooseVerifier(request.verifierModel) === null)
    throw usageError(common.model.verifierInvalid({ given: request.verifierModel ?? '' }));
  if (request.modelConfig !== null) {
    const parsed = parseModels(request.modelConfig);
    if (!parsed.ok) throw usageError(common.model.presetUnknown({ given: parsed.invalid.join(', ') }));
  }
  if (request.outputDir !== null) {
    const checked = validatePath(request.outputDir, 'output_dir');
    if (!checked.ok)
      throw usageError(
        common.path.refused({ setting: '--output-dir', path: request.outputDir, reason: common.path.reasons[checked.rule] }),
      );
  }
  if (request.maxFiles !== null && (!Number.isInteger(request.maxFiles) || request.maxFiles < 1))
    throw usageError(`--max-files takes a whole number of at least 1, not ${request.maxFiles}.`);
  if (request.scope !== null && request.scope.trim() === '') throw usageError('--scope names no files.');
}

/** Writes the first state. */
export async function beginSession(place: Place, request: WorkflowRequest): Promise<WorkflowDraft> {
  const language = detectLanguage(request.task ?? '', null);
  const voice = speaker(place, language);
  if (request.task === null || request.task.trim() === '') throw usageError(voice.words.setup.taskMissing);
  checkRequest(request, language);
  const base = await findBase(place);
  const output = await chooseOutput(place, request, voice);
  if (!(await wayTo(place, output.docs_path)).inside)
    throw usageError(voice.common.path.refused({ setting: '--output-dir', path: output.docs_path, reason: 'it leads out of the project' }));
  const branch = place.hasGit ? await freeBranch(place, `harness/${output.slug}`) : null;
  if (branch !== null && branch !== `harness/${output.slug}`)
    voice.tell(voice.words.setup.branchTaken({ name: `harness/${output.slug}`, other: branch }));
  const stash = base.modified.length === 0 ? null : await setAside(place, output.slug);
  if (stash !== null) voice.tell(voice.words.setup.stashed({ restore: stash.restore }));
  await keepOriginal(place, output, voice);
  await createSession(place, {
    skill: 'workflow',
    version: '2.0',
    task: request.task,
    cli_flags: {
      verifier_model: request.verifierModel === null ? null : chooseVerifier(request.verifierModel),
      output_dir: request.outputDir === null ? null : normalized(request.outputDir),
    },
    user_lang: language,
    agent: place.chosenAgent,
    has_git: place.hasGit,
    docs_path: output.docs_path,
    slug: output.slug,
    harness: harnessPart({
      ...newOwnState(),
      base_commit: base.commit,
      base_tree: base.tree,
      origin: place.hasGit ? await originOf(place, branch) : null,
      under_way: true,
      step: request.step,
      draft: { branch, request, model_retries: 0 },
    }),
  });
  recordBegin(place, request.task);
  for (const folder of ['planner', 'generator'] as const) await place.documents.folder(folder).make();
  const written = await readSession(place.documents, { writer: false });
  if (written.kind !== 'workflow-draft') throw new Error(`the new session is a ${written.kind}`);
  return written.state;
}

/** As it is used: with plain slashes and none at its end. */
function normalized(outputDir: string): string {
  const checked = validatePath(outputDir, 'output_dir');
  return checked.ok ? checked.path : outputDir;
}

/** `modified`: tracked files with changes that are not committed, where the settings say that they are set aside. */
async function findBase(place: Place): Promise<Head & { modified: string[] }> {
  const modified = place.hasGit ? await checkRepository(place) : [];
  const head = await headOf(place);
  if (head === null) throw new Error('the mirror of the folder has no commit');
  return { ...head, modified };
}

type Voice = ReturnType<typeof speaker>;

/** A directory that holds a spec already is the output itself; else the task's name below the base. */
async function chooseOutput(place: Place, request: WorkflowRequest, voice: Voice): Promise<{ docs_path: string; slug: string }> {
  const slug = slugify(request.task ?? '');
  if (request.outputDir !== null) {
    const checked = validatePath(request.outputDir, 'output_dir');
    const folder = checked.ok ? checked.path : DEFAULT_OUTPUT;
    if (!isSharedFolder(folder) && (await hasDocument(place, { docs_path: folder }, 'spec.md')))
      return { docs_path: `${folder}/`, slug: slugify(basename(folder)) };
    return { docs_path: `${folder}/${slug}/`, slug };
  }
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? slug : `${slug.slice(0, 46)}-${number}`;
    const docs_path = `${DEFAULT_OUTPUT}/${name}/`;
    if (await isFree(place, docs_path)) {
      if (number > 1) voice.tell(voice.words.setup.outputTaken({ path: `${DEFAULT_OUTPUT}/${slug}/`, other: docs_path }));
      return { docs_path, slug: name };
    }
  }
}

/** A spec may be there, left by a discovery of requirements; documents of a workflow may not. */
async function isFree(place: Place, docs_path: string): Promise<boolean> {
  for (const name of ['changes.md', 'verify_report.md', 'qa_report.md']) if (await hasDocument(place, { docs_path }, name)) return false;
  return true;
}

/** A spec that somebody else wrote is kept beside the one that is planned from it. */
async function keepOriginal(place: Place, output: { docs_path: string }, voice: Voice): Promise<void> {
  const original = await readDocumentText(place, output, 'spec.md');
  if (original === null || (await readDocumentText(place, output, ORIGINAL_SPEC)) !== null) return;
  await writeDocumentText(place, output, ORIGINAL_SPEC, original);
  voice.tell(voice.words.plan.kept({ path: `${output.docs_path}${ORIGINAL_SPEC}` }));
}

type Waits = Extract<Asked, { kind: 'waits' }>;

/** From the first state to the whole one; asks for mode and models where nobody has said. */
export async function completeSetup(place: Place, draft: WorkflowDraft, given: WorkflowRequest): Promise<Session | Waits> {
  const own = newOwnState(draft.harness);
  const language = draft.user_lang;
  const request = { ...own.draft?.request, ...withoutNulls(given) } as WorkflowRequest;
  checkRequest(request, language);
  const voice = speaker(place, language);
  const branch = own.draft?.branch ?? null;
  if (place.hasGit && branch !== null && own.base_commit !== null) await switchToBranch(place, branch, own.base_commit);
  const remember: Remember = async (change, model_retries = own.draft?.model_retries ?? 0) => {
    Object.assign(request, change);
    await changeDraft(place, { harness: harnessPart({ ...own, draft: { branch, request, model_retries } }) });
  };
  if (JSON.stringify(request) !== JSON.stringify(own.draft?.request)) await remember({});
  const mode = await chooseMode(place, request, language, remember);
  if (typeof mode !== 'string') return mode;
  const models = await chooseModels(place, request, { before: own.draft?.model_retries ?? 0, language, remember });
  if ('kind' in models) return models;
  await removeGate(place.documents.folder('gates'), 'workflow.model');
  const verifier = chooseVerifier(request.verifierModel) ?? 'haiku';
  const { lintCommand: lint, typeCheckCommand: typeCheck, scope } = request;
  const commands = await commandsOf(place, { lint, typeCheck, scope });
  const state = await changeWorkflow(place, {
    mode,
    run_style: styleOf(request.step),
    model_config: { ...models, verifier },
    repo_name: basename(place.root),
    repo_path: place.root,
    phase: 'plan_ready',
    round: 1,
    max_rounds: MAX_ROUNDS,
    max_files: request.maxFiles ?? DEFAULT_MAX_FILES,
    scope: request.scope ?? NO_SCOPE,
    branch,
    ...commands,
    verify: {
      layer1_result: null,
      layer1_retries: 0,
      layer2_result: null,
      layer2_retries: 0,
      todo_blocking: false,
      autofix_attempted: false,
    },
    autofix: null,
    conventions: request.conventions === 'skip' ? 'skipped' : null,
    harness: harnessPart({
      ...own,
      draft: null,
      failed_scans: request.conventions === 'scan' ? 0 : null,
      step: request.step,
      under_way: true,
    }),
  });
  const session = fromState(state);
  voice.tell(...setupSummary(voice, session, place.root));
  if (isCostlyVerifier(verifier)) voice.warn(voice.common.model.costly({ model: verifier }));
  return session;
}

/** The state file knows this part only loosely. */
function harnessPart(own: object): WorkflowState['harness'] {
  return own as WorkflowState['harness'];
}

/** Writes an answer down before the next question is asked. */
type Remember = (change: Partial<WorkflowRequest>, modelRetries?: number) => Promise<void>;

/** What a person chose at once: the mode, and models and conventions with it. Null: it goes without asking, or is asked by itself. */
async function chooseMode(place: Place, request: WorkflowRequest, language: string, remember: Remember): Promise<Mode | Waits> {
  if (request.mode !== null) {
    await removeGate(place.documents.folder('gates'), 'workflow.mode');
    return request.mode;
  }
  const voice = speaker(place, language);
  const gate = modeGate(voice, language, request.modelConfig !== null);
  for (;;) {
    const answer = await place.asker.ask(gate);
    if (answer === 'pending') return { kind: 'waits', gate: gate.id };
    const said = settingsIn(answer.text ?? '');
    const mode = gate.options.find(({ label }) => label === answer.option)?.label ?? said.mode;
    if (mode !== null && said.rest === '' && (said.models === null || request.modelConfig === null)) {
      await remember({
        mode,
        modelConfig: request.modelConfig ?? said.models ?? (await unlessAnswered(place, 'workflow.model', 'balanced')),
        conventions: said.conventions ?? (await unlessAnswered(place, 'workflow.conventions', 'scan')),
      });
      return mode;
    }
    voice.warn(voice.common.notUnderstood({ text: answer.text ?? '' }));
  }
}

async function chooseModels(
  place: Place,
  request: WorkflowRequest,
  { before, language, remember }: { before: number; language: string; remember: Remember },
): Promise<RoleModels | Waits> {
  const voice = speaker(place, language);
  const parsed = request.modelConfig === null ? null : parseModels(request.modelConfig);
  if (parsed?.ok === true) return parsed.models;
  for (let retries = before; ;) {
    const gate = modelGate(voice, language);
    const answer = await place.asker.ask(gate);
    if (answer === 'pending') return { kind: 'waits', gate: gate.id };
    const said = settingsIn(answer.text ?? '');
    const text = answer.option ?? said.models ?? said.rest;
    const next = answerModelQuestion(retries, text);
    if (next.status === 'chosen') {
      if (next.gaveUp) voice.warn(voice.common.model.gaveUp);
      const conventions = request.conventions ?? said.conventions ?? (await unlessAnswered(place, 'workflow.conventions', 'scan'));
      await remember({ modelConfig: next.gaveUp ? 'balanced' : text, conventions });
      return next.models;
    }
    retries = next.retries;
    voice.warn(voice.common.model.invalid({ parts: next.invalid.join(', '), left: TRIES - retries }));
    await remember({}, retries);
  }
}

/** An answer that was given beforehand to a question of its own still counts. */
async function unlessAnswered<Choice extends string>({ asker }: Place, id: string, choice: Choice): Promise<Choice | null> {
  return (await asker.answered(id)) ? null : choice;
}

/** The first answer and three more. */
const TRIES = 4;

function withoutNulls(request: WorkflowRequest): Partial<WorkflowRequest> {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== null)) as Partial<WorkflowRequest>;
}
