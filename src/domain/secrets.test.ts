import { expect, test } from 'vitest';
import { containsSecret, redacted, secretsIn } from './secrets.ts';

test.each([
  ['API_KEY=abcd1234efgh', ['abcd1234efgh']],
  ['export STRIPE_SECRET="with blanks 12"', ['with blanks 12']],
  ["db_password: 'hunter2hunter2'", ['hunter2hunter2']],
  ['{ "token": "t0k3n-of-mine", "port": 8080 }', ['t0k3n-of-mine']],
  ['SESSION=f3Zk9QpW1xLr7TmB2vYc8Ns', ['f3Zk9QpW1xLr7TmB2vYc8Ns']],
  ['PORT=3000\nNODE_ENV=development\nDATABASE_URL=postgres://localhost:5432/app', []],
  ['GREETING=supercalifragilisticexpialidocious', []],
  ['API_KEY=\nTOKEN=short\nUSE_KEYS=true', []],
  ['# API_KEY=commented-out-value', []],
])('%j', (text, values) => {
  expect(secretsIn(text).map(({ value }) => value)).toEqual(values);
});

test('a secret is found as it stands and as base64, and hidden', () => {
  const [secret] = secretsIn('API_KEY=abcd1234efgh');
  expect(containsSecret('const k = "abcd1234efgh";', secret!)).toBe(true);
  expect(containsSecret(`const k = "${Buffer.from('abcd1234efgh').toString('base64')}";`, secret!)).toBe(true);
  expect(containsSecret('abcd 1234', secret!)).toBe(false);
  expect(redacted('key abcd1234efgh, abcd1234efgh', [secret!])).toBe('key [hidden], [hidden]');
});
