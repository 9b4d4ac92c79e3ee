import { element } from './element.ts';

/** An image of the session. Only pictures are shown as such: a drawing of the session could carry a script. */
export function renderImage({
  mimeType,
  data,
}: {
  readonly mimeType: string;
  readonly data: string;
}): HTMLElement {
  if (!/^image\/(png|jpeg|gif|webp|bmp|avif)$/.test(mimeType) || !/^[A-Za-z0-9+/=\s]*$/.test(data))
    return element('p', { class: 'muted' }, 'An image of a kind that is not shown here.');
  const image = element('img', { class: 'picture' });
  image.alt = 'Image of the conversation';
  image.loading = 'lazy';
  image.src = `data:${mimeType};base64,${data}`;
  return image;
}
