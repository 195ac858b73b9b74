/**
 * Brings the mirror up to date: look, plan, carry out.
 *
 * 1. Every change is remembered as soon as GitHub has answered; what was not answered is found by its mark the next time.
 * 2. An issue is never created before it was looked for, also after an answer that was lost.
 * 3. An issue that is gone is asked about; nothing is created in its place before a person says so.
 * 4. Comments come before the change that they explain and are written once, however often a sync is cut off between the two.
 */
import {
  HubFailure,
  type Action,
  type Comment,
  type Hub,
  type Issue,
  type Listing,
  type MirroredFeature,
  type MirrorSettings,
  type Question,
  type Remembered,
} from './contract.ts';
import { hasCommentMark, withCommentMark, withIssueMark } from './mark.ts';
import { absorb, differs, seenAfter, type MirrorMemory } from './memory.ts';
import { brokenComment, explainComment, issueBody, issueTitle, verifiedComment } from './issue-text.ts';
import { mustHave } from '../domain/must-have.ts';

export interface SyncInput {
  hub: Hub;
  features: readonly MirroredFeature[];
  settings: MirrorSettings;
  memory: MirrorMemory;
  /** Written after each change. */
  remember(memory: MirrorMemory): Promise<void>;
  told(action: Action, issue: number): void;
  /** What a person says about an issue that is gone. */
  ask(feature: number, issue: number): Promise<'again' | 'leave' | 'pending'>;
  /** Looks also for issues that are gone; one more request for every hundred issues. */
  looksForGone: boolean;
  signal: AbortSignal;
}

/** How often something is written whose answer was lost. */
const TRIES = 3;

export async function previewSync(input: Pick<SyncInput, 'hub' | 'features' | 'settings' | 'memory'>): Promise<Action[]> {
  const { hub, features, settings, memory } = input;
  const listing = await hub.issues(question(memory));
  const issues = absorb(memory.issues, listing?.issues ?? [], settings.project);
  await markGone(hub, memory, listing, issues);
  return planSync(features, issues, settings);
}

/** Those that are remembered and not there. An issue that is there again is not gone. */
async function markGone(hub: Hub, { seenUntil }: MirrorMemory, listing: Listing | null, issues: Map<number, Remembered>): Promise<void> {
  const seen = new Set(listing?.issues.map(({ number }) => number));
  if ([...issues.values()].every(({ number }) => seen.has(number))) return;
  const all = seenUntil === null && listing !== null ? listing : await hub.issues({ since: null, etag: null });
  const there = new Set(all?.issues.map(({ number }) => number));
  for (const [feature, { gone, ...issue }] of issues)
    if (there.has(issue.number)) issues.set(feature, issue);
    else issues.set(feature, { ...issue, gone: gone ?? 'asked' });
}

/** Gives what was done. */
export async function syncMirror(input: SyncInput): Promise<Action[]> {
  const { hub, features, settings, memory } = input;
  const listing = await hub.issues(question(memory));
  const issues = absorb(memory.issues, listing?.issues ?? [], settings.project);
  if (input.looksForGone) await markGone(hub, memory, listing, issues);
  const isNews = differs(memory.issues, issues);
  const work: Work = { ...input, issues, done: [], remembers: () => input.remember({ ...memory, issues }) };
  for (const action of planSync(features, issues, settings)) await carryOut(work, action);
  await input.remember({ ...seenAfter(memory, listing, isNews || work.done.length > 0), issues });
  return work.done;
}

function question({ seenUntil, etag }: MirrorMemory): Question {
  return { since: seenUntil, etag };
}

interface Work extends SyncInput {
  issues: Map<number, Remembered>;
  done: Action[];
  remembers(): Promise<void>;
}

/** `isNew`: its issue was made just now; one that is gone all the same is left to the next sync. */
async function carryOut(work: Work, action: Action, isNew = false): Promise<void> {
  if (work.signal.aborted) throw new HubFailure('interrupted', 'the sync was interrupted');
  if (action.kind === 'ask') return await askAbout(work, action);
  const number = action.kind === 'create' ? await create(work, action) : await change(work, action);
  if (number === null) return isNew || action.kind === 'create' ? undefined : await gone(work, action);
  await work.remembers();
  work.done.push(action.kind === 'create' ? action : { ...action, issue: number });
  work.told(action, number);
}

async function create(work: Work, action: Extract<Action, { kind: 'create' }>): Promise<number> {
  const issue = await createOnce(work, action);
  work.issues.set(action.feature, { number: issue.number, state: issue.state, closedAt: issue.closedAt, ownClosing: null });
  return issue.number;
}

async function createOnce({ hub, settings }: Work, action: Extract<Action, { kind: 'create' }>): Promise<Issue> {
  return await onceAtMost(
    () => hub.create(action.title, action.body),
    async () => {
      const all = (await hub.issues({ since: null, etag: null }))?.issues ?? [];
      const number = absorb(new Map(), all, settings.project).get(action.feature)?.number;
      return all.find((issue) => issue.number === number) ?? null;
    },
  );
}

