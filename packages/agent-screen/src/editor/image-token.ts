import { closeSync, readSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { openRegularFileSync } from '@robota-sdk/agent-sdk/front-end';
import { readImageHeader, type Token } from '@robota-sdk/agent-tui';

/** The type and size of an image are in its header. */
const headerBytes = 64 * 1024;

/** The token of an image in a file: it is sent as a mention, which gives the image to the model. Nothing if it is none. */
export function imageToken(path: string): Token | undefined {
  const header = headerOf(path);
  // A quote can't be written in a mention.
  if (!header || /["\n]/.test(path)) return undefined;
  const size = `${header.width}x${header.height}`;
  return { kind: 'image', label: `[image ${basename(path)} ${size}]`, text: `@file:"${path}"` };
}

/** Replaces dropped files: tokens for images, paths for others; undefined if there is no image among them. */
export function dropImages(paths: readonly string[], home: string): readonly (Token | string)[] | undefined {
  const parts = paths.map((path) => imageToken(resolve(path.replace(/^~(?=\/)/, home))) ?? path);
  return parts.some((part) => typeof part !== 'string') ? parts : undefined;
}

function headerOf(path: string): ReturnType<typeof readImageHeader> {
  try {
    const file = openRegularFileSync(path);
    try {
      const start = Buffer.alloc(headerBytes);
      return readImageHeader(start.subarray(0, readSync(file, start, 0, headerBytes, 0)));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
