/**
 * A visit: the tree that is judged is started in its room, and a real browser looks at it.
 *
 * 1. Server and browser share a loopback network with nobody else; neither sees the other's files or processes, and the browser sees
 *    nothing of the room. What it says comes over its own pipe, which only the harness holds.
 * 2. Where that cannot be had, nothing is visited, and `why` says so: a page is never judged by a server that stands elsewhere.
 * 3. Without a problem, everything that the steps say was seen, nothing went wrong in the console, and all of the page was loaded.
 */
import type { Readable } from 'node:stream';
import { findBrowser, NO_BROWSER } from '../../platform/find-browser.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RunContext } from '../contract.ts';
import { tailOf } from '../run/plain-text.ts';
import { withRunSpace, type RunSpace } from '../run/run-space.ts';
import type { StartedBeside } from '../run/start-beside.ts';
import { DevtoolsError, openDevtools } from './devtools.ts';
import { followSteps, type Followed } from './follow-steps.ts';
import { openPage, VIEWPORT } from './page.ts';
import type { ReadStep } from './steps.ts';

export interface VisitRequest {
  tree: string;
  /** Which of the clean rooms. */
  room: { name: string; fresh?: boolean };
  url: string;
  /** Shell command that serves the tree. */
  startup: string;
  steps: readonly ReadStep[];
  /** Parts of console errors that are no problem. */
  allowed: readonly string[];
}

export interface Visit extends Followed {
  /** Addresses that the page wanted and that a visit without a network cannot reach. */
  outside: string[];
}

export type VisitResult = { kind: 'visited'; visit: Visit } | { kind: 'unable'; why: string };

const WHOLE_VISIT_MS = 180_000;
const SERVER_LINES = 400;
const MOST_COMPLAINTS = 8_000;

export async function visitTree(platform: Platform, context: RunContext, request: VisitRequest): Promise<VisitResult> {
  const browser = await findBrowser(platform);
  if (browser === null) return unable(NO_BROWSER);
  const room = await context.rooms.prepare(request.tree, request.room);
  const paths = (await context.trees.list(request.tree)).map((entry) => entry.path);
  return await withRunSpace(platform, context, room, async (space) => {
    const started = await startBrowser(space, browser, { start: request.startup, paths });
    if (started === null) return unable('no sandbox to serve the page in (see harness doctor)');
    const said = listenTo(started.process.stderr);
    try {
      return await inTime(platform, context, started, lookAround(platform, started, request));
    } catch (error) {
      if (error instanceof DevtoolsError) return unable(`the browser could not be used: ${[error.message, ...said()].join('; ')}`);
      throw error;
    } finally {
      await started.process.stop(500);
      context.signal?.throwIfAborted();
    }
  });
}

function unable(why: string): VisitResult {
  return { kind: 'unable', why };
}

/** The browser's own sandbox cannot be made inside ours, which is the stricter one. */
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--remote-debugging-pipe',
  '--disable-blink-features=AutomationControlled',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--hide-scrollbars',
  '--lang=en-US',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-proxy-server',
  '--password-store=basic',
  `--window-size=${VIEWPORT.width},${VIEWPORT.height}`,
];

/** The pipe of the protocol is descriptors 3 and 4; ours are the standard ones. /tmp is the sandbox's own. */
const THROUGH_STANDARD =
  'export HOME=/tmp XDG_CACHE_HOME=/tmp/cache XDG_CONFIG_HOME=/tmp/config TMPDIR=/tmp; exec "$@" 3<&0 4>&1 > /dev/null';

function startBrowser(
  space: RunSpace,
  browser: string,
  server: { start: string; paths: readonly string[] },
): Promise<StartedBeside | null> {
  return space.startBeside(server, {
    file: '/bin/sh',
    programs: [browser],
    args: ['-c', THROUGH_STANDARD, 'sh', browser, ...FLAGS, '--user-data-dir=/tmp/profile', 'about:blank'],
  });
}

async function lookAround(platform: Platform, started: StartedBeside, { url, steps, allowed }: VisitRequest): Promise<Visit> {
  const { clock, random } = platform;
  const devtools = openDevtools(clock, { input: started.process.stdin, output: started.process.stdout });
  const page = await openPage(clock, devtools, { allowed, mark: random.id(8) });
  const mayAnswer = async (): Promise<boolean> => !(await started.hasFailed());
  const followed = await followSteps(clock, page, { url, steps, mayAnswer });
  const problems = [...followed.problems, ...page.troubles.errors()];
  return { ...followed, problems: await withOutput(started, problems), outside: page.troubles.outside() };
}

/** What the server printed helps whoever has to repair it. */
async function withOutput(started: StartedBeside, problems: string[]): Promise<string[]> {
  const printed = problems.length === 0 ? '' : tailOf(await started.output(), SERVER_LINES).trim();
  return printed === '' ? problems : [...problems, `the server printed: ${printed}`];
}

async function inTime(platform: Platform, context: RunContext, started: StartedBeside, looking: Promise<Visit>): Promise<VisitResult> {
  const done = new AbortController();
  const signal = context.signal === undefined ? done.signal : AbortSignal.any([done.signal, context.signal]);
  const over = platform.clock.sleep(WHOLE_VISIT_MS, signal).then(() => null);
  try {
    const visit = await Promise.race([looking, over]);
    if (visit !== null) return { kind: 'visited', visit };
    looking.catch(() => {});
    const problems = await withOutput(started, [`the visit took longer than ${WHOLE_VISIT_MS / 1_000} s`]);
    return { kind: 'visited', visit: { problems, unread: [], followed: 0, pictures: [], shows: '', outside: [] } };
  } finally {
    done.abort();
  }
}

/** What a browser died of, where it says so. */
function listenTo(stream: Readable): () => string[] {
  let heard = '';
  stream.on('error', () => {});
  stream.on('data', (chunk: Buffer) => (heard = (heard + chunk.toString('utf8')).slice(-MOST_COMPLAINTS)));
  return () =>
    tailOf(heard, MOST_COMPLAINTS)
      .split('\n')
      .filter((line) => line.includes('FATAL'))
      .slice(-1);
}
