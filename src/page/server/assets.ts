/** The page's own files, as the build left them beside the program. They contain no data. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Platform } from '../../platform/platform.ts';

export interface Asset {
  type: string;
  body: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const NAMES = ['index.html', 'app.js', 'app.css', 'icon.svg'] as const;
export type AssetName = (typeof NAMES)[number];

/** From `dist/main.cjs`, and from the sources in a test. */
const PLACES = ['./page', '../../../dist/page'];

export async function readAssets(platform: Platform): Promise<ReadonlyMap<AssetName, Asset>> {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  for (const folder of folders) {
    if (!(await platform.files.exists(join(folder, 'index.html')))) continue;
    const read = async (name: AssetName): Promise<[AssetName, Asset]> => [
      name,
      { type: TYPES[name.slice(name.lastIndexOf('.'))] ?? 'application/octet-stream', body: await platform.files.read(join(folder, name)) },
    ];
    return new Map(await Promise.all(NAMES.map(read)));
  }
  throw new Error('the page is not built: npm run build');
}
