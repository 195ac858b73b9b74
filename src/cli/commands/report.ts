/** `harness report --html FILE`: what happened, in one file that opens anywhere and asks nobody for anything. */
import { dirname, resolve } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { readAssets } from '../../page/server/assets.ts';
import { reportPage } from '../../page/server/report-page.ts';
import { readToken } from '../../page/server/token.ts';
import { openReader } from '../../reading/open-reader.ts';
import { reportData } from '../../reading/report-data.ts';
import type { Command } from '../command.ts';
import { numberOption, textOption } from '../options.ts';
import { sinceOption } from '../since-option.ts';

export const run: Command = async ({ platform, root, cwd, options, output }) => {
  const file = resolve(cwd, textOption(options, 'html') ?? 'report.html');
  if (!(await platform.files.exists(dirname(file))))
    throw usageError(`There is no directory ${dirname(file)}.`, 'Check the path given with --html.');
  const session = numberOption(options, 'session');
  const since = sinceOption(textOption(options, 'since'), platform.clock.now());
  const secrets = [await readToken(platform, { renew: false })];
  const data = await reportData(platform, openReader(platform, 'report', root), { session, since, secrets });
  const html = reportPage(await readAssets(platform), data, `${data.now.name}: report`);
  await platform.files.writeAtomic(file, html);
  const bytes = Buffer.byteLength(html);
  const sessions = Object.keys(data.sessions).length;
  output.object(
    { file, bytes, sessions },
    `Wrote ${file}: ${sessions} ${sessions === 1 ? 'session' : 'sessions'}, ${Math.round(bytes / 1_000)} kB. Keys, tokens and home paths are left out; look through it before you publish it.`,
  );
  return { exitCode: EXIT.done };
};
