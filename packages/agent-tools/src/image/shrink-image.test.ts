import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { findProgram } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { decodeGif } from './decode-gif.ts';
import { decodeJpeg } from './decode-jpeg.ts';
import { decodePng } from './decode-png.ts';
import { encodeJpeg } from './encode-jpeg.ts';
import { encodePng } from './encode-png.ts';
import { type Picture, type RowSource, rowsOf, shrinkRows } from './picture.ts';
import { shrinkImage } from './shrink-image.ts';

const whole = (source: RowSource) => shrinkRows(source, 10_000);

/** A picture in which neighbours are alike. */
function gradient(width: number, height: number): Picture {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      pixels.set([(x * 255) / width, (y * 255) / height, 128, 255], (y * width + x) * 4);
  return { width, height, pixels };
}

function difference(one: Picture, other: Picture): number {
  expect([one.width, one.height]).toEqual([other.width, other.height]);
  const sum = one.pixels.reduce(
    (total, value, index) => total + Math.abs(value - (other.pixels[index] ?? 0)),
    0,
  );
  return sum / one.pixels.length;
}

const picture = fc
  .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 24 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 })
      .map((bytes): Picture => ({ width, height, pixels: new Uint8ClampedArray(bytes) })),
  );

describe('PNG', () => {
  it('gives back the pixels that were written', async () => {
    await fc.assert(
      fc.asyncProperty(picture, async (given) => {
        const visible = given.pixels.map((value, index) => (index % 4 === 3 ? Math.max(1, value) : value));
        const found = await whole(decodePng(encodePng({ ...given, pixels: visible })));
        expect([...found.pixels]).toEqual([...visible]);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['grey of one bit', 1, 0, {}, [0b10100000], [255, 0, 255]],
    ['grey of four bits', 4, 0, {}, [0x0f, 0x80], [0, 255, 136]],
    ['grey of 16 bits with a transparent one', 16, 0, { tRNS: [0, 9] }, [0, 9, 255, 0, 0, 0], [-1, 255, 0]],
    [
      'a palette of two bits with opacity',
      2,
      3,
      { PLTE: [0, 0, 0, 9, 9, 9, 7, 7, 7], tRNS: [255, 0] },
      [0b00011000],
      [0, -1, 7],
    ],
    ['grey with opacity', 8, 4, {}, [5, 255, 6, 0, 7, 255], [5, -1, 7]],
  ] as const)('reads %s', async (...[, depth, kind, more, line, expected]) => {
    const found = await whole(decodePng(png({ width: 3, height: 1, depth, kind, more }, [0, ...line])));
    const reds = [0, 1, 2].map((x) => (found.pixels[x * 4 + 3] === 0 ? -1 : found.pixels[x * 4]));
    expect(reds).toEqual([...expected]);
  });

  it('reads interlaced images and every filter', async () => {
    // One column of grey values, by the seven passes: rows 0, then 4, 2 and 6, then the odd ones.
    const rows = [0, 4, 2, 6, 1, 3, 5, 7];
    const data = rows.flatMap((row) => [0, row * 10]);
    const found = await whole(
      decodePng(png({ width: 1, height: 8, depth: 8, kind: 0, isInterlaced: true }, data)),
    );
    expect(Array.from({ length: 8 }, (_, y) => found.pixels[y * 4])).toEqual([0, 10, 20, 30, 40, 50, 60, 70]);
    const filtered = [0, 10, 20, 1, 10, 10, 2, 1, 1, 3, 10, 10, 4, 5, 5];
    const plain = await whole(decodePng(png({ width: 2, height: 5, depth: 8, kind: 0 }, filtered)));
    expect(Array.from({ length: 10 }, (_, at) => plain.pixels[at * 4])).toEqual([
      10, 20, 10, 20, 11, 21, 15, 28, 20, 33,
    ]);
  });
});

describe('JPEG', () => {
  it('gives back nearly the pixels that were written, at every size it can be decoded in', async () => {
    const given = gradient(90, 61);
    const bytes = encodeJpeg(given, 95);
    expect(difference(await whole(decodeJpeg(bytes, 1_000)), given)).toBeLessThan(1.5);
    for (const edge of [40, 20, 9]) {
      const small = await shrinkRows(decodeJpeg(bytes, edge), edge);
      expect(difference(small, await shrinkRows(rowsOf(given), edge))).toBeLessThan(4);
    }
  });

  it('never hangs on damaged data', async () => {
    const bytes = encodeJpeg(gradient(40, 40), 80);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, value) => {
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        await shrinkImage(damaged, { mimeType: 'image/jpeg', bytes: 1e6, edge: 20 }).catch(() => undefined);
        await shrinkImage(damaged.subarray(0, at), { mimeType: 'image/jpeg', bytes: 1e6, edge: 20 }).catch(
          () => undefined,
        );
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    [1, [0, 1, 2, 3]],
    [3, [3, 2, 1, 0]],
    [6, [2, 0, 3, 1]],
    [8, [1, 3, 0, 2]],
  ])('turns a picture of a camera upright (orientation %i)', async (orientation, order) => {
    const colours = [20, 90, 160, 230];
    const pixels = new Uint8ClampedArray(32 * 32 * 4).fill(255);
    for (let at = 0; at < 32 * 32; at += 1) {
      const corner = (at % 32 < 16 ? 0 : 1) + (at < 16 * 32 ? 0 : 2);
      pixels.fill(colours[corner] ?? 0, at * 4, at * 4 + 3);
    }
    const plain = encodeJpeg({ width: 32, height: 32, pixels }, 95);
    const exif = Buffer.from([
      ...[0xff, 0xe1, 0, 34, ...Buffer.from('Exif\0\0MM\0*'), 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1],
      ...[0, orientation, 0, 0, 0, 0, 0, 0],
    ]);
    const bytes = Buffer.concat([plain.subarray(0, 2), exif, plain.subarray(2)]);
    const sent = await shrinkImage(bytes, { mimeType: 'image/jpeg', bytes: 1e6, edge: 32 });
    const found = await whole(decodeJpeg(sent?.bytes ?? Buffer.alloc(0), 32));
    const corners = [8 * 32 + 8, 8 * 32 + 24, 24 * 32 + 8, 24 * 32 + 24].map(
      (at) => found.pixels[at * 4] ?? 0,
    );
    expect(corners.map((value) => Math.round((value - 20) / 70))).toEqual(order);
  });
});

describe('GIF', () => {
  it('shows its first picture, which may be a part, with its transparent colour', () => {
    const bytes = Buffer.from([
      ...Buffer.from('GIF89a'),
      ...[3, 0, 2, 0, 0x80, 0, 0, 10, 10, 10, 200, 200, 200],
      ...[0x21, 0xf9, 4, 1, 0, 0, 0, 0],
      ...[0x2c, 1, 0, 0, 0, 2, 0, 2, 0, 0],
      // Codes of three bits: clear, 1, 0, 0, 1, end.
      ...[2, 3, 0b01_001_100, 0b1_001_000_0 & 0xff, 0b00000010, 0, 0x3b],
    ]);
    const { width, height, pixels } = decodeGif(bytes);
    expect([width, height]).toEqual([3, 2]);
    expect(pixels[3]).toBe(0);
    expect([pixels[4], pixels[7]]).toEqual([200, 255]);
  });
});

interface PngHead {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly kind: number;
  readonly isInterlaced?: boolean;
  readonly more?: Readonly<Record<string, readonly number[]>>;
}

function png(
  { width, height, depth, kind, isInterlaced = false, more = {} }: PngHead,
  data: readonly number[],
): Buffer {
  const chunk = (name: string, body: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(name), body]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(body.length, 0);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  const head = [0, 0, 0, width, 0, 0, 0, height, depth, kind, 0, 0, isInterlaced ? 1 : 0];
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Uint8Array.from(head)),
    ...Object.entries(more).map(([name, body]) => chunk(name, Uint8Array.from(body))),
    chunk('IDAT', deflateSync(Uint8Array.from(data))),
    chunk('IEND', new Uint8Array()),
  ]);
}