/** Writes; after an answer that was lost it looks first whether the writing took place. */
async function onceAtMost<Result>(write: () => Promise<Result>, look: () => Promise<Result | null>): Promise<Result> {
  for (let tried = 1; ; tried++) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof HubFailure) || error.kind !== 'network' || tried === TRIES) throw error;
      const there = await look();
      if (there !== null) return there;
    }
  }
}

/** Null: there is no such issue any more. */
async function change(work: Work, action: Exclude<Action, { kind: 'create' | 'ask' }>): Promise<number | null> {
  const { hub, issues, settings } = work;
  const { feature } = action;
  const number = action.issue ?? issues.get(feature)?.number ?? null;
  const before = number === null ? null : await hub.issue(number);
  if (number === null || before === null || !(await commentOnce(hub, number, action.comment))) return null;
  if (action.kind === 'explain') return number;
  const state = action.kind === 'close' ? 'closed' : 'open';
  const after = await hub.change(number, { state, body: withIssueMark(before.body, { project: settings.project, feature, state }) });
  if (after === null) return null;
  const { closedAt } = after;
  issues.set(feature, { number, state: after.state, closedAt, ownClosing: state === 'closed' ? (closedAt ?? '') : null });
  return number;
}

/** False: there is no such issue any more. */
async function commentOnce(hub: Hub, issue: number, { key, text }: Comment): Promise<boolean> {
  const isThere = async (): Promise<boolean | null> => (await hub.comments(issue))?.some((body) => hasCommentMark(body, key)) ?? null;
  const there = await isThere();
  if (there === null) return false;
  if (there) return true;
  const write = async (): Promise<true> => {
    await hub.comment(issue, withCommentMark(text, key));
    return true;
  };
  return await onceAtMost(write, async () => ((await isThere()) === true ? true : null));
}

/** Found out only now, when it was to be changed. */
async function gone(work: Work, { feature, issue }: Exclude<Action, { kind: 'create' | 'ask' }>): Promise<void> {
  const known = work.issues.get(feature);
  if (known === undefined) return;
  work.issues.set(feature, { ...known, gone: 'asked' });
  await askAbout(work, { kind: 'ask', feature, issue: issue ?? known.number });
}

async function askAbout(work: Work, action: Extract<Action, { kind: 'ask' }>): Promise<void> {
  const { feature, issue } = action;
  const answer = await work.ask(feature, issue);
  if (answer === 'pending') {
    work.done.push(action);
    return await work.remembers();
  }
  const wanted = work.features.find(({ id }) => id === feature);
  if (answer === 'leave' || wanted === undefined) {
    work.issues.set(feature, { ...mustHave(work.issues.get(feature), 'the issue in question is known'), gone: 'left_out' });
    return await work.remembers();
  }
  work.issues.delete(feature);
  for (const made of createActions(wanted, work.settings)) await carryOut(work, made, true);
}

/**
 * What has to be done so that the issues say what the feature list says. Pure.
 *
 * 1. Created: features without an issue, if the settings say so. Closed: open issues of features that pass, new ones among them.
 * 2. Reopened: issues that the harness itself closed, of features that pass no more. What a person closed is left alone.
 * 3. An issue of a passing feature that a person opened is closed again with the proof, or explained where closing is off.
 */
function planSync(features: readonly MirroredFeature[], issues: ReadonlyMap<number, Remembered>, settings: MirrorSettings): Action[] {
  return features.flatMap((feature): Action[] => {
    const issue = issues.get(feature.id);
    if (issue === undefined) return settings.createMissing ? createActions(feature, settings) : [];
    return forIssue(feature, issue, settings);
  });
}

function createActions(feature: MirroredFeature, { project, closeOnVerify }: MirrorSettings): Action[] {
  const body = withIssueMark(issueBody(feature), { project, feature: feature.id, state: 'open' });
  const created: Action = { kind: 'create', feature: feature.id, title: issueTitle(feature), body };
  return feature.passes && closeOnVerify
    ? [created, { kind: 'close', feature: feature.id, issue: null, comment: verifiedComment(feature) }]
    : [created];
}

function forIssue(feature: MirroredFeature, issue: Remembered, { closeOnVerify }: MirrorSettings): Action[] {
  const about = { feature: feature.id, issue: issue.number };
  if (issue.gone !== undefined) return issue.gone === 'asked' ? [{ kind: 'ask', ...about }] : [];
  if (feature.passes && issue.state === 'open') {
    if (closeOnVerify) return [{ kind: 'close', ...about, comment: verifiedComment(feature) }];
    return issue.ownClosing === null ? [] : [{ kind: 'explain', ...about, comment: explainComment(feature) }];
  }
  const closedByHarness = issue.closedAt !== null && issue.closedAt === issue.ownClosing;
  if (!feature.passes && issue.state === 'closed' && closedByHarness)
    return [{ kind: 'reopen', ...about, comment: brokenComment(feature, issue.closedAt ?? '') }];
  return [];
}
