/**
 * The plan: from a task to `spec.md`.
 *
 * 1. Proposals are made at the same time and see nothing of each other; their texts meet at the critique and the synthesis.
 * 2. Notes of an earlier discovery reach those who propose (or the single planner), and nobody after them.
 * 3. Files that an interrupted plan has left are used, not made again.
 */
import { ORIGINAL_SPEC } from '../../../kernel/session-traces.ts';
import { fence } from '../../../domain/fence.ts';
import type { Bench } from '../bench.ts';
import { currentTree, withDocuments } from '../candidate.ts';
import { documentPath, PERSISTED_DOCUMENTS, readDocumentText, readWorkFile, writeDocumentText, writeWorkFile } from '../documents.ts';
import { commandsText, conventionsText, clipped, LONGEST } from '../words/project-facts.ts';
import { askRole, askTogether, isStopped, type RoleRequest, type Stopped, stoppedReport } from '../role-call.ts';
import { itemAt } from '../../../domain/items.ts';
import { sectionText, titleOf } from '../../../kernel/ground/spec-sections.ts';
import { callRole } from '../../../kernel/roles/call-role.ts';
import { scanForWorkflow } from '../../../kernel/ground/scan-conventions.ts';
import { waiting, type Step } from './contract.ts';

type Persona = 'architect' | 'senior-developer' | 'qa-specialist';
const PERSONAS: Readonly<Record<'standard' | 'multi', readonly Persona[]>> = {
  standard: ['architect', 'senior-developer'],
  multi: ['architect', 'senior-developer', 'qa-specialist'],
};

/** A change that a person wants in the spec that was made. */
export interface Revision {
  spec: string;
  wish: string;
}

const NOTHING = '(none)';

/** Writes the spec; anew, where a person wants it changed. Null: it is there. */
export async function makePlan(bench: Bench, revision: Revision | null = null): Promise<Stopped | null> {
  const { place, session } = bench;
  const planner = session.mode === 'single' ? await singlePlanner(bench) : await synthesis(bench, session.mode);
  if (isStopped(planner)) return planner;
  const { role, variables } = planner;
  const answer = await askRole(bench, {
    role,
    variables: { ...variables, revision: revisionText(revision) },
    output: 'spec.md',
    model: session.model_config.advisor,
    tree: await planningTree(bench),
  });
  if (isStopped(answer)) return answer;
  const original = await readDocumentText(place, session, ORIGINAL_SPEC);
  await writeDocumentText(place, session, 'spec.md', keepCriteria(original, answer.text));
  bench.done(answer.line ?? documentPath(session, 'spec.md'));
  return null;
}

async function singlePlanner(bench: Bench): Promise<Pick<RoleRequest, 'role' | 'variables'>> {
  return { role: 'planner-single', variables: await plannerVariables(bench) };
}

async function synthesis(bench: Bench, mode: 'standard' | 'multi'): Promise<Pick<RoleRequest, 'role' | 'variables'> | Stopped> {
  const { session } = bench;
  const proposals = await propose(bench, PERSONAS[mode]);
  if (isStopped(proposals)) return proposals;
  const variables = {
    task_description: fence('task', session.task),
    user_lang: session.user_lang,
    all_proposals: labelled('proposal', proposals),
  };
  if (mode === 'standard') return { role: 'synthesis-standard', variables };
  const critiques = await criticise(bench, proposals);
  if (isStopped(critiques)) return critiques;
  return { role: 'synthesis', variables: { ...variables, all_critiques: labelled('critique', critiques) } };
}

type Texts = ReadonlyMap<Persona, string>;

async function propose(bench: Bench, personas: readonly Persona[]): Promise<Texts | Stopped> {
  const variables = await plannerVariables(bench);
  const texts = await fill(bench, personas, 'proposal', async (persona) => ({ role: persona, variables }));
  if (isStopped(texts)) return texts;
  bench.done(bench.words.plan.proposals({ count: texts.size }));
  return texts;
}

async function criticise(bench: Bench, proposals: Texts): Promise<Texts | Stopped> {
  const { session } = bench;
  const texts = await fill(bench, [...proposals.keys()], 'critique', async (persona) => ({
    role: 'cross-critique',
    lane: `critique-${persona}`,
    variables: {
      task_description: fence('task', session.task),
      user_lang: session.user_lang,
      persona,
      other_proposals: labelled('proposal', new Map([...proposals].filter(([author]) => author !== persona))),
    },
  }));
  if (isStopped(texts)) return texts;
  bench.done(bench.words.plan.critiques({ count: texts.size }));
  return texts;
}

