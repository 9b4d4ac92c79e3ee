import { describeBytes, errorMessage, imageSize, type UserContent } from '@robota-sdk/agent-core';

/** The largest image that every vendor takes as it is: five megabytes of Base64, and 2,000 pixels where there are many. */
export const fittingImage = { bytes: 3_750_000, edge: 2_000 } as const;
/** Anthropic refuses more pixels than this. */
const refusedEdge = 8_000;
/** Larger images are not unpacked. */
export const largestImageFile = 100_000_000;

type ImageBlock = Extract<UserContent, { type: 'image' }>;

/**
 * Makes images smaller that a vendor would refuse, wherever they come from. One that cannot be made smaller is replaced by a
 * text that says so: with it, the whole request would be refused.
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

/** True if an image can be sent as it is. Documents have limits of their own. */
function isFitting({ mimeType, data }: ImageBlock): boolean {
  if (!mimeType.startsWith('image/')) return true;
  const size = imageSize(data, mimeType);
  const edge = size === undefined ? 0 : Math.max(size.width, size.height);
  return edge <= fittingImage.edge && bytesOf(data) <= fittingImage.bytes;
}

async function fitImage(block: ImageBlock, signal: AbortSignal | undefined): Promise<UserContent[]> {
  const { mimeType, data } = block;
  const size = imageSize(data, mimeType);
  const { shrinkImage } = await import('./shrink-image.ts');
  const limits = { mimeType, ...fittingImage, ...(signal ? { signal } : {}) };
  const isReadable = bytesOf(data) <= largestImageFile;
  const small = isReadable
    ? await shrinkImage(Buffer.from(data, 'base64'), limits).catch((thrown: unknown) => errorMessage(thrown))
    : `it has more than ${describeBytes(largestImageFile)}.`;
  signal?.throwIfAborted();
  if (typeof small === 'object') {
    const { width, height } = small;
    const whole = size === undefined ? '' : ` of ${size.width}×${size.height}`;
    const text = `[image shown at ${width}×${height}${whole} pixels]`;
    return [
      { type: 'text', text },
      { type: 'image', mimeType: small.mimeType, data: small.bytes.toString('base64') },
    ];
  }
  const edge = size === undefined ? 0 : Math.max(size.width, size.height);
  // Most vendors take it; they make it smaller themselves.
  if (bytesOf(data) <= fittingImage.bytes && edge <= refusedEdge) return [block];
  const reason = small ?? cannotShrink(mimeType);
  const text =
    `[image left out: ${mimeType}, ${describeBytes(bytesOf(data))}, is too large to be sent (at most ${describeBytes(fittingImage.bytes)} and ` +
    `${fittingImage.edge} pixels), and it cannot be made smaller: ${reason} Send a smaller PNG or JPEG of it.]`;
  return [{ type: 'text', text }];
}

/** Says which images can be made smaller, and what to install for the others. */
export function cannotShrink(mimeType: string): string {
  return mimeType === 'image/webp'
    ? 'WebP needs dwebp or ImageMagick, and neither is installed (apt install webp, brew install webp).'
    : 'only PNG, JPEG, GIF and WebP can.';
}

function bytesOf(data: string): number {
  return Math.floor((data.length * 3) / 4);
}
