/** What a person finds in a browser's console and on its network, told from the events of the DevTools protocol. Pure but for its lists. */
import { isLoopback } from '../../domain/loopback.ts';
import { isRecord, text } from '../runners/results.ts';
import type { DevtoolsEvent } from './devtools.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

export interface Troubles {
  see(event: DevtoolsEvent): void;
  /** One sentence each. */
  errors(): string[];
  /** Addresses outside of this machine that the page wanted; a visit has no network. */
  outside(): string[];
}

const MOST = 20;
const LONGEST = 300;
/** Parts of the page itself. What scripts ask for with these types is theirs to deal with, as long as the server did not fail. */
const ASKED_BY_SCRIPTS = new Set(['XHR', 'Fetch', 'EventSource', 'WebSocket', 'Ping', 'Preflight']);

export function createTroubles(allowed: readonly string[]): Troubles {
  const errors: string[] = [];
  const outside = new Set<string>();
  const addresses = new Map<unknown, { url: string; type: string }>();
  const add = (words: string): void => {
    const sentence = words.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST);
    if (errors.length < MOST && !errors.includes(sentence) && !allowed.some((part) => sentence.includes(part))) errors.push(sentence);
  };
  const answered = ({ response, type }: DevtoolsEvent['params']): void => {
    if (!isRecord(response) || typeof response['status'] !== 'number' || response['status'] < 400 || type === 'Document') return;
    const url = text(response['url']);
    if (isFavicon(url) || (ASKED_BY_SCRIPTS.has(text(type)) && response['status'] < 500)) return;
    add(`${pathOf(url)} answered with status ${response['status']}`);
  };
  const failed = ({ requestId, errorText, canceled }: DevtoolsEvent['params']): void => {
    const asked = addresses.get(requestId);
    if (asked === undefined || canceled === true || asked.type === 'Document' || isFavicon(asked.url)) return;
    if (!isLoopback(asked.url)) return void (outside.size < MOST && outside.add(asked.url.slice(0, LONGEST)));
    if (!ASKED_BY_SCRIPTS.has(asked.type)) add(`${pathOf(asked.url)} could not be loaded (${text(errorText)})`);
  };
  return {
    errors: () => [...errors],
    outside: () => [...outside],
    see: ({ method, params }) => {
      if (method === 'Runtime.exceptionThrown') add(`uncaught error: ${thrown(params['exceptionDetails'])}`);
      if (method === 'Runtime.consoleAPICalled' && (params['type'] === 'error' || params['type'] === 'assert'))
        add(`console error: ${spoken(params['args'])}`);
      if (method === 'Log.entryAdded' && isRecord(params['entry'])) {
        const { level, source, text: words } = params['entry'];
        if (level === 'error' && source !== 'network') add(`${text(source)} error: ${text(words)}`);
      }
      if (method === 'Network.requestWillBeSent' && isRecord(params['request']) && addresses.size < 10_000)
        addresses.set(params['requestId'], { url: text(params['request']['url']), type: text(params['type']) });
      if (method === 'Network.responseReceived') answered(params);
      if (method === 'Network.loadingFailed') failed(params);
    },
  };
}

function thrown(details: unknown): string {
  if (!isRecord(details)) return '';
  const exception = isRecord(details['exception']) ? details['exception'] : {};
  const words = beforeFirst(text(exception['description']), '\n') || text(exception['value']) || text(details['text']);
  const url = text(details['url']);
  return url === '' ? words : `${words} (${pathOf(url)}:${Number(details['lineNumber'] ?? 0) + 1})`;
}

function spoken(args: unknown): string {
  const words = (Array.isArray(args) ? args : []).map((one: unknown) => {
    if (!isRecord(one)) return '';
    return typeof one['value'] === 'string'
      ? one['value']
      : beforeFirst(text(one['description']), '\n') || JSON.stringify(one['value'] ?? null);
  });
  return words.join(' ');
}

function isFavicon(url: string): boolean {
  return /\/favicon\.[a-z]+(?:\?|$)/.test(url);
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
