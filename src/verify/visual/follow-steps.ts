/**
 * The steps of a visit, one after the other, as a person would follow them.
 *
 * 1. The first step that the page does not allow ends the visit; a picture of that moment is taken.
 * 2. Steps that nobody could follow are told. After one that would have done something to the page, an expectation that fails says nothing
 *    about the page: it is told as not followed, too.
 * 3. There is always a picture of the end.
 */
import { isLoopback } from '../../domain/loopback.ts';
import type { Clock } from '../../platform/platform.ts';
import type { Page } from './page.ts';
import type { ReadStep, Target, VisitStep } from './steps.ts';

export interface TakenPicture {
  name: string;
  bytes: Buffer;
}

export interface Followed {
  /** Sentences against the page. Empty: it shows what the steps say. */
  problems: string[];
  /** Steps that were not followed. */
  unread: string[];
  followed: number;
  pictures: TakenPicture[];
  /** What the page showed at the end, in words. */
  shows: string;
}

export interface Route {
  /** Where the visit begins, when its first step does not say so. */
  url: string;
  steps: readonly ReadStep[];
  /** False: what serves the page has ended already, and nobody will answer. */
  mayAnswer(): Promise<boolean>;
}

const ANSWER_MS = 30_000;
const STEP_MS = 5_000;
const LOOK_EVERY_MS = 100;
const AT_THE_END = 'at-the-end';
const AT_THE_FAILURE = 'where-it-failed';

type Done = { kind: 'done' } | { kind: 'unread' } | { kind: 'failed'; why: string };

const DONE: Done = { kind: 'done' };

export async function followSteps(clock: Clock, page: Page, route: Route): Promise<Followed> {
  const result: Followed = { problems: [], unread: [], followed: 0, pictures: [], shows: '' };
  const first = await arrive(clock, page, route);
  if (first !== null) return { ...result, problems: [first] };
  const beginsThere = route.steps[0]?.step.kind === 'visit';
  let astray = false;
  for (const { sentence, step } of route.steps.slice(beginsThere ? 1 : 0)) {
    const done = step.kind === 'screenshot' ? await take(page, step.name, result) : await follow(clock, page, step, route.url);
    if (done.kind === 'unread' || (done.kind === 'failed' && astray)) {
      result.unread.push(sentence);
      astray ||= step.kind !== 'unread' || step.acts;
    } else if (done.kind === 'failed') {
      result.problems.push(`“${sentence}”: ${done.why}`);
      await take(page, AT_THE_FAILURE, result);
      break;
    } else result.followed++;
  }
  if (beginsThere) result.followed++;
  if (result.problems.length === 0 && !endsWithPicture(route.steps)) await take(page, AT_THE_END, result);
  return { ...result, shows: await textOf(page) };
}

function endsWithPicture(steps: readonly ReadStep[]): boolean {
  return (
    steps.findLast(({ step }) => step.kind !== 'expect' && step.kind !== 'console' && step.kind !== 'address')?.step.kind === 'screenshot'
  );
}

/** To the first page, as soon as somebody answers there. */
async function arrive(clock: Clock, page: Page, route: Route): Promise<string | null> {
  const [first] = route.steps;
  const address = first?.step.kind === 'visit' ? addressOf(first.step.to, route.url) : route.url;
  if (address === null) return `“${first?.sentence ?? route.url}” leads away from this machine`;
  const until = clock.monotonic() + ANSWER_MS;
  for (;;) {
    const { error, status } = await page.visit(address);
    if (error === null) return status !== null && status >= 400 ? `${address} answered with status ${status}` : null;
    if (!(await route.mayAnswer())) return `nothing answers at ${address}: its startup command ended (${error})`;
    if (clock.monotonic() > until) return `nothing answered at ${address} for ${ANSWER_MS / 1_000} s (${error})`;
    await clock.sleep(LOOK_EVERY_MS);
  }
}

/** Null: not on this machine. */
function addressOf(to: string, url: string): string | null {
  const address = URL.canParse(to, url) ? new URL(to, url).href : null;
  return address !== null && isLoopback(address) ? address : null;
}

