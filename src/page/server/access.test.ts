import { expect, test } from 'vitest';
import { admit, type Door, type Knock } from './serve.ts';

const TOKEN = 'a'.repeat(64);
const DOOR: Door = { port: 4747, token: TOKEN, proxy: null, readonly: false };
const HOST = '127.0.0.1:4747';
const ORIGIN = `http://${HOST}`;

const knock = (method: string, path: string, headers: Knock['headers'] = {}): Knock => ({
  method,
  path,
  headers: { host: HOST, ...headers },
});
const withToken = { 'x-harness-token': TOKEN };

test.each([
  ['the page needs the right host alone', knock('GET', '/'), 'page'],
  ['its files too', knock('HEAD', '/assets/app.js'), 'page'],
  ['data need the token', knock('GET', '/api/projects', withToken), 'api'],
  ['a write needs its own origin', knock('POST', '/api/p/x/pause', { ...withToken, origin: ORIGIN }), 'api'],
  [
    'by its other name as well',
    knock('POST', '/api/p/x/pause', { ...withToken, host: 'localhost:4747', origin: 'http://localhost:4747' }),
    'api',
  ],
] as const)('%s', (_name, request, room) => expect(admit(DOOR, request)).toBe(room));

test.each([
  ['no token', knock('GET', '/api/projects')],
  ['a wrong token', knock('GET', '/api/projects', { 'x-harness-token': 'b'.repeat(64) })],
  ['a token that begins well', knock('GET', '/api/projects', { 'x-harness-token': TOKEN.slice(0, 63) })],
  ['a token in a cookie', knock('GET', '/api/projects', { cookie: `token=${TOKEN}` })],
  ['a name that was rebound to this address', knock('GET', '/api/projects', { ...withToken, host: 'evil.example:4747' })],
  ['the page by such a name', knock('GET', '/', { host: 'evil.example:4747' })],
  ['another port', knock('GET', '/api/projects', { ...withToken, host: '127.0.0.1:3000' })],
  ['no host', { method: 'GET', path: '/', headers: {} }],
  ['a write without an origin', knock('POST', '/api/p/x/pause', withToken)],
  ['a write from a lane’s web server on another port', knock('POST', '/api/p/x/pause', { ...withToken, origin: 'http://127.0.0.1:3000' })],
  ['a write from a file', knock('POST', '/api/p/x/pause', { ...withToken, origin: 'null' })],
  ['one host and another origin of the page', knock('POST', '/api/p/x/pause', { ...withToken, origin: 'http://localhost:4747' })],
  ['a read from a foreign page', knock('GET', '/api/projects', { ...withToken, origin: 'http://evil.example' })],
  ['a preflight', knock('OPTIONS', '/api/p/x/pause', { ...withToken, origin: 'http://evil.example' })],
  ['another method', knock('DELETE', '/api/p/x', { ...withToken, origin: ORIGIN })],
  ['a write to the page', knock('POST', '/', { ...withToken, origin: ORIGIN })],
] as const)('refused: %s', (_name, request) => expect(admit(DOOR, request)).toBeNull());

test('--readonly serves no write at all', () => {
  const door = { ...DOOR, readonly: true };
  expect(admit(door, knock('POST', '/api/p/x/pause', { ...withToken, origin: ORIGIN }))).toBeNull();
  expect(admit(door, knock('GET', '/api/projects', withToken))).toBe('api');
});

test('a reverse proxy is let in by the address in the user’s settings', () => {
  const door = { ...DOOR, proxy: new URL('https://harness.example') };
  const headers = { ...withToken, host: 'harness.example', origin: 'https://harness.example' };
  expect(admit(door, knock('POST', '/api/p/x/pause', headers))).toBe('api');
  expect(admit(DOOR, knock('POST', '/api/p/x/pause', headers))).toBeNull();
});
