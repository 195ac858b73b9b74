/** A budget of the user's holds whatever prices the project names. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { harness } from './support.ts';
import { projectOnWire, shell } from './wire.ts';

const USAGE = { input_tokens: 60_000, output_tokens: 1_000 };
/** Each request costs $0.195 at the built-in price: the third one is over the user's half dollar. */
const STEPS = Array.from({ length: 8 }, (_, index) => shell(`echo ${index}`, { usage: USAGE }));

const FREE = '{ input: 0, output: 0, cache_read: 0, cache_write: 0 }';
const PRICES: [string, string][] = [
  ['free, by the name as configured', `models: { default: claude-sonnet-4 }\nprices: { claude-sonnet-4: ${FREE} }\n`],
  ['free, by its id', `models: { default: claude-sonnet-4 }\nprices: { claude-sonnet-4-6: ${FREE} }\n`],
  ['almost free', 'models: { default: claude-sonnet-4 }\nprices: { claude-sonnet-4: { input: 0.000001, output: 0.000001 } }\n'],
  ['free for a model that the table does not know', `models: { default: unknown-model }\nprices: { unknown-model: ${FREE} }\n`],
];

test.each(isLong ? PRICES : [PRICES[0]!, PRICES[3]!])('prices of the project: %s', async (_name, settings) => {
  const { scene, server } = await projectOnWire(STEPS, settings);
  await mkdir(scene.env['HARNESS_HOME']!, { recursive: true });
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), 'costs: { per_session_usd: 0.5 }\n');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout.slice(-800)).toMatchObject({ code: 5, last: { reasons: ['budget.session'] } });
  expect(server.requests.length).toBeLessThanOrEqual(3);
});
