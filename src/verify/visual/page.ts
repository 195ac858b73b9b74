/**
 * One page of a browser, as somebody who sits in front of it has it: visit, look, click, type, take a picture.
 *
 * 1. Nothing tells the page that it is visited by a program: name of the browser and `navigator.webdriver` are those of any other.
 * 2. `troubles` are what a person finds in the console and on the network: errors that nobody caught, errors that were logged, parts of the
 *    page that did not load. Answers that a script asked for and was refused are the script's own business.
 */
import pageScript from '../../../assets/visual/page-script.cjs';
import type { Clock } from '../../platform/platform.ts';
import { isRecord, text } from '../runners/results.ts';
import type { Devtools, DevtoolsEvent } from './devtools.ts';
import { createTroubles, type Troubles } from './troubles.ts';
import type { PressedKey } from './steps.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

export interface Page {
  troubles: Troubles;
  /** What stands against it; null: the page is there. `status`: of the page itself, where there was an answer. */
  visit(address: string): Promise<{ error: string | null; status: number | null }>;
  reload(): Promise<void>;
  /** Runs an action of the page script. */
  act(action: string, input?: unknown): Promise<Record<string, unknown>>;
  click(x: number, y: number): Promise<void>;
  type(words: string): Promise<void>;
  press(key: PressedKey): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  /** Until nothing is loaded any more, or a few seconds have passed. */
  settle(): Promise<void>;
  /** A PNG of what can be seen. */
  picture(): Promise<Buffer>;
}

export const VIEWPORT = { width: 1280, height: 720 } as const;
const SETTLE_MS = 3_000;
const CALM_MS = 250;
const LOOK_EVERY_MS = 50;
const WORLD = 'visitor';

export async function openPage(clock: Clock, devtools: Devtools, options: { allowed: readonly string[]; mark: string }): Promise<Page> {
  const { targetId } = await devtools.call('Target.createTarget', { url: 'about:blank' });
  const session = text((await devtools.call('Target.attachToTarget', { targetId, flatten: true }))['sessionId']);
  const frame = text(targetId);
  const call = (method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Record<string, unknown>> =>
    devtools.call(method, params, session);
  const troubles = createTroubles(options.allowed);
  const traffic = followTraffic(clock, frame);
  devtools.listen((event) => {
    if (event.session !== session) return;
    troubles.see(event);
    traffic.see(event);
    if (event.method === 'Page.javascriptDialogOpening') void call('Page.handleJavaScriptDialog', { accept: true }).catch(() => {});
  });
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await call(`${domain}.enable`);
  await pretendNothing(devtools, call);
  const resize: Page['resize'] = async (width, height) =>
    void (await call('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false }));
  await resize(VIEWPORT.width, VIEWPORT.height);
  const act = actIn(call, frame);
  const settle = async (): Promise<void> => {
    const until = clock.monotonic() + SETTLE_MS;
    while (clock.monotonic() < until) {
      const { ready } = await act('state').catch(() => ({ ready: '' }));
      if (ready === 'complete' && traffic.calmFor() >= CALM_MS) return;
      await clock.sleep(LOOK_EVERY_MS);
    }
  };
  return {
    troubles,
    act,
    settle,
    resize,
    visit: async (url) => {
      traffic.start();
      const { errorText } = await call('Page.navigate', { url });
      if (typeof errorText === 'string' && errorText !== '') return { error: errorText, status: null };
      await settle();
      return { error: null, status: traffic.status() };
    },
    reload: async () => {
      traffic.start();
      await call('Page.reload');
      await settle();
    },
    click: async (x, y) => {
      for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
        await call('Input.dispatchMouseEvent', { type, x, y, button: type === 'mouseMoved' ? 'none' : 'left', clickCount: 1 });
    },
    type: async (words) => void (await call('Input.insertText', { text: words })),
    press: async (key) => {
      const code = KEY_CODES[key];
      const typed = key === 'Enter' ? { text: '\r' } : {};
      await call('Input.dispatchKeyEvent', { type: 'keyDown', key, code: key, windowsVirtualKeyCode: code, ...typed });
      await call('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode: code });
    },
    picture: async () => {
      await settle();
      await act('calm', { mark: options.mark });
      const { data } = await call('Page.captureScreenshot', { format: 'png' });
      await act('restore', { mark: options.mark });
      return Buffer.from(text(data), 'base64');
    },
  };
}

const KEY_CODES: Readonly<Record<PressedKey, number>> = {
  Enter: 13,
  Tab: 9,
  Escape: 27,
  Backspace: 8,
  Delete: 46,
  ArrowUp: 38,
  ArrowDown: 40,
  ArrowLeft: 37,
  ArrowRight: 39,
  Home: 36,
  End: 35,
};

type Call = (method: string, params?: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;

async function pretendNothing(devtools: Devtools, call: Call): Promise<void> {
  const { userAgent } = await devtools.call('Browser.getVersion');
  await call('Emulation.setUserAgentOverride', { userAgent: text(userAgent).replace('HeadlessChrome', 'Chrome') });
  await call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'reduce' }] });
}

/** A world is gone with the document it was made for, and made anew once. */
function actIn(call: Call, frame: string): Page['act'] {
  let context: unknown = null;
  const once = async (action: string, input: unknown): Promise<Record<string, unknown>> => {
    context ??= (await call('Page.createIsolatedWorld', { frameId: frame, worldName: WORLD }))['executionContextId'];
    const { result, exceptionDetails } = await call('Runtime.callFunctionOn', {
      functionDeclaration: `(action, input) => {\n${pageScript}}`,
      executionContextId: context,
      arguments: [{ value: action }, { value: input }],
      returnByValue: true,
    });
    const value = isRecord(result) ? result['value'] : null;
    if (exceptionDetails !== undefined || !isRecord(value))
      throw new Error(`the page could not be evaluated: ${wordsOf(exceptionDetails)}`);
    return value;
  };
  return async (action, input = {}) => {
    try {
      return await once(action, input);
    } catch {
      context = null;
      return await once(action, input);
    }
  };
}

function wordsOf(details: unknown): string {
  const exception = isRecord(details) ? details['exception'] : null;
  return beforeFirst(isRecord(exception) ? text(exception['description']) : '', '\n');
}

interface Traffic {
  see(event: DevtoolsEvent): void;
  start(): void;
  /** Of the page's own document. */
  status(): number | null;
  /** For how long nothing has been under way. */
  calmFor(): number;
}

function followTraffic(clock: Clock, frame: string): Traffic {
  const open = new Set<unknown>();
  let quietSince = clock.monotonic();
  let status: number | null = null;
  return {
    start: () => {
      open.clear();
      status = null;
      quietSince = clock.monotonic();
    },
    status: () => status,
    calmFor: () => (open.size > 0 ? 0 : clock.monotonic() - quietSince),
    see: ({ method, params }) => {
      const { requestId, response, type } = params;
      if (method === 'Network.requestWillBeSent') open.add(requestId);
      if (method === 'Network.responseReceived' && type === 'Document' && params['frameId'] === frame && isRecord(response))
        status = typeof response['status'] === 'number' ? response['status'] : null;
      if ((method === 'Network.loadingFinished' || method === 'Network.loadingFailed') && open.delete(requestId))
        quietSince = clock.monotonic();
    },
  };
}
