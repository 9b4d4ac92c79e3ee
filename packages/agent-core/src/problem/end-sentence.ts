/** A text that ends like a sentence, so that another one can follow it. */
export function endSentence(text: string): string {
  const trimmed = text.trimEnd();
  return /[.!?…]["'”’)\]]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
