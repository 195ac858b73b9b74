/**
 * Pictures that the harness's own browser took: those of a verdict in its folder, those that were accepted under `pictures/<feature>/`.
 *
 * What was accepted is what later visits are compared with. It is replaced when a verdict has landed, by a person's word or without, and
 * only by steady pictures of a visit without problems.
 */
import { join } from 'node:path';
import type { SeenPage, Verdict } from '../../domain/verdict.ts';
import type { AcceptedPictures } from '../../verify/contract.ts';
import type { PictureFile } from '../../verify/visual/see-page.ts';
import type { FlightPlace } from './contract.ts';

type Place = Pick<FlightPlace, 'platform' | 'stateDir'>;

export function pictureFolder({ stateDir }: Pick<Place, 'stateDir'>, verdict: string): string {
  return join(stateDir, 'verdicts', verdict, 'pictures');
}

export async function writePictures(place: Place, verdict: string, pictures: readonly PictureFile[]): Promise<void> {
  if (pictures.length === 0) return;
  const folder = pictureFolder(place, verdict);
  await place.platform.files.mkdir(folder);
  for (const { file, bytes } of pictures) await place.platform.files.writeAtomic(join(folder, file), bytes);
}

export function acceptedPictures(place: Place): AcceptedPictures {
  const { files } = place.platform;
  const all = join(place.stateDir, 'pictures');
  return {
    features: async () => (await files.list(all).catch(() => [])).filter(({ name }) => /^\d+$/.test(name)).map(({ name }) => Number(name)),
    accepted: async (feature) => {
      const folder = join(all, String(feature));
      const names = (await files.list(folder).catch(() => [])).filter((entry) => entry.isFile() && entry.name.endsWith('.png'));
      return await Promise.all(names.map(async ({ name }) => ({ name: name.slice(0, -4), bytes: await files.read(join(folder, name)) })));
    },
  };
}

/** The verdict's commit has landed. Can be done again after a crash. */
export async function adoptPictures(place: Place, verdict: Verdict): Promise<void> {
  for (const page of verdict.seen ?? []) if (page.problems.length === 0) await adopt(place, verdict.id, page);
}

async function adopt(place: Place, verdict: string, page: SeenPage): Promise<void> {
  const { files } = place.platform;
  const folder = join(place.stateDir, 'pictures', String(page.feature));
  await files.mkdir(folder);
  const steady = page.pictures.filter((picture) => picture.steady);
  for (const { name, file } of steady) {
    const from = join(pictureFolder(place, verdict), file);
    if (await files.exists(from)) await files.writeAtomic(join(folder, `${name}.png`), await files.read(from));
  }
  const kept = new Set(page.pictures.map(({ name }) => `${name}.png`));
  for (const { name } of await files.list(folder)) if (!kept.has(name)) await files.remove(join(folder, name));
}