/** Texts that are there already, and the rest from their roles, all at the same time. */
async function fill(
  bench: Bench,
  personas: readonly Persona[],
  kind: 'proposal' | 'critique',
  request: (persona: Persona) => Promise<Pick<RoleRequest, 'role' | 'lane' | 'variables'>>,
): Promise<Texts | Stopped> {
  const { place, session } = bench;
  const nameOf = (persona: Persona): string => `${kind}_${persona.replaceAll('-', '_')}.md`;
  const known = new Map<Persona, string>();
  for (const persona of personas) {
    const text = await readWorkFile(place, 'planner', nameOf(persona));
    if (text !== null) known.set(persona, text);
  }
  const open = personas.filter((persona) => !known.has(persona));
  const tree = await planningTree(bench);
  const requests = await Promise.all(
    open.map(async (persona) => ({ ...(await request(persona)), model: session.model_config.advisor, output: nameOf(persona), tree })),
  );
  const stopped = await askTogether(bench, requests, async (answer, at) => {
    known.set(itemAt(open, at), answer.text);
    await writeWorkFile(place, 'planner', nameOf(itemAt(open, at)), answer.text);
  });
  return stopped ?? new Map(personas.map((persona) => [persona, known.get(persona) ?? '']));
}

function labelled(kind: string, texts: Texts): string {
  return [...texts].map(([author, text]) => fence(`${kind} of the ${author}`, clipped(text, LONGEST.proposal))).join('\n\n');
}

async function plannerVariables(bench: Bench): Promise<Record<string, string>> {
  const { place, session } = bench;
  return {
    task_description: fence('task', session.task),
    repo_name: session.repo_name,
    lang: session.lang,
    scope: session.scope,
    user_lang: session.user_lang,
    conventions: await conventionsText(place, session),
    commands: commandsText(session),
    qa_discovery_notes: await notes(bench, 'qa_notes.md'),
    critic_findings: await notes(bench, 'critic_findings.md'),
  };
}

/** Missing notes are normal; notes that cannot be read are told and left out. */
async function notes(bench: Bench, name: string): Promise<string> {
  const { place, session, words } = bench;
  try {
    const text = await readDocumentText(place, session, name);
    return text === null || text.trim() === '' ? NOTHING : fence(name, text);
  } catch (error) {
    bench.warn(
      words.plan.notesUnreadable({ path: documentPath(session, name), why: error instanceof Error ? error.message : String(error) }),
    );
    return NOTHING;
  }
}

/** The code, with what the output directory held before the session, so that a task can name it. */
function planningTree({ place, session }: Bench): Promise<string> {
  return withDocuments(place, session, currentTree(session), ['spec.md', ...PERSISTED_DOCUMENTS]);
}

function revisionText(revision: Revision | null): string {
  if (revision === null) return NOTHING;
  return `The spec as it stands:\n\n${fence('spec', revision.spec)}\n\nWhat the person wants changed:\n\n${fence('wish', revision.wish)}`;
}

/** The planned spec, with the criteria of the original at its end where they do not stand in it as they are. */
export function keepCriteria(original: string | null, planned: string): string {
  if (original === null) return planned;
  const criteria = (sectionText(original, 'acceptance') ?? '').trim();
  if (criteria === '' || squeezed(planned).includes(squeezed(criteria))) return planned;
  return `${planned.trimEnd()}\n\n## ${titleOf(original, 'acceptance')}\n\n${criteria}\n`;
}

/** White space at line ends and empty lines make no difference. */
function squeezed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

/** The conventions of the project, before the plan. */
export async function scan(bench: Bench): Promise<Step> {
  const { place, session, words } = bench;
  const result = await scanForWorkflow(
    place,
    {
      flow: 'workflow',
      conventions: session.conventions,
      docsPath: session.docs_path,
      language: session.user_lang,
      lang: session.lang,
      scope: session.scope,
      models: session.model_config,
      tree: currentTree(session),
      reference: null,
      failedScans: session.harness.failed_scans,
    },
    { callRole, endsCommand: (stop) => stop.reason !== 'agent.failed' },
  );
  if (result.kind === 'waits') return { kind: 'end', report: waiting(words.halted.waits({ gate: result.gate })) };
  if (result.kind === 'stopped') return { kind: 'end', report: stoppedReport(bench, 'workflow/convention-scanner', result.stop) };
  if (result.kind === 'reset') return { kind: 'event', event: { type: 'scan.reset' } };
  for (const warning of result.warnings) bench.warn(warning);
  if (result.kind === 'tried') return { kind: 'event', event: { type: 'scan.tried', failed: result.failedScans } };
  bench.tell(result.message);
  return { kind: 'event', event: { type: 'scanned', conventions: result.conventions } };
}
