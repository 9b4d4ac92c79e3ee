import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram, helperEnvironment, imageSize } from '@robota-sdk/agent-core';
import { runProgram } from '../files/run-program.ts';
import { decodePng } from './decode-png.ts';
import type { RowSource } from './picture.ts';

/** Programs that decode WebP, with their arguments. A built-in decoder would be as large as all others together. */
const converters: readonly (readonly [string, (from: string, to: string) => readonly string[]])[] = [
  ['dwebp', (from, to) => ['-quiet', from, '-o', to]],
  ['magick', (from, to) => [`webp:${from}[0]`, `png:${to}`]],
  ['convert', (from, to) => [`webp:${from}[0]`, `png:${to}`]],
  ['sips', (from, to) => ['-s', 'format', 'png', from, '--out', to]],
  ['ffmpeg', (from, to) => ['-v', 'error', '-y', '-i', from, '-frames:v', '1', to]],
];
const timeoutMs = 30_000;
/** These programs load the whole image. */
const mostPixels = 100_000_000;

/** Decodes a WebP with an installed program; undefined if there is none. Throws if it is damaged. */
export async function decodeWebp(bytes: Buffer): Promise<RowSource | undefined> {
  const size = imageSize(bytes.toString('base64', 0, 90), 'image/webp');
  if (size === undefined || size.width * size.height > mostPixels)
    throw new Error('the WebP has no usable size.');
  const folder = await mkdtemp(join(tmpdir(), 'robota-webp-'));
  const cwd = folder;
  try {
    const [from, to] = [join(folder, 'image.webp'), join(folder, 'image.png')];
    const found = converters.flatMap(([name, argumentsFor]) => {
      const program = findProgram(name, { cwd });
      return program === undefined ? [] : [{ program, words: argumentsFor(from, to) }];
    });
    if (found.length === 0) return undefined;
    await writeFile(from, bytes);
    for (const { program, words } of found) {
      const options = { cwd, env: helperEnvironment({ cwd }), timeoutMs };
      await runProgram(program, words, options).catch(() => undefined);
      const png = await readFile(to).catch(() => undefined);
      if (png !== undefined && png.length > 0) return decodePng(png);
    }
    throw new Error('the WebP is damaged.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