describe('an image bomb', () => {
  const head = (width: number, height: number) => {
    const bytes = Buffer.from(png({ width: 1, height: 1, depth: 8, kind: 0 }, [0, 1]));
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  const gif = Buffer.from([
    ...Buffer.from('GIF89a'),
    ...[0xd1, 7, 1, 0, 0x80, 0, 0, 10, 10, 10, 200, 200, 200],
    ...[0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 3, 0b01_001_100, 0, 2, 0, 0x3b],
  ]);
  const frame = (components: number, [marker, edge]: readonly [number, number]) =>
    Buffer.from([
      ...[0xff, 0xd8, 0xff, marker, 0, 8 + components * 3, 8, edge >> 8, edge & 255, edge >> 8, edge & 255],
      ...[components, ...Array.from({ length: components }, (_, id) => [id, 0x44, 0]).flat()],
      ...[0xff, 0xda, 0, 6, 0, 0, 63, 0, 0xff, 0xd9],
    ]);

  it.each([
    ['a PNG that is wider than memory', 'image/png', head(0x7fffffff, 1)],
    ['a PNG of a billion pixels', 'image/png', head(60_000, 60_000)],
    ['a PNG without a width', 'image/png', head(0, 5_000)],
    ['a GIF whose frame is larger than the picture', 'image/gif', gif],
    ['a progressive JPEG that would be held as a whole', 'image/jpeg', frame(1, [0xc2, 12_000])],
    ['a JPEG of 80 colours', 'image/jpeg', frame(80, [0xc0, 9_000])],
  ])('is refused before room is made for it: %s', async (_, mimeType, bytes) => {
    await expect(shrinkImage(bytes, { mimeType, bytes: 1e6, edge: 2_000 })).rejects.toThrow(/size|damaged/);
  });
});

const [cwebp, dwebp] = ['cwebp', 'dwebp'].map((name) => findProgram(name, { cwd: tmpdir() }));

// Debian and Ubuntu have both in webp.
describe.skipIf(!cwebp || !dwebp)('WebP', () => {
  it('is made smaller by the real dwebp, and a damaged or huge one is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shrink-webp-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [from, to] = [join(folder, 'from.png'), join(folder, 'to.webp')];
    const given = gradient(2_400, 60);
    writeFileSync(from, encodePng(given));
    execFileSync(cwebp ?? '', ['-quiet', '-lossless', from, '-o', to]);
    const bytes = readFileSync(to);
    const limits = { mimeType: 'image/webp', bytes: 1e6, edge: 600 };
    const small = await shrinkImage(bytes, limits);
    expect(small).toMatchObject({ mimeType: 'image/png', width: 600, height: 15 });
    const found = await whole(decodePng(small?.bytes ?? Buffer.alloc(0)));
    expect(difference(found, await shrinkRows(rowsOf(given), 600))).toBeLessThan(1);
    await expect(shrinkImage(bytes.subarray(0, 60), limits)).rejects.toThrow('damaged');
    const huge = Buffer.from(bytes);
    // The size of a lossless image stands in 14 bits each, behind its mark.
    huge.writeUInt32LE(0x0fffffff, huge.indexOf(0x2f, 16) + 1);
    await expect(shrinkImage(huge, limits)).rejects.toThrow('size');
  });
});
