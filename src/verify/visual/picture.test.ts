import { describe, expect, test } from 'vitest';
import { comparePictures } from './see-page.ts';
import { lookAtPicture } from './picture.ts';
import { decodePng, encodePng } from './png.ts';

/** A picture of one colour, with a square of another in its corner. */
function drawn(width: number, height: number, square = 0, colour = [20, 90, 200]): Buffer {
  const rgba = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < square; y++) for (let x = 0; x < square; x++) rgba.set(colour, (y * width + x) * 4);
  return encodePng({ width, height, rgba });
}

/** The smallest segments that make a JPEG: a frame of 3 × 2 points, a scan, the end. */
const JPEG = Buffer.from('ffd8ffe000040000ffc0000b080002000301011100ffda0008010100003f00aabbffd9', 'hex');

describe('bytes that are a picture', () => {
  test('a PNG and a JPEG say how large they are', () => {
    expect(lookAtPicture(drawn(7, 5))).toEqual({ format: 'png', width: 7, height: 5 });
    expect(lookAtPicture(JPEG)).toEqual({ format: 'jpeg', width: 3, height: 2 });
  });

  const flipped = (bytes: Buffer, index: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[index] = copy[index]! ^ 0xff;
    return copy;
  };

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text with the ending of a picture', Buffer.from('<html>not a picture</html>')],
    ['the first bytes of a PNG and a script', Buffer.concat([drawn(4, 4).subarray(0, 8), Buffer.from('#!/bin/sh\nrm -rf ~\n')])],
    ['a PNG that is cut off', drawn(4, 4).subarray(0, -5)],
    ['a PNG with something behind it', Buffer.concat([drawn(4, 4), Buffer.from('PK')])],
    ['a PNG with a wrong sum', flipped(drawn(4, 4), 30)],
    ['a JPEG without an end', JPEG.subarray(0, -2)],
    ['a JPEG with something behind it', Buffer.concat([JPEG, Buffer.from('<?php')])],
    ['a JPEG without a frame', Buffer.concat([JPEG.subarray(0, 8), JPEG.subarray(21)])],
    ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00')],
    ['a drawing in XML', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])('%s is none', (_what, bytes) => {
    expect(lookAtPicture(bytes)).toHaveProperty('problem');
    expect(decodePng(bytes)).toBeNull();
  });

  test('one that claims to be larger than any screen is refused before it is unpacked', () => {
    const bomb = drawn(1, 1);
    const header = Buffer.from(encodePng({ width: 1, height: 1, rgba: new Uint8Array(4) }).subarray(8, 33));
    header.writeUInt32BE(90_000, 8);
    expect(lookAtPicture(Buffer.concat([bomb.subarray(0, 8), header, bomb.subarray(33)]))).toHaveProperty('problem');
  });
});

describe('two pictures of the same state', () => {
  test('are the same when every point is', () => {
    expect(comparePictures(drawn(20, 10, 4), drawn(20, 10, 4))?.share).toBe(0);
  });

  test('differ by the share of the points that differ, which the picture of the difference shows', () => {
    const difference = comparePictures(drawn(20, 10), drawn(20, 10, 4))!;
    expect(difference.share).toBe(16 / 200);
    const { rgba, width } = decodePng(difference.picture)!;
    expect([...rgba.subarray(0, 3)]).toEqual([220, 0, 0]);
    expect([...rgba.subarray((9 * width + 19) * 4, (9 * width + 19) * 4 + 3)]).toEqual([255, 255, 255]);
  });

  test('do not differ by a shade', () => {
    expect(comparePictures(drawn(9, 9, 5, [100, 100, 100]), drawn(9, 9, 5, [110, 95, 100]))?.share).toBe(0);
  });

  test('differ by what only one of them has', () => {
    expect(comparePictures(drawn(10, 10), drawn(10, 20))?.share).toBe(0.5);
  });

  test('cannot be compared when one is none', () => {
    expect(comparePictures(drawn(3, 3), Buffer.from('x'))).toBeNull();
  });
});
