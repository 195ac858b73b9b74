/**
 * Where the page gets its data: the server, with the token in a header, or the report file that it is part of.
 *
 * 1. The token comes in the address once, moves to this tab's storage and leaves the address.
 * 2. A tab without one asks the other tabs of this page, and shows one line where nobody answers.
 */
import { signal } from '@preact/signals';
import { reportScriptId } from '../../reading/report-script.ts';
import type { ReportData } from '../../reading/views.ts';

export type Access = 'waiting' | 'open' | 'none';

export const access = signal<Access>('waiting');
export const readOnly = signal(false);
export const report = signal<ReportData | null>(null);
/** Whether the server answered last time. */
export const reachable = signal(true);

const KEY = 'harness-token';
let token: string | null = null;

export async function enter(): Promise<void> {
  const embedded = document.getElementById(reportScriptId);
  if (embedded !== null) {
    showReport(JSON.parse(embedded.textContent ?? 'null') as ReportData);
    return;
  }
  const given = /^#token=([0-9a-f]+)/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', `${location.pathname}#/`);
  }
  token = sessionStorage.getItem(KEY) ?? (await askOtherTabs());
  answerOtherTabs();
  if (token === null) {
    access.value = 'none';
    return;
  }
  sessionStorage.setItem(KEY, token);
  const page = await get<{ readonly: boolean; report: ReportData | null }>('page').catch((error: unknown) => {
    // Refused: the token ended. Unreachable: the server may come back.
    if (error instanceof Refused && error.status === 403) access.value = 'none';
    return null;
  });
  if (page?.report) showReport(page.report);
  readOnly.value = page?.readonly ?? false;
  if (access.peek() === 'waiting') access.value = 'open';
}

function showReport(data: ReportData): void {
  report.value = data;
  readOnly.value = true;
  access.value = 'open';
  if (!location.hash.startsWith('#/p/')) location.replace(`#/p/${data.now.id}/night`);
}

const CHANNEL = 'harness-page';
const ASK_MS = 400;

function askOtherTabs(): Promise<string | null> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    const done = (found: string | null): void => {
      channel.close();
      resolve(found);
    };
    channel.addEventListener('message', ({ data }: MessageEvent<{ token?: string }>) => {
      if (typeof data.token === 'string') done(data.token);
    });
    channel.postMessage({ ask: true });
    setTimeout(() => done(null), ASK_MS);
  });
}

function answerOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<{ ask?: boolean }>) => {
    if (data.ask === true && token !== null) channel.postMessage({ token });
  });
}

export class Refused extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(messageIn(body) ?? `The server answered ${status}.`);
    this.status = status;
    this.body = body;
  }
}

function messageIn(body: unknown): string | null {
  const error = (body as { error?: { message?: string; details?: string[] } } | null)?.error;
  return error?.message === undefined ? null : [error.message, ...(error.details ?? [])].join(' ');
}

export async function get<T>(path: string): Promise<T> {
  const embedded = report.peek();
  if (embedded !== null) return fromReport(embedded, path) as T;
  return (await ask(path, {})) as T;
}

export async function post(path: string, body: unknown): Promise<unknown> {
  return await ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });
}

async function ask(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(`/api/${path}`, { ...init, headers: { ...init.headers, 'X-Harness-Token': token ?? '' } }).catch(() => {
    reachable.value = false;
    throw new Error('The page’s server does not answer. It may have ended: run harness ui.');
  });
  reachable.value = true;
  const text = await response.text();
  const body: unknown = text === '' ? null : JSON.parse(text);
  if (response.status === 403) access.value = 'none';
  if (!response.ok) throw new Refused(response.status, body);
  return body;
}

function fromReport(data: ReportData, path: string): unknown {
  const [, , view = '', number = ''] = path.replace(/\?.*$/, '').split('/');
  if (path === 'projects') return [];
  if (view === 'sessions') {
    const found = data.sessions[number];
    if (found === undefined) throw new Error(`Session ${number} is not part of this report.`);
    return found;
  }
  const known: Record<string, unknown> = { state: data.now, ...data, hidden: { tests: [] } };
  return known[view] ?? null;
}

/** Lines of events after a number, one call for each; ends when the connection does. */
export async function follow(path: string, signal: AbortSignal, hear: (line: string) => void): Promise<void> {
  const response = await fetch(`/api/${path}`, { headers: { 'X-Harness-Token': token ?? '' }, signal });
  if (!response.ok || response.body === null) throw new Refused(response.status, null);
  reachable.value = true;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = `${rest}${value}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') hear(line);
  }
}
