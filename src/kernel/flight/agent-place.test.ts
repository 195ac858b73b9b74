import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConfigSchema } from '../../config/schema.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { createPlaceBench, type PlaceBench } from '../test-support.ts';
import { makeAgentPlace } from './agent-place.ts';

let bench: PlaceBench;
beforeAll(() => void (bench = createPlaceBench({ git: true })));
afterAll(() => bench.dispose());

const SET = {
  ANTHROPIC_API_KEY: 'a',
  ANTHROPIC_BASE_URL: 'b',
  OPENAI_API_KEY: 'c',
  CODEX_API_KEY: 'd',
  AWS_SECRET_ACCESS_KEY: 'e',
  MINE: 'f',
};

async function namesFor(backend: string, env: string[] = []): Promise<string[]> {
  const { agent } = ConfigSchema.parse({ project: { name: 'x' }, testing: { full: 'true' }, agent: { backend, env } });
  return await bench.hold('true', async (place) => {
    const ground = { ...place, platform: nodePlatform({ ...place.platform.env, ...SET }), config: { ...place.config, agent } };
    const made = await makeAgentPlace(ground, { path: bench.root, folder: bench.folder });
    return Object.keys(SET).filter((name) => name in made.env);
  });
}

test('a backend gets the variables by which it logs in, and of the others only those that are named', async () => {
  expect(await namesFor('claude-code')).toEqual(['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL']);
  expect(await namesFor('codex', ['MINE'])).toEqual(['OPENAI_API_KEY', 'CODEX_API_KEY', 'MINE']);
  expect(await namesFor('command')).toEqual([]);
  expect(await namesFor('acp', ['ANTHROPIC_API_KEY'])).toEqual(['ANTHROPIC_API_KEY']);
});

test('a manager that the project pins in another version runs as it is, as it does for the judge', async () => {
  const pins = async (manifest: string): Promise<string | undefined> => {
    const place = bench.folder;
    await writeFile(join(place, 'package.json'), manifest);
    return await bench.hold('true', async (ground) => {
      const { env } = await makeAgentPlace(ground, { path: place, folder: bench.folder });
      return env['npm_config_manage_package_manager_versions'];
    });
  };
  expect(await pins('{ "name": "x" }')).toBeUndefined();
  expect(await pins('{ "name": "x", "packageManager": "pnpm@10.33.4" }')).toBe('false');
});
