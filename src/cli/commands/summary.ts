/** `harness summary`: what the sessions since a time came to. */
import { join } from 'node:path';
import { CONFIG_FILE, loadConfig } from '../../config/read-config.ts';
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { readPast } from '../../flows/project/look/past.ts';
import { openProject } from '../../flows/project/project.ts';
import { summarise } from '../../flows/project/look/summary.ts';
import { workerSummaries } from '../../flows/worker/look.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Command } from '../command.ts';
import { textOption } from '../options.ts';
import { summaryLines } from '../summary-lines.ts';
import { workerLines } from '../worker-text.ts';

export const run: Command = async ({ platform, root, store, output, options }) => {
  const since = sinceOption(textOption(options, 'since'), platform.clock.now());
  const workers = await workerSummaries(platform, store.where(), since);
  const lines = workerLines(workers);
  if (workers.length > 0 && !(await hasFeatureList(platform, root))) {
    output.object({ workers }, lines.join('\n'));
    return { exitCode: EXIT.done };
  }
  const past = await readPast(await openProject(platform, root, { emit: output.emit, journal: false }));
  const summary = summarise(past, since);
  const text = [...summaryLines(summary), ...(lines.length === 0 ? [] : ['', ...lines])].join('\n');
  output.object(workers.length === 0 ? summary : { ...summary, workers }, text);
  return { exitCode: EXIT.done };
};

/** Workers need no project around them. */
async function hasFeatureList(platform: Platform, root: string): Promise<boolean> {
  if (!(await platform.files.exists(join(root, CONFIG_FILE)))) return false;
  const { config } = await loadConfig(platform, root);
  return await platform.files.exists(join(root, config.paths.features));
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `12h`, `2d`, `90m`, or a time. */
function sinceOption(value: string | null, now: number): string | null {
  if (value === null) return null;
  const span = /^(\d{1,6})([mhd])$/.exec(value);
  const instant = span === null ? Date.parse(value) : now - Number(span[1]) * UNITS[span[2] as keyof typeof UNITS];
  if (Number.isNaN(instant))
    throw usageError(
      `--since does not understand "${value}".`,
      'fix: give a span such as 12h, 2d or 90m, or a time such as 2026-11-15T22:00',
    );
  return new Date(instant).toISOString();
}
