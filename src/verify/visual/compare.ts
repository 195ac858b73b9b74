/**
 * How far two pictures of the same state differ, and a picture of where. Pure.
 *
 * Points whose colours are close count as the same: edges of letters are never drawn quite alike. What one picture has and the other one
 * lacks, because their sizes differ, counts as different.
 */
import { decodePng, encodePng, type Points } from './png.ts';
import { byteAt } from './picture.ts';

export interface PictureDifference {
  /** Of all points, 0 to 1. */
  share: number;
  /** A PNG: what is the same is pale, what differs is red. */
  picture: Buffer;
}

/** How far a colour may be off, of 255. */
const TOLERANCE = 24;

/** Null: one of them cannot be read. */
export function comparePictures(before: Buffer, after: Buffer): PictureDifference | null {
  if (before.equals(after)) return { share: 0, picture: after };
  const [one, other] = [decodePng(before), decodePng(after)];
  return one === null || other === null ? null : differ(one, other);
}

function differ(one: Points, other: Points): PictureDifference {
  const width = Math.max(one.width, other.width);
  const height = Math.max(one.height, other.height);
  const rgba = new Uint8Array(width * height * 4).fill(255);
  let different = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const to = (y * width + x) * 4;
      const [here, there] = [at(one, x, y), at(other, x, y)];
      if (here !== null && there !== null && isClose(one.rgba, here, other.rgba, there)) {
        const grey =
          255 - Math.round((255 - (byteAt(other.rgba, there) + byteAt(other.rgba, there + 1) + byteAt(other.rgba, there + 2)) / 3) / 4);
        rgba.fill(grey, to, to + 3);
      } else {
        different++;
        rgba.set([220, 0, 0], to);
      }
    }
  return { share: different / (width * height), picture: encodePng({ width, height, rgba }) };
}

function at({ width, height }: Points, x: number, y: number): number | null {
  return x < width && y < height ? (y * width + x) * 4 : null;
}

function isClose(one: Uint8Array, here: number, other: Uint8Array, there: number): boolean {
  for (let channel = 0; channel < 4; channel++)
    if (Math.abs(byteAt(one, here + channel) - byteAt(other, there + channel)) > TOLERANCE) return false;
  return true;
}
