const maxCharacters = 40;

/** Whether a text may be a language. The model is told it word for word, so a repository must not write anything else there. */
export function isLanguage(text: string): boolean {
  // A code such as `es-419`, or a name of up to four words, such as `Brazilian Portuguese` or `Português (Brasil)`.
  // Made here, not above: the classes take a millisecond of every start.
  const codeOrName = /^\p{L}[\p{L}\p{M}\p{N}_'’-]*(?: \(?[\p{L}\p{M}\p{N}'’-]+\)?){0,3}$/u;
  return text.length <= maxCharacters && codeOrName.test(text);
}

/** Completes "expected …" in messages about a language. */
export const expectedLanguage = 'a language code such as ko, or the name of a language';
