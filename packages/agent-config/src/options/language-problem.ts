/** A code such as `es-419`, or a name of up to four words, such as `Brazilian Portuguese` or `Português (Brasil)`. */
const codeOrName = /^\p{L}[\p{L}\p{M}\p{N}_'’-]*(?: \(?[\p{L}\p{M}\p{N}'’-]+\)?){0,3}$/u;
const maxCharacters = 40;

/**
 * Why a text is no language; nothing where it may be one. It is told to the model word for word, and a repository must not
 * tell it anything else in that place.
 */
export function languageProblem(text: string): string | undefined {
  if (text.length <= maxCharacters && codeOrName.test(text)) return undefined;
  const shown = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  return `${JSON.stringify(shown)} is no language. Use a code such as ko, or a name of at most ${maxCharacters} letters.`;
}
