import type { ImageContent } from '@robota-sdk/agent-core';

/** Stands for an image in front of a model that can't see. */
export const hiddenImage = '[an image, which this model cannot see]';

/** An image as a URL that holds it. */
export function imageUrl({ mimeType, data }: ImageContent): string {
  return `data:${mimeType};base64,${data}`;
}
