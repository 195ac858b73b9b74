/**
 * The convention scan of both flows: look, ask where a person decides, let the scanner role write, copy.
 *
 * 1. Nothing here writes the session; the result says what its `conventions` field becomes. Only `.harness/conventions.md` is written.
 * 2. What a person chose and how often the scanner failed is a result of its own, written down before the next call, so that the same
 *    command goes on there.
 * 3. A scan counts when it left a usable file, whatever the scanner says about it.
 */
import { join } from 'node:path';
import type { Gate } from '../../domain/gate.ts';
import { askFor } from '../../gates/ask-for.ts';
import { fence } from '../../domain/fence.ts';
import type { Stop } from '../../session/contract.ts';
import type { Place } from '../place.ts';
import type { CallRole } from '../roles/contract.ts';
import { candidateRank, decideWorkflowScan, isExcluded, isRich, rankCandidates, type Candidate } from './conventions.ts';
import { countLines, MOST_BYTES, MOST_LINES, readGuidance } from '../roles/guidance-file.ts';
import { scannerModel, type RoleModels } from '../roles/models.ts';
import { readReference } from './reference.ts';
import { CONVENTIONS_FILE } from '../session-schema.ts';
import { wordsIn } from '../../domain/words.ts';
import { firstItem } from '../../domain/items.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface ScanSession {
  flow: 'workflow' | 'spec';
  /** The `conventions` field as it stands. */
  conventions: string | null;
  docsPath: string;
  language: string;
  /** Main language of the code, and what the task is limited to. */
  lang: string;
  scope: string;
  models: Pick<RoleModels, 'preset' | 'advisor'> | null;
  /** The tree that the scanner reads. */
  tree: string;
  /** `--reference`, already checked once; the spec flow's. */
  reference: string | null;
  /** Scans that failed since a person chose to scan; null before. */
  failedScans: number | null;
}

export interface ScanTools {
  callRole: CallRole;
  /** Stops that say nothing about the scanner's work: limits, people, the provider. */
  endsCommand(stop: Stop): boolean;
}

export type ScanResult =
  | { kind: 'settled'; conventions: 'skipped' | typeof CONVENTIONS_FILE; message: string; warnings: string[] }
  /** Written down before anything else happens; then the scan is due again. */
  | { kind: 'tried'; failedScans: number; warnings: string[] }
  /** The `conventions` field names a file that is nowhere: it is set back to null; then the scan is due again. */
  | { kind: 'reset' }
  | { kind: 'waits'; gate: string }
  | { kind: 'stopped'; stop: Stop };

export async function scanForWorkflow(place: Place, session: ScanSession, tools: ScanTools): Promise<ScanResult> {
  const say = wordsIn(session.language).common.conventions;
  const persisted = await readGuidance(place.platform, place.root, join(session.docsPath, 'conventions.md'), NO_LINKS);
  const claude = await readGuidance(place.platform, place.root, 'CLAUDE.md', ANY_LENGTH);
  const decision = decideWorkflowScan({
    recorded: session.conventions,
    live: await place.documents.readText('conventions').then((text) => text !== null),
    persisted: persisted.ok,
    claudeLines: claude.ok ? claude.lines : null,
  });
  if (decision.reset) return { kind: 'reset' };
  if (decision.next === 'keep') return settled(CONVENTIONS_FILE, say.scanned);
  if (decision.next === 'copy-persisted' && persisted.ok) return keep(place, persisted.text, say.persisted);
  if (decision.next === 'copy-claude' && claude.ok) return keep(place, claude.text, say.rich);
  return askAndScan(place, session, tools);
}

export async function scanForSpec(place: Place, session: ScanSession, tools: ScanTools): Promise<ScanResult> {
  const say = wordsIn(session.language).common.conventions;
  if (session.reference !== null) {
    const { path, text } = await readReference(place, session.reference, session.language);
    return keep(place, text, say.reference({ path }));
  }
  if (!place.hasGit) return chooseCandidate(place, session);
  const claude = await readGuidance(place.platform, place.root, 'CLAUDE.md', CAPPED);
  return claude.ok && isRich(claude.lines) ? keep(place, claude.text, say.rich) : askAndScan(place, session, tools);
}

const CAPPED = { noLinks: false, bytes: MOST_BYTES, lines: MOST_LINES };
const NO_LINKS = { ...CAPPED, noLinks: true };
/** The workflow sets no upper bound on a CLAUDE.md; this one keeps a mistake out of every prompt. */
const ANY_LENGTH = { noLinks: false, bytes: 1024 * 1024, lines: Number.MAX_SAFE_INTEGER };
const MOST_RETRIES = 2;

async function askAndScan(place: Place, session: ScanSession, tools: ScanTools): Promise<ScanResult> {
  if (session.failedScans !== null) return scanOnce(place, session, session.failedScans, tools);
  const gate = scanGate(session);
  const choice = await askFor(place, gate);
  if (choice.kind === 'waits') return choice;
  return choice.label === 'Skip' ? skipped(session) : { kind: 'tried', failedScans: 0, warnings: [] };
}

/** The spec flow tries again by itself; the workflow asks. */
async function scanOnce(place: Place, session: ScanSession, failed: number, tools: ScanTools): Promise<ScanResult> {
  const say = wordsIn(session.language).common.conventions;
  if (failed > MOST_RETRIES) return skipped(session);
  if (failed > 0 && session.flow === 'workflow') {
    const gate = failedGate(session);
    const choice = await askFor(place, gate);
    if (choice.kind === 'waits') return choice;
    if (choice.label === 'Skip') return skipped(session);
  }
  const scan = await callScanner(place, session, tools);
  if (scan.stop !== null) return { kind: 'stopped', stop: scan.stop };
  if (scan.text !== null) return keep(place, scan.text, say.scanned);
  return { kind: 'tried', failedScans: failed + 1, warnings: [say.fileMissing] };
}

