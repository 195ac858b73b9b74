/**
 * Whether bytes are a picture, told by the bytes alone. Pure.
 *
 * A name or an ending says nothing: a file that an agent calls a screenshot is shown to a person only when all of it is a PNG or a JPEG,
 * with nothing before it and nothing after it, and not larger than any screen.
 */
import { crc32 } from 'node:zlib';
import { lastItem } from '../../domain/items.ts';

export interface PictureFacts {
  format: 'png' | 'jpeg';
  width: number;
  height: number;
}

export const LARGEST_PICTURE_BYTES = 20 * 1024 * 1024;
const LONGEST_SIDE = 20_000;
const MOST_POINTS = 64_000_000;

export type PictureLook = PictureFacts | { problem: string };

export function lookAtPicture(bytes: Buffer): PictureLook {
  if (bytes.length > LARGEST_PICTURE_BYTES) return { problem: `it is larger than ${LARGEST_PICTURE_BYTES / 1024 / 1024} MB` };
  const facts = bytes.subarray(0, 8).equals(PNG_SIGNATURE) ? readPng(bytes) : isJpegStart(bytes) ? readJpeg(bytes) : null;
  if (facts === null) return { problem: 'it is neither a PNG nor a JPEG picture' };
  const { width, height } = facts;
  if (width < 1 || height < 1) return { problem: 'it is empty' };
  if (width > LONGEST_SIDE || height > LONGEST_SIDE || width * height > MOST_POINTS)
    return { problem: `${width} × ${height} is too large` };
  return facts;
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface PngChunk {
  type: string;
  data: Buffer;
}

/** Null: it is damaged, cut off, or goes on after its end. */
export function pngChunks(bytes: Buffer): PngChunk[] | null {
  const chunks: PngChunk[] = [];
  for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end - 4) });
    if (lastItem(chunks).type === 'IEND') return end === bytes.length ? chunks : null;
    at = end;
  }
  return null;
}

function readPng(bytes: Buffer): PictureFacts | null {
  const chunks = pngChunks(bytes);
  const header = chunks?.[0];
  if (chunks === null || header?.type !== 'IHDR' || header.data.length !== 13) return null;
  if (!chunks.some(({ type }) => type === 'IDAT')) return null;
  return { format: 'png', width: header.data.readUInt32BE(0), height: header.data.readUInt32BE(4) };
}

function isJpegStart(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
}

/** Marks that a frame starts with; 0xc4, 0xc8 and 0xcc are tables. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const SCAN = 0xda;

/** Segments from the start to the first scan; the end has to be the last thing in it. */
function readJpeg(bytes: Buffer): PictureFacts | null {
  if (bytes.at(-2) !== 0xff || bytes.at(-1) !== 0xd9) return null;
  let size: Pick<PictureFacts, 'width' | 'height'> | null = null;
  for (let at = 2; at + 4 <= bytes.length;) {
    const mark = byteAt(bytes, at + 1);
    const length = bytes.readUInt16BE(at + 2);
    if (bytes[at] !== 0xff || length < 2 || at + 2 + length > bytes.length) return null;
    if (FRAMES.has(mark) && length >= 8) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (mark === SCAN) return size === null ? null : { format: 'jpeg', ...size };
    at += 2 + length;
  }
  return null;
}

export function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new RangeError(`no byte at ${at} of ${bytes.length}`);
  return byte;
}
