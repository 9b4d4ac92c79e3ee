/** The body of an answer. Throws what `tooLarge` returns as soon as there are more than `maxBytes`. */
export async function readAtMost(
  response: Response,
  { maxBytes, tooLarge, onChunk }: { readonly maxBytes: number; tooLarge(): Error; onChunk?(): void },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    onChunk?.();
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
