/**
 * What checks and reviewers want of a pull request, and what was done about it already.
 *
 * 1. A check counts for the commit that the branch is at; one that failed is taken up once for each commit, and only when none is running.
 * 2. A comment is taken up once, by its id, whatever is delivered when and how often. Only of people who may write to the repository.
 * 3. The harness's own comments carry a mark, by which they are known and written once.
 */
import type { Check, FollowHub, OpenPull, Remark } from './contract.ts';

/** What is remembered of a pull request. */
export interface Followed {
  number: number;
  branch: string;
  attempts: number;
  /** Ids of comments, and of checks by commit and name, that a session was begun for. */
  handled: readonly string[];
  /** A session was begun, and its reply is not written yet. */
  owes: { key: string; session: number } | null;
}

export interface Wish {
  id: string;
  /** For the prompt: data. */
  text: string;
}

export type Standing = { kind: 'quiet' } | { kind: 'pending' } | { kind: 'wishes'; wishes: Wish[] };

const LONGEST = 1_500;

export async function standingOf(hub: FollowHub, pull: OpenPull, followed: Pick<Followed, 'handled'>): Promise<Standing> {
  const checks = await hub.checks(pull.commit);
  if (checks.some(({ state }) => state === 'pending')) return { kind: 'pending' };
  const isNew = ({ id }: { id: string }): boolean => !followed.handled.includes(id);
  const failed = checks.filter(({ state }) => state === 'failed').map((check) => wishOf(pull.commit, check));
  const said: Wish[] = [];
  for (const remark of (await hub.remarks(pull.number)).filter(isNew))
    if (!isMarked(remark.body) && (await hub.mayWrite(remark.author))) said.push(wordsOf(remark));
  const wishes = [...failed.filter(isNew), ...said];
  return wishes.length === 0 ? { kind: 'quiet' } : { kind: 'wishes', wishes };
}

function wishOf(commit: string, { name, text }: Check): Wish {
  return { id: `check-${commit}-${name}`, text: `The check "${name}" fails.\n${text.slice(0, LONGEST)}`.trim() };
}

function wordsOf({ id, author, body, at }: Remark): Wish {
  return { id, text: `${author} comments${at === null ? '' : ` on ${at}`}:\n${body.slice(0, LONGEST)}` };
}

const MARK = '<!-- harness-follow ';

function isMarked(body: string): boolean {
  return body.includes(MARK);
}

/** Written once for each key, also after an answer that was lost. */
export async function replyOnce(hub: FollowHub, pull: number, { key, text }: { key: string; text: string }): Promise<void> {
  const mark = `${MARK}${key} -->`;
  if ((await hub.remarks(pull)).some(({ body }) => body.includes(mark))) return;
  await hub.reply(pull, `${text}\n\n${mark}`);
}
