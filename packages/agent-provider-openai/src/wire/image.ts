import type { ImageContent } from '@robota-sdk/agent-core';

/** Stands for an image in front of a model that can't see. */
export const hiddenImage = '[an image, which this model cannot see]';

/** Stands for a PDF document in front of a model that takes none. */
export const hiddenDocument = '[a PDF document, which this model cannot see; Read gives its text]';

export function isDocument({ mimeType }: ImageContent): boolean {
  return mimeType === 'application/pdf';
}

/** An image as a URL that holds it. */
export function imageUrl({ mimeType, data }: ImageContent): string {
  return `data:${mimeType};base64,${data}`;
}
