import {
  AgentError,
  describeBytes,
  errorMessage,
  type ImageSize,
  imageSize,
  type ToolOutput,
} from '@robota-sdk/agent-core';
import { cannotShrink, fittingImage as fitting } from '../image/fit-images.ts';
import type { FileType } from './file-type.ts';

/** An image file that was read. */
interface ImageFile {
  readonly path: string;
  readonly type: FileType;
  readonly bytes: Buffer;
}

/** Shows an image; one that a vendor would refuse is made smaller, and the model is told its scale. */
export async function showImage(file: ImageFile, signal: AbortSignal): Promise<ToolOutput> {
  const { path, type, bytes } = file;
  const mimeType = type.imageType ?? '';
  const data = bytes.toString('base64');
  const size = imageSize(data, mimeType);
  const isFitting = size === undefined || Math.max(size.width, size.height) <= fitting.edge;
  const what = `${path}: ${type.name}, ${describeBytes(bytes.length)}`;
  if (isFitting && bytes.length <= fitting.bytes) return output(path, what, { mimeType, data });
  const { shrinkImage } = await import('../image/shrink-image.ts');
  const limits = { mimeType, ...fitting, signal };
  const small = await shrinkImage(bytes, limits).catch((thrown: unknown) => errorMessage(thrown));
  signal.throwIfAborted();
  if (typeof small !== 'object') {
    // Most vendors take it; they make it smaller themselves.
    if (bytes.length <= fitting.bytes && isWithinVendors(size)) return output(path, what, { mimeType, data });
    throw new AgentError('tool', tooLarge(file, small ?? cannotShrink(mimeType)));
  }
  const { width, height } = small;
  const whole = size ?? small;
  const isTurned = whole.width > whole.height !== width > height;
  const scale = (isTurned ? whole.height : whole.width) / width;
  const pixels = `${whole.width}×${whole.height} pixels, shown at ${width}×${height}`;
  const hint = scale > 1.001 ? `; multiply coordinates by ${scale.toFixed(2)}` : '';
  return output(path, `${what}, ${pixels}${hint}`, {
    mimeType: small.mimeType,
    data: small.bytes.toString('base64'),
  });
}

/** Anthropic refuses more pixels than this. */
function isWithinVendors(size: ImageSize | undefined): boolean {
  return size === undefined || Math.max(size.width, size.height) <= 8_000;
}

/** Says that an image is too large, and what to do. */
export function tooLarge({ path, type }: Omit<ImageFile, 'bytes'>, reason: string): string {
  return (
    `${path} is a ${type.name} that is too large to be shown as it is (at most ${describeBytes(fitting.bytes)} and ` +
    `${fitting.edge} pixels), and it cannot be made smaller: ${reason} Make a smaller PNG or JPEG of it with Bash and read that.`
  );
}

function output(
  path: string,
  text: string,
  image: { readonly mimeType: string; readonly data: string },
): ToolOutput {
  return {
    content: [
      { type: 'text', text },
      { type: 'image', ...image },
    ],
    display: { kind: 'image', ...image, path },
  };
}
