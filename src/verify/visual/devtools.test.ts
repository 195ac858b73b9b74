import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { openDevtools, type Devtools, type DevtoolsEvent } from './devtools.ts';
import { createTroubles } from './troubles.ts';

/** The browser's side of the pipe. */
function pipe(): { devtools: Devtools; output: PassThrough; sent(): { id: number; method: string; sessionId?: string }[] } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const sent = (): { id: number; method: string }[] =>
    ((input.read() as Buffer | null)?.toString() ?? '')
      .split('\0')
      .filter((part) => part !== '')
      .map((part) => JSON.parse(part) as { id: number; method: string });
  return { devtools: openDevtools(nodePlatform({}).clock, { input, output }), output, sent };
}

test('answers find their calls, whatever the pieces they come in, and events go to whoever listens', async () => {
  const { devtools, output, sent } = pipe();
  const events: DevtoolsEvent[] = [];
  devtools.listen((event) => events.push(event));
  const [one, two] = [devtools.call('A.one'), devtools.call('B.two', { x: 1 }, 'page')];
  const [first, second] = sent();
  expect([first, second]).toMatchObject([{ method: 'A.one' }, { method: 'B.two', sessionId: 'page' }]);
  const text = [
    { id: second!.id, result: { b: 2 } },
    { method: 'Page.loaded', params: { at: 3 }, sessionId: 'page' },
    { id: first!.id, result: { a: 'ä' } },
  ]
    .map((message) => `${JSON.stringify(message)}\0`)
    .join('');
  for (const byte of Buffer.from(text)) output.write(Buffer.from([byte]));
  expect(await Promise.all([one, two])).toEqual([{ a: 'ä' }, { b: 2 }]);
  expect(events).toEqual([{ method: 'Page.loaded', params: { at: 3 }, session: 'page' }]);
});

test('a call that the browser refuses, and one that it does not live to answer, fail in words', async () => {
  const { devtools, output, sent } = pipe();
  const refused = devtools.call('A.one');
  output.write(`${JSON.stringify({ id: sent()[0]!.id, error: { message: 'no such thing' } })}\0`);
  await expect(refused).rejects.toThrow('no such thing');
  const lost = devtools.call('A.two');
  output.end();
  await expect(lost).rejects.toThrow('the browser ended');
  await expect(devtools.call('A.three')).rejects.toThrow('the browser ended');
});

test('troubles are what a person finds in the console and on the network', () => {
  const troubles = createTroubles(['third-party']);
  const see = (method: string, params: Record<string, unknown>): void => troubles.see({ method, params, session: '' });
  const request = (requestId: string, url: string, type: string): void =>
    see('Network.requestWillBeSent', { requestId, type, request: { url } });
  see('Runtime.exceptionThrown', {
    exceptionDetails: { url: 'http://127.0.0.1/a.js', lineNumber: 4, exception: { description: 'TypeError: x\n at y' } },
  });
  see('Runtime.consoleAPICalled', { type: 'error', args: [{ value: 'broken' }, { description: 'Error: z' }] });
  see('Runtime.consoleAPICalled', { type: 'log', args: [{ value: 'fine' }] });
  see('Runtime.consoleAPICalled', { type: 'error', args: [{ value: 'third-party noise' }] });
  see('Log.entryAdded', { entry: { level: 'error', source: 'network', text: '404' } });
  see('Network.responseReceived', { type: 'Script', response: { status: 404, url: 'http://127.0.0.1/missing.js' } });
  see('Network.responseReceived', { type: 'Other', response: { status: 404, url: 'http://127.0.0.1/favicon.ico' } });
  see('Network.responseReceived', { type: 'Fetch', response: { status: 401, url: 'http://127.0.0.1/login' } });
  see('Network.responseReceived', { type: 'Fetch', response: { status: 500, url: 'http://127.0.0.1/api' } });
  request('1', 'https://cdn.example.org/font.woff2', 'Font');
  see('Network.loadingFailed', { requestId: '1', errorText: 'net::ERR_INTERNET_DISCONNECTED' });
  request('2', 'http://127.0.0.1/logo.png', 'Image');
  see('Network.loadingFailed', { requestId: '2', errorText: 'net::ERR_EMPTY_RESPONSE' });
  expect(troubles.errors()).toEqual([
    'uncaught error: TypeError: x (/a.js:5)',
    'console error: broken Error: z',
    '/missing.js answered with status 404',
    '/api answered with status 500',
    '/logo.png could not be loaded (net::ERR_EMPTY_RESPONSE)',
  ]);
  expect(troubles.outside()).toEqual(['https://cdn.example.org/font.woff2']);
});
