import { describeBytes, errorMessage, imageSize, type UserContent } from '@robota-sdk/agent-core';
import type { SentImage } from './shrink-image.ts';

/** The largest image that every vendor accepts: five megabytes of Base64, and 2,000 pixels if there are many images. */
const fittingImage = { bytes: 3_750_000, edge: 2_000 } as const;
/** Anthropic refuses larger images. */
const refusedEdge = 8_000;
/** Larger images are not decoded. */
export const largestImageFile = 100_000_000;

type ImageBlock = Extract<UserContent, { type: 'image' }>;

/**
 * Shrinks images that a vendor would refuse. One that cannot be shrunk is replaced by a text, because it would make the
 * vendor refuse the whole request.
 */
export async function fitImages<T extends UserContent>(
  content: readonly T[],
  signal?: AbortSignal,
): Promise<readonly (T | UserContent)[]> {
  if (!content.some((block) => block.type === 'image' && !isFitting(block))) return content;
  const fitted = content.map((block) =>
    block.type === 'image' && !isFitting(block) ? fitImage(block, signal) : [block],
  );
  return (await Promise.all(fitted)).flat();
}

/** True if an image can be sent unchanged. Documents have their own limits. */
function isFitting({ mimeType, data }: Pick<ImageBlock, 'mimeType' | 'data'>): boolean {
  if (!mimeType.startsWith('image/')) return true;
  const size = imageSize(data, mimeType);
  const edge = size === undefined ? 0 : Math.max(size.width, size.height);
  return edge <= fittingImage.edge && bytesOf(data) <= fittingImage.bytes;
}

async function fitImage(block: ImageBlock, signal: AbortSignal | undefined): Promise<UserContent[]> {
  const { mimeType, data } = block;
  const small = await smallerImage(block, signal);
  if (small === undefined) return [block];
  if (typeof small === 'object') {
    const { width, height } = small;
    const size = imageSize(data, mimeType);
    const whole = size === undefined ? '' : ` of ${size.width}×${size.height}`;
    const text = `[image shown at ${width}×${height}${whole} pixels]`;
    return [
      { type: 'text', text },
      { type: 'image', mimeType: small.mimeType, data: small.bytes.toString('base64') },
    ];
  }
  const text = `[image left out: ${mimeType}, ${describeBytes(bytesOf(data))}, is too large to be sent ${imageLimitText} and cannot be made smaller: ${small} Send a smaller PNG or JPEG of it.]`;
  return [{ type: 'text', text }];
}

/** The limits of an image, for messages. */
export const imageLimitText = `(at most ${describeBytes(fittingImage.bytes)} and ${fittingImage.edge} pixels)`;

/** A smaller image, undefined if it can be sent unchanged, or the reason why it cannot be sent. */
export async function smallerImage(
  image: Pick<ImageBlock, 'mimeType' | 'data'>,
  signal?: AbortSignal,
): Promise<SentImage | string | undefined> {
  if (isFitting(image)) return undefined;
  const { mimeType, data } = image;
  const { shrinkImage } = await import('./shrink-image.ts');
  const limits = { mimeType, ...fittingImage, ...(signal ? { signal } : {}) };
  const small =
    bytesOf(data) <= largestImageFile
      ? await shrinkImage(Buffer.from(data, 'base64'), limits).catch((thrown: unknown) =>
          errorMessage(thrown),
        )
      : `it has more than ${describeBytes(largestImageFile)}.`;
  signal?.throwIfAborted();
  if (typeof small === 'object') return small;
  const { width = 0, height = 0 } = imageSize(data, mimeType) ?? {};
  // Most vendors accept it and shrink it themselves.
  if (bytesOf(data) <= fittingImage.bytes && Math.max(width, height) <= refusedEdge) return undefined;
  return small ?? cannotShrink(mimeType);
}

/** Lists the image types that can be shrunk, and programs to install for others. */
function cannotShrink(mimeType: string): string {
  return mimeType === 'image/webp'
    ? 'WebP needs dwebp or ImageMagick, and neither is installed (apt install webp, brew install webp).'
    : 'only PNG, JPEG, GIF and WebP can.';
}

function bytesOf(data: string): number {
  return Math.floor((data.length * 3) / 4);
}
