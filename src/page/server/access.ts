/**
 * Who gets in. Pure.
 *
 * 1. Every request names the address that the page is bound to; any other `Host` may be a name that a stranger's page rebound.
 * 2. Data need the token in a header, which no foreign page can set without a preflight, and preflights get nothing.
 * 3. A write also needs the page's own `Origin`. There are no cookies: those know no ports.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Door {
  port: number;
  token: string;
  /** Address of a reverse proxy, from the user's own settings. */
  proxy: URL | null;
  readonly: boolean;
}

export interface Knock {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

export type Room = 'page' | 'api';

/** Null: refused. */
export function admit(door: Door, { method, path, headers }: Knock): Room | null {
  const origins = [`http://127.0.0.1:${door.port}`, `http://localhost:${door.port}`, ...(door.proxy === null ? [] : [door.proxy.origin])];
  const hosts = origins.map((origin) => new URL(origin).host);
  const host = headers.host ?? '';
  if (!hosts.includes(host)) return null;
  const isRead = method === 'GET' || method === 'HEAD';
  if (!isApi(path)) return isRead ? 'page' : null;
  if (!isSame(headers['x-harness-token'], door.token)) return null;
  if (isRead) return headers.origin === undefined || isOwn(origins, headers.origin, host) ? 'api' : null;
  if (method !== 'POST' || door.readonly) return null;
  return isOwn(origins, headers.origin, host) ? 'api' : null;
}

function isApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

function isOwn(origins: readonly string[], origin: string | undefined, host: string): boolean {
  return origin !== undefined && origins.includes(origin) && new URL(origin).host === host;
}

/** In the same time, whatever is given. */
function isSame(given: string | string[] | undefined, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token));
}
