import { imageSize } from '@robota-sdk/agent-core';
import { temporaryDirectory } from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { limitToolOutput } from '../output/limit-output.ts';
import { encodePng } from './encode-png.ts';
import { fitImages } from './fit-images.ts';

const png = (width: number, height: number) => ({
  type: 'image' as const,
  mimeType: 'image/png',
  data: encodePng({ width, height, pixels: new Uint8ClampedArray(width * height * 4).fill(200) }).toString(
    'base64',
  ),
});

/** A WebP file as far as its size can be read. */
function webp(width: number, bytes: number) {
  const file = Buffer.alloc(bytes);
  file.write('RIFF\x10\0\0\0WEBPVP8X', 'latin1');
  file.writeUIntLE(width - 1, 24, 3);
  file.writeUIntLE(9, 27, 3);
  return { type: 'image' as const, mimeType: 'image/webp', data: file.toString('base64') };
}

describe('images that do not come from Read', () => {
  it('stay as they are where every vendor takes them', async () => {
    const content = [{ type: 'text' as const, text: 'x' }, png(10, 10), webp(3_000, 100)];
    expect(await fitImages(content.slice(0, 2))).toEqual(content.slice(0, 2));
    expect(await fitImages(content)).toEqual(content);
    const pdf = { type: 'image' as const, mimeType: 'application/pdf', data: 'A'.repeat(6_000_000) };
    expect(await fitImages([pdf])).toEqual([pdf]);
  });

  it('are made smaller in the result of any tool, and the model is told the scale', async () => {
    const outputDir = await temporaryDirectory();
    const { content } = await limitToolOutput({ content: [png(4_000, 3)] }, { outputDir, name: 'call' });
    const [text, image] = content;
    expect(text).toEqual({ type: 'text', text: '[image shown at 2000×2 of 4000×3 pixels]' });
    expect(image?.type === 'image' && imageSize(image.data, image.mimeType)).toEqual({
      width: 2_000,
      height: 2,
    });
  });

  it('are left out with a reason where they cannot be made smaller and a vendor would refuse them', async () => {
    for (const image of [webp(9_000, 100), webp(10, 6_000_000)]) {
      const [block, ...more] = await fitImages([image]);
      expect(more).toEqual([]);
      expect(block).toMatchObject({
        type: 'text',
        text: expect.stringContaining('Send a smaller PNG or JPEG of it'),
      });
    }
  });
});
