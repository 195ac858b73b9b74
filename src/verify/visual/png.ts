/** PNG to points and back, for pictures that the harness's own browser made: eight bits a colour, not interlaced. Pure. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { PNG_SIGNATURE, byteAt, lookAtPicture, pngChunks } from './picture.ts';
import { firstItem } from '../../domain/items.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface Points {
  width: number;
  height: number;
  /** Red, green, blue and alpha of each point, row by row. */
  rgba: Uint8Array;
}

/** Bytes of a point by colour type; others are not read. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Null: it is no PNG that can be read here. */
export function decodePng(bytes: Buffer): Points | null {
  const facts = lookAtPicture(bytes);
  if ('problem' in facts || facts.format !== 'png') return null;
  const chunks = mustHave(pngChunks(bytes), 'a picture that was looked at has its chunks');
  const header = firstItem(chunks).data;
  const colourType = byteAt(header, 9);
  const channels = CHANNELS[colourType];
  if (header[8] !== 8 || channels === undefined || header[12] !== 0) return null;
  const { width, height } = facts;
  const size = height * (1 + width * channels);
  const raw = inflated(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)), size);
  if (raw === null) return null;
  const samples = unfiltered(raw, width * channels, height, channels);
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data ?? null;
  return samples === null ? null : { width, height, rgba: toRgba(samples, colourType, channels, palette) };
}

function inflated(data: Buffer, size: number): Buffer | null {
  try {
    const raw = inflateSync(data, { maxOutputLength: size });
    return raw.length === size ? raw : null;
  } catch {
    return null;
  }
}

function unfiltered(raw: Buffer, rowBytes: number, height: number, channels: number): Uint8Array | null {
  const out = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++) {
    const filter = byteAt(raw, row * (rowBytes + 1));
    if (filter > 4) return null;
    const from = row * (rowBytes + 1) + 1;
    const to = row * rowBytes;
    for (let index = 0; index < rowBytes; index++) {
      const left = index < channels ? 0 : byteAt(out, to + index - channels);
      const up = row === 0 ? 0 : byteAt(out, to - rowBytes + index);
      const corner = row === 0 || index < channels ? 0 : byteAt(out, to - rowBytes + index - channels);
      out[to + index] = byteAt(raw, from + index) + predicted(filter, left, up, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

function toRgba(samples: Uint8Array, colourType: number, channels: number, palette: Buffer | null): Uint8Array {
  if (colourType === 6) return samples;
  const points = samples.length / channels;
  const rgba = new Uint8Array(points * 4).fill(255);
  for (let point = 0; point < points; point++) {
    const from = point * channels;
    for (let colour = 0; colour < 3; colour++)
      rgba[point * 4 + colour] =
        colourType === 3 ? (palette?.[byteAt(samples, from) * 3 + colour] ?? 0) : byteAt(samples, colourType === 2 ? from + colour : from);
    if (colourType === 4) rgba[point * 4 + 3] = byteAt(samples, from + 1);
  }
  return rgba;
}

export function encodePng({ width, height, rgba }: Points): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const raw = Buffer.alloc(height * (1 + width * 4));
  for (let row = 0; row < height; row++) raw.set(rgba.subarray(row * width * 4, (row + 1) * width * 4), row * (1 + width * 4) + 1);
  return Buffer.concat([PNG_SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(raw)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
