// A screenshot with few colours, as a PNG with a palette: a fifth of its size, and nobody sees the difference.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST = 256;

export function smallPng(png) {
  const { width, height, channels, pixels } = read(png);
  let bits = 8;
  let palette = null;
  // Fewer bits of each colour until a palette holds all of them.
  while (palette === null && bits >= 4) palette = paletteOf(pixels, channels, bits--);
  if (palette === null) return png;
  const { colours, indices } = palette;
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) indices.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function paletteOf(pixels, channels, bits) {
  const mask = (0xff << (8 - bits)) & 0xff;
  const known = new Map();
  const sums = [];
  const indices = Buffer.alloc(pixels.length / channels);
  for (let at = 0, pixel = 0; at < pixels.length; at += channels, pixel += 1) {
    const key = ((pixels[at] & mask) << 16) | ((pixels[at + 1] & mask) << 8) | (pixels[at + 2] & mask);
    let index = known.get(key);
    if (index === undefined) {
      if (known.size === MOST) return null;
      index = known.size;
      known.set(key, index);
      sums.push([0, 0, 0, 0]);
    }
    const sum = sums[index];
    sum[0] += pixels[at];
    sum[1] += pixels[at + 1];
    sum[2] += pixels[at + 2];
    sum[3] += 1;
    indices[pixel] = index;
  }
  return { colours: sums.map(([red, green, blue, count]) => [red, green, blue].map((one) => Math.round(one / count))), indices };
}

/** Eight bits a channel, no interlacing: what a browser writes. */
function read(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = png[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const data = inflateSync(Buffer.concat(parts));
  const line = width * channels;
  const pixels = Buffer.alloc(height * line);
  for (let y = 0; y < height; y += 1) unfilter(data, y * (line + 1), pixels, y * line, line, channels);
  return { width, height, channels, pixels };
}

function unfilter(data, from, pixels, to, line, channels) {
  const kind = data[from];
  for (let x = 0; x < line; x += 1) {
    const left = x < channels ? 0 : pixels[to + x - channels];
    const up = to === 0 ? 0 : pixels[to - line + x];
    const corner = to === 0 || x < channels ? 0 : pixels[to - line + x - channels];
    pixels[to + x] = (data[from + 1 + x] + predicted(kind, left, up, corner)) & 0xff;
  }
}

function predicted(kind, left, up, corner) {
  if (kind === 1) return left;
  if (kind === 2) return up;
  if (kind === 3) return (left + up) >> 1;
  if (kind !== 4) return 0;
  const estimate = left + up - corner;
  const [byLeft, byUp, byCorner] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
}

function chunk(name, body) {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
