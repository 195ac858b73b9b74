/**
 * Pictures that the harness's own browser took: those of a verdict in its folder, those that were accepted under `pictures/<feature>/`.
 *
 * What was accepted is what later visits are compared with. It is replaced when a verdict has landed, by a person's word or without, and
 * only by steady pictures of a visit without problems.
 */
import type { SeenPage, Verdict } from '../../domain/verdict.ts';
import type { AcceptedPictures } from '../../verify/contract.ts';
import type { Shelf } from '../../store/shelf.ts';
import type { PictureFile } from '../../verify/visual/see-page.ts';
import type { Place as WholePlace } from '../place.ts';

type Place = Pick<WholePlace, 'shelf'>;

export function pictureFolder({ shelf }: Place, verdict: string): Shelf {
  return shelf.in('verdicts').in(verdict).in('pictures');
}

export async function writePictures(place: Place, verdict: string, pictures: readonly PictureFile[]): Promise<void> {
  for (const { file, bytes } of pictures) await pictureFolder(place, verdict).write(file, bytes);
}

export function acceptedPictures(place: Place): AcceptedPictures {
  const all = place.shelf.in('pictures');
  return {
    features: async () => (await all.list()).filter((name) => /^\d+$/.test(name)).map(Number),
    accepted: async (feature) => {
      const folder = all.in(String(feature));
      const names = (await folder.list()).filter((name) => name.endsWith('.png'));
      const pictures = names.map(async (name) => ({ name: name.slice(0, -4), bytes: await folder.readBytes(name) }));
      return (await Promise.all(pictures)).flatMap(({ name, bytes }) => (bytes === null ? [] : [{ name, bytes: Buffer.from(bytes) }]));
    },
  };
}

/** The verdict's commit has landed. Can be done again after a crash. */
export async function adoptPictures(place: Place, verdict: Verdict): Promise<void> {
  for (const page of verdict.seen ?? []) if (page.problems.length === 0) await adopt(place, verdict.id, page);
}

async function adopt(place: Place, verdict: string, page: SeenPage): Promise<void> {
  const folder = place.shelf.in('pictures').in(String(page.feature));
  const steady = page.pictures.filter((picture) => picture.steady);
  for (const { name, file } of steady) {
    const bytes = await pictureFolder(place, verdict).readBytes(file);
    if (bytes !== null) await folder.write(`${name}.png`, bytes);
  }
  const kept = new Set(page.pictures.map(({ name }) => `${name}.png`));
  for (const name of await folder.list()) if (!kept.has(name)) await folder.remove(name);
}
