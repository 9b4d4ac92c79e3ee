import { crc32, deflateSync } from 'node:zlib';
import type { Picture } from './picture.ts';

/** Encodes a picture as PNG, without an opacity channel if everything is opaque. */
export function encodePng({ width, height, pixels }: Picture): Buffer {
  const isOpaque = !pixels.some((value, index) => index % 4 === 3 && value !== 255);
  const channels = isOpaque ? 3 : 4;
  const stride = width * channels + 1;
  const raw = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y += 1) {
    // Differences to the row above compress well and are cheap.
    raw[y * stride] = 2;
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4;
      for (let channel = 0; channel < channels; channel += 1) {
        const above = y === 0 ? 0 : (pixels[from - width * 4 + channel] ?? 0);
        raw[y * stride + 1 + x * channels + channel] = (pixels[from + channel] ?? 0) - above;
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, isOpaque ? 2 : 6, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
