import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';

const maxEncodings = 3;

/** The answer is compressed in a way this Node cannot undo. */
export class UnknownEncoding extends Error {
  constructor(encoding: string) {
    super(`content-encoding "${encoding}" is not supported`);
  }
}

/** The body of an answer as it was before it was compressed, decoded in the reverse order of the list (RFC 9110). */
export function uncompressed(response: IncomingMessage): Readable {
  const encodings = (response.headers['content-encoding'] ?? '').toLowerCase().split(',');
  const steps = encodings.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
  if (steps.length === 0) return response;
  const decoders = steps.reverse().flatMap((step) => decoderOf(step) ?? []);
  const last = decoders.at(-1);
  if (!last || decoders.length < steps.length || steps.length > maxEncodings) {
    response.destroy();
    throw new UnknownEncoding(steps.reverse().join(', '));
  }
  const { pipeline } = process.getBuiltinModule('node:stream');
  pipeline([response, ...decoders], () => {});
  return last;
}

function decoderOf(encoding: string): Transform | undefined {
  const zlib = process.getBuiltinModule('node:zlib');
  if (/^(x-)?gzip$|^deflate$/.test(encoding)) return zlib.createUnzip();
  if (encoding === 'br') return zlib.createBrotliDecompress();
  if (encoding !== 'zstd') return undefined;
  // Newer Nodes only.
  const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => Transform };
  return createZstdDecompress?.();
}
