/**
 * The browser of this machine: Chromium or one made of it, as its distribution or its vendor installs it.
 *
 * `CHROME_PATH` names another one; where it names nothing that is there, there is none. No program is started to find out.
 */
import { delimiter, join } from 'node:path';
import type { Platform } from './platform.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge', 'brave-browser'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

export const NO_BROWSER = 'no browser is installed here (Chromium or Chrome; harness doctor says how to get one)';
export const BROWSER_REMEDY = 'sudo apt-get install chromium (Debian, Ubuntu), sudo dnf install chromium (Fedora), or Google Chrome';

export async function findBrowser({ env, files }: Pick<Platform, 'env' | 'files'>): Promise<string | null> {
  const named = env['CHROME_PATH'];
  if (named !== undefined && named !== '') return (await files.exists(named)) ? named : null;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  const places = [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...APPLICATIONS];
  for (const place of places) if (await files.exists(place)) return place;
  return null;
}
