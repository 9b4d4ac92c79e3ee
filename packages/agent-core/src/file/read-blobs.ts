import { askGit } from './ask-git.ts';

const timeoutMs = 10_000;
const maximumBytes = 256 * 1024 * 1024;

/** Reads blobs of a repository by id; missing ones are omitted. */
export async function readBlobs(ids: readonly string[], cwd: string): Promise<Map<string, Buffer>> {
  const input = `${[...new Set(ids)].join('\n')}\n`;
  const output = await askGit(['cat-file', '--batch'], { cwd, input, timeoutMs, maximumBytes });
  const blobs = new Map<string, Buffer>();
  let at = 0;
  while (typeof output !== 'string' && at < output.length) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [id = '', type, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    const length = Number(size);
    blobs.set(id, output.subarray(at, at + length));
    at += length + 1;
  }
  return blobs;
}