async function take(page: Page, name: string, result: Followed): Promise<Done> {
  result.pictures.push({ name, bytes: await page.picture() });
  return DONE;
}

async function follow(clock: Clock, page: Page, step: VisitStep, url: string): Promise<Done> {
  switch (step.kind) {
    case 'visit':
      return await visit(page, step.to, url);
    case 'reload':
      return await page.reload().then(() => DONE);
    case 'click':
      return await act(clock, page, step.target, async () => {
        const found = await page.act('point', step.target);
        if (typeof found['x'] === 'number' && typeof found['y'] === 'number') await page.click(found['x'], found['y']);
        return found;
      });
    case 'fill':
      return await act(clock, page, step.target, async () => {
        const found = await page.act('focus', step);
        if (found['done'] === false) await page.type(step.text);
        return found;
      });
    case 'choose':
      return await act(clock, page, step.target, () => page.act('choose', step));
    case 'press':
      await page.press(step.key);
      return await page.settle().then(() => DONE);
    case 'wait':
      return await clock.sleep(step.ms).then(() => DONE);
    case 'resize':
      await page.resize(step.width, step.height);
      return await page.settle().then(() => DONE);
    case 'expect':
      return await expectTexts(clock, page, step);
    case 'address':
      return await expectAddress(clock, page, step.contains);
    case 'console':
    case 'screenshot':
      return DONE;
    case 'unread':
      return { kind: 'unread' };
  }
}

async function visit(page: Page, to: string, url: string): Promise<Done> {
  const address = addressOf(to, url);
  if (address === null) return { kind: 'unread' };
  const { error, status } = await page.visit(address);
  if (error !== null) return { kind: 'failed', why: `nothing answers at ${address} (${error})` };
  return status !== null && status >= 500 ? { kind: 'failed', why: `${address} answered with status ${status}` } : DONE;
}

/** Again and again until the page has the thing and lets itself be used, or time is over. */
async function act(clock: Clock, page: Page, target: Target, attempt: () => Promise<Record<string, unknown>>): Promise<Done> {
  let why = '';
  const found = await until(clock, async () => {
    const { missing, problem } = await attempt();
    why = missing === true ? `the page has no ${nameOf(target)}` : typeof problem === 'string' ? problem : '';
    return missing !== true && problem === undefined;
  });
  if (found) return await page.settle().then(() => DONE);
  return !target.sure && why.startsWith('the page has no') ? { kind: 'unread' } : { kind: 'failed', why };
}

function nameOf(target: Target): string {
  return 'selector' in target ? target.selector : `“${target.name}”`;
}

async function expectTexts(clock: Clock, page: Page, step: Extract<VisitStep, { kind: 'expect' }>): Promise<Done> {
  const holds = await until(clock, async () => {
    const { shown, any } = await page.act('shows', step);
    return step.present ? shown === true : any !== true;
  });
  if (holds) return DONE;
  if (!step.present) return { kind: 'failed', why: 'the page still shows it' };
  const text = await textOf(page);
  return { kind: 'failed', why: `the page does not show it; ${text === '' ? 'it shows nothing' : `it shows “${text.slice(0, 200)}”`}` };
}

async function textOf(page: Page): Promise<string> {
  const { text } = await page.act('text');
  return typeof text === 'string' ? text : '';
}

async function expectAddress(clock: Clock, page: Page, contains: string): Promise<Done> {
  let address: unknown = '';
  const holds = await until(clock, async () => {
    ({ address } = await page.act('state'));
    return typeof address === 'string' && address.includes(contains);
  });
  return holds ? DONE : { kind: 'failed', why: `the address is ${String(address)}` };
}

async function until(clock: Clock, holds: () => Promise<boolean>): Promise<boolean> {
  const end = clock.monotonic() + STEP_MS;
  for (;;) {
    if (await holds()) return true;
    if (clock.monotonic() > end) return false;
    await clock.sleep(LOOK_EVERY_MS);
  }
}
