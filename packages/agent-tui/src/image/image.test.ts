import { proves } from '@robota-sdk/agent-testing/proves';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deleteImage, isImageLine } from './encode-image.ts';
import { Image, imageCells } from './image.ts';
import { readDataUrl, readImageHeader } from './read-image-header.ts';

/** A real PNG of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('readImageHeader', () => {
  it('reads kind and size of PNG, GIF, WebP and JPEG', () => {
    proves('P-100');
    const cases: readonly (readonly [bytes: Uint8Array, type: string, width: number, height: number])[] = [
      [Buffer.from(pixel, 'base64'), 'image/png', 1, 1],
      [Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'), 'image/gif', 1, 1],
      [Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'), 'image/webp', 1, 1],
      [webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1]), 'image/webp', 640, 480],
      [webp('VP8X', [0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0]), 'image/webp', 640, 480],
      [
        new Uint8Array([
          0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 11, 8, 1, 0xe0, 2, 0x80, 1, 0,
        ]),
        'image/jpeg',
        640,
        480,
      ],
    ];
    for (const [bytes, type, width, height] of cases)
      expect(readImageHeader(bytes)).toEqual({ type, width, height });
  });

  it('finds nothing in anything else, however it begins', () => {
    proves('P-100');
    const starts = fc.constantFrom(
      [0x89, 0x50, 0x4e, 0x47],
      [0xff, 0xd8, 0xff],
      [...Buffer.from('GIF8')],
      [...Buffer.from('RIFF')],
      [],
    );
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 40 }), (start, rest) => {
        const header = readImageHeader(new Uint8Array([...start, ...rest]));
        expect(header === undefined || header.width * header.height > 0).toBe(true);
      }),
    );
  });
});

describe('readDataUrl', () => {
  it('finds images in data URLs, and nothing else', () => {
    proves('P-100');
    expect(readDataUrl(` data:image/PNG;charset=utf-8;base64,${pixel}\n`)).toEqual({
      mimeType: 'image/png',
      data: pixel,
    });
    for (const text of [
      'data:text/html;base64,QUJD',
      'data:image/png,abc',
      'data:image/png;base64,',
      'data:image/png;base64,\x1b]',
      'image',
    ])
      expect(readDataUrl(text)).toBeUndefined();
  });
});

describe('Image', () => {
  it('shows a PNG by the Kitty protocol, in chunks, on rows that are there already', () => {
    proves('P-100');
    const big = Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(9000, 7)]).toString('base64');
    const lines = new Image({ data: big, protocol: 'kitty', id: 7 }).render(40);
    expect(lines.slice(0, -1)).toEqual(['']);
    const line = lines.at(-1) ?? '';
    expect(isImageLine(line)).toBe(true);
    expect(line.startsWith('\x1b7\x1b[1A\x1b_Ga=T,f=100,q=2,C=1,i=7,c=1,r=1,m=1;')).toBe(true);
    const chunks = line
      .split('\x1b_G')
      .slice(1)
      .map((chunk) => /^([^;]*);([A-Za-z0-9+/=]*)/.exec(chunk) ?? []);
    expect(chunks.map(([, keys]) => keys?.slice(-3))).toEqual(
      ['m=1', 'm=1', 'm=0'].map((key) => expect.stringContaining(key)),
    );
    expect(chunks.map(([, , data]) => data).join('')).toBe(big);
    expect(deleteImage(7)).toBe('\x1b_Ga=d,d=I,i=7,q=2\x1b\\');
  });

  it('shows images by the protocol of iTerm2 with the size in cells', () => {
    proves('P-101');
    const [, line] = new Image({ data: pixel, protocol: 'iterm2' }).render(40);
    expect(line).toBe(
      `\x1b7\x1b[1A\x1b]1337;File=inline=1;size=70;width=1;height=1;preserveAspectRatio=0:${pixel}\x07\x1b8`,
    );
  });

  it('scales by cells, keeps proportions, and never takes more room than there is', () => {
    const cell = { width: 10, height: 20 };
    expect(imageCells({ width: 400, height: 200 }, { cell, columns: 80, rows: 24 })).toEqual({
      columns: 40,
      rows: 10,
    });
    expect(imageCells({ width: 1600, height: 800 }, { cell, columns: 80, rows: 24 })).toEqual({
      columns: 80,
      rows: 20,
    });
    expect(imageCells({ width: 1000, height: 4000 }, { cell, columns: 80, rows: 24 })).toEqual({
      columns: 12,
      rows: 24,
    });
    const size = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(size, size, fc.integer({ min: 20, max: 200 }), (width, height, columns) => {
        const cells = imageCells({ width, height }, { cell, columns, rows: 24 });
        expect(cells.columns >= 1 && cells.columns <= columns && cells.rows >= 1 && cells.rows <= 24).toBe(
          true,
        );
      }),
    );
  });

  it('says in a line of text what it cannot show', () => {
    proves('P-101');
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 1, 0xe0, 2, 0x80, 1, 0]).toString('base64');
    expect(new Image({ data: pixel, name: 'a\x1b[2J.png' }).render(60)).toEqual([
      '[image: a.png, PNG 1x1, 70 B]',
    ]);
    expect(new Image({ data: jpeg, protocol: 'kitty' }).render(60)).toEqual(['[image: JPEG 640x480, 13 B]']);
    expect(new Image({ data: 'QUJD\x1b_G', protocol: 'iterm2' }).render(20)).toEqual([
      '[image: unknown for…',
    ]);
  });
});

function webp(kind: string, body: readonly number[]): Uint8Array {
  return new Uint8Array([...Buffer.from('RIFF    WEBP'), ...Buffer.from(kind), 0, 0, 0, 0, ...body, 0, 0]);
}