function skipped(session: ScanSession): ScanResult {
  return settled('skipped', wordsIn(session.language).common.conventions.skipped);
}

/** The scanner's text, null when there is none that can be used; or what ends the command. */
async function callScanner(place: Place, session: ScanSession, tools: ScanTools): Promise<{ stop: Stop | null; text: string | null }> {
  const result = await tools.callRole(place, {
    role: 'workflow/convention-scanner',
    variables: {
      lang: session.lang,
      scope: fence('scope', session.scope),
      user_lang: session.language,
    },
    model: session.models === null ? null : scannerModel(session.models),
    output: 'conventions.md',
    language: session.language,
    lane: 'workflow-convention-scanner',
    tree: session.tree,
  });
  if (result.stop !== null && (result.stop.neverStarted === true || tools.endsCommand(result.stop)))
    return { stop: result.stop, text: null };
  const text = result.output ?? '';
  const usable = text.trim() !== '' && Buffer.byteLength(text) <= MOST_BYTES && countLines(text) <= MOST_LINES;
  return { stop: null, text: usable ? text : null };
}

async function chooseCandidate(place: Place, session: ScanSession): Promise<ScanResult> {
  const say = wordsIn(session.language).common.conventions;
  const { found, warnings } = await findCandidates(place, session.language);
  const ranked = rankCandidates(found);
  if (ranked.length === 0) return settled('skipped', say.skipped, warnings);
  let chosen = firstItem(ranked).path;
  if (ranked.length > 1) {
    const gate = candidateGate(session, ranked);
    const choice = await askFor(place, gate);
    if (choice.kind === 'waits') return choice;
    if (choice.label === 'Skip') return settled('skipped', say.skipped, warnings);
    chosen = choice.label;
  }
  const { text } = mustHave(
    found.find(({ path }) => path === chosen),
    'one of the files that were found is chosen',
  );
  return keep(place, text, say.reference({ path: chosen }), warnings);
}

async function findCandidates(place: Place, language: string): Promise<{ found: (Candidate & { text: string })[]; warnings: string[] }> {
  const say = wordsIn(language).common.conventions;
  const found: (Candidate & { text: string })[] = [];
  const warnings: string[] = [];
  for (const path of await candidatePaths(place)) {
    const file = await readGuidance(place.platform, place.root, path, NO_LINKS);
    if (!file.ok) {
      if (file.fault === 'leafLink' || file.fault === 'wayLink' || file.fault === 'mount' || file.fault === 'outside')
        warnings.push(say[file.fault]({ path }));
    } else if (isExcluded(await place.platform.files.realpath(join(place.root, path)))) warnings.push(say.excluded({ path }));
    else found.push({ path, lines: file.lines, text: file.text });
  }
  return { found, warnings };
}

/** The directory itself and `docs`, nothing below. */
async function candidatePaths(place: Place): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of ['', 'docs/']) {
    const entries = await place.platform.files.list(join(place.root, folder)).catch(() => []);
    paths.push(...entries.map(({ name }) => `${folder}${name}`).filter((path) => candidateRank(path) !== null));
  }
  return paths.toSorted();
}

function scanGate({ flow, language }: ScanSession): Omit<Gate, 'asked_at'> {
  const say = wordsIn(language).common.conventions;
  return gateOf(`${flow}.conventions`, language, {
    header: say.header,
    question: say.question,
    options: [
      { label: 'Scan', ...say.scan, recommended: true },
      { label: 'Skip', ...say.skip, recommended: false },
    ],
  });
}

function failedGate({ flow, language }: ScanSession): Omit<Gate, 'asked_at'> {
  const say = wordsIn(language).common.conventions;
  return gateOf(`${flow}.conventions-failed`, language, {
    header: say.failedHeader,
    question: say.failedQuestion,
    options: [
      { label: 'Retry', ...say.retry, recommended: true },
      { label: 'Skip', ...say.skip, recommended: false },
    ],
  });
}

function candidateGate({ flow, language }: ScanSession, candidates: readonly Candidate[]): Omit<Gate, 'asked_at'> {
  const say = wordsIn(language).common.conventions;
  return gateOf(`${flow}.conventions`, language, {
    header: say.header,
    question: say.chooseQuestion,
    options: [
      ...candidates.map(({ path, lines }, index) => ({ label: path, description: say.candidate({ lines }), recommended: index === 0 })),
      { label: 'Skip', ...say.skip, recommended: false },
    ],
  });
}

function gateOf(
  id: string,
  language: string,
  { header, question, options }: { header: string; question: string; options: Gate['options'] },
): Omit<Gate, 'asked_at'> {
  return { id, header, question, options, non_negotiable: false, context: [], language, words: false };
}

async function keep(place: Place, text: string, message: string, warnings: string[] = []): Promise<ScanResult> {
  await place.documents.writeText('conventions', text.endsWith('\n') ? text : `${text}\n`);
  return settled(CONVENTIONS_FILE, message, warnings);
}

function settled(conventions: 'skipped' | typeof CONVENTIONS_FILE, message: string, warnings: string[] = []): ScanResult {
  return { kind: 'settled', conventions, message, warnings };
}
