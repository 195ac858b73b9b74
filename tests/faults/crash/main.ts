/** `npm run crash`: every durable operation of every command under every fault, and real kills. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SUBJECTS } from './commands.ts';
import { drive } from './drive.ts';
import type { Fault } from './faulty-platform.ts';
import { killRandomly } from './kills.ts';

export async function main(argv: readonly string[], root: string): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      kills: { type: 'string', default: '200' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      every: { type: 'string' },
      offset: { type: 'string' },
      at: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  });
  const scratch = mkdtempSync(join(tmpdir(), 'harness-crash-'));
  const [point, fault] = values.at?.split(':') ?? [];
  let losses = 0;
  try {
    const chosen = SUBJECTS.filter((subject) => values.only === undefined || subject.name === values.only);
    if (chosen.length === 0 && values.only !== 'kills')
      console.error(`There is no command ${values.only ?? ''}. Known: ${SUBJECTS.map((subject) => subject.name).join(', ')}, kills.`);
    for (const subject of chosen) {
      const begin = performance.now();
      const driven = await drive(subject, {
        scratch,
        every: Number(values.every ?? (values.quick ? 10 : 1)),
        offset: Number(values.offset ?? 0),
        allFaults: !values.quick,
        tell: (line) => console.log(line),
        ...(point === undefined ? {} : { only: { point: Number(point), fault: fault as Fault } }),
      });
      losses += driven.losses.length;
      console.log(
        `${driven.subject}: ${driven.points} points, ${driven.faults} faults, ${driven.losses.length} losses (${((performance.now() - begin) / 1000).toFixed(0)} s)`,
      );
    }
    if (values.only === undefined || values.only === 'kills') {
      const kills = await killRandomly({
        program: join(root, 'bin/harness.js'),
        scratch,
        kills: Number(values.kills),
        seed: Number(values.seed),
        tell: (line) => console.log(line),
      });
      losses += kills.losses.length;
      console.log(`real kills: ${kills.kills} kills in ${kills.rounds} rounds, ${kills.losses.length} losses (seed ${values.seed})`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return losses === 0 ? 0 : 1;
}
