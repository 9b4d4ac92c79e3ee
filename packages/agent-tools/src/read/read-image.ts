import { AgentError, describeBytes, imageSize, type ToolOutput } from '@robota-sdk/agent-core';
import { imageLimitText, smallerImage } from '../image/fit-images.ts';
import type { FileType } from './file-type.ts';

/** An image file that was read. */
interface ImageFile {
  readonly path: string;
  readonly type: FileType;
  readonly bytes: Buffer;
}

/** Shows an image; one that a vendor would refuse is shrunk, and the model gets the scale. */
export async function showImage(file: ImageFile, signal: AbortSignal): Promise<ToolOutput> {
  const { path, type, bytes } = file;
  const mimeType = type.imageType ?? '';
  const data = bytes.toString('base64');
  const size = imageSize(data, mimeType);
  const what = `${path}: ${type.name}, ${describeBytes(bytes.length)}`;
  const small = await smallerImage({ mimeType, data }, signal);
  if (small === undefined) return output(path, what, { mimeType, data });
  if (typeof small === 'string') throw new AgentError('tool', imageTooLarge(file, small));
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

/** Reports that an image is too large, and the fix. */
export function imageTooLarge({ path, type }: Omit<ImageFile, 'bytes'>, reason: string): string {
  return `${path} is a ${type.name} that is too large to be shown ${imageLimitText}, and it cannot be made smaller: ${reason} Make a smaller PNG or JPEG of it with Bash and read that.`;
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
