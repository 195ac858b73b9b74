import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { credentialPaths, CREDENTIAL_PATHS } from './credential-paths.ts';

test('every path that is hidden is listed in the documentation', () => {
  const page = readFileSync(new URL('../../docs/policy.md', import.meta.url), 'utf8');
  const missing = Object.values(CREDENTIAL_PATHS).flatMap((paths) => paths.filter((path) => !page.includes(`\`${path}\``)));
  expect(missing).toEqual([]);
});

test('logins are found where the environment has moved them', () => {
  const env = { HOME: '/u', XDG_CACHE_HOME: '/c', KUBECONFIG: '/k/a:/k/b:relative', CARGO_HOME: '/cargo', HF_HOME: 'relative' };
  const paths = credentialPaths(env);
  expect(paths).toEqual(expect.arrayContaining(['/u/.npmrc', '/c/huggingface/token', '/k/a', '/k/b', '/cargo/credentials.toml']));
  expect(paths.every((path) => path.startsWith('/'))).toBe(true);
  expect(credentialPaths({})).toEqual([]);
});
