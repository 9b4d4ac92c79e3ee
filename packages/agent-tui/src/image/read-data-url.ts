/** An image inside a text. */
export interface DataUrl {
  readonly mimeType: string;
  /** Its bytes in Base64. */
  readonly data: string;
}

const imageUrl = /^data:(image\/[\w.+-]{1,40})(?:;[\w-]{1,40}=[\w.+-]{1,80}){0,4};base64,/i;

/** Reads `data:image/…;base64,…`; nothing if the text is anything else. */
export function readDataUrl(text: string): DataUrl | undefined {
  const trimmed = text.trim();
  const found = imageUrl.exec(trimmed);
  if (!found) return undefined;
  const data = trimmed.slice(found[0].length).replace(/\s+/g, '');
  const isBase64 = data !== '' && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
  return isBase64 ? { mimeType: (found[1] ?? '').toLowerCase(), data } : undefined;
}
