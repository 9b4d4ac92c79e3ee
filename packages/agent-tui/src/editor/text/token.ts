/** Something in a text that is shown by a short label and moved over or deleted as one character. */
export interface Token {
  readonly kind: 'paste' | 'image' | 'file';
  readonly label: string;
  /** The text that replaces it when the text is sent. */
  readonly text: string;
}

// A token is half of a surrogate pair: text that was read from UTF-8 never holds one, so none can be mistaken for it.
const firstCode = 0xdc00;
const lastCode = 0xdfff;
const lonelySurrogate = /\p{Surrogate}/gu;

/** How many tokens a text can hold. */
export const tokenLimit = lastCode - firstCode + 1;

/** The placeholder character of the token with a number. */
export function tokenCharacter(index: number): string {
  return String.fromCharCode(firstCode + index);
}

/** True if the unit of a text at an index is a token, and no half of a character. */
export function isTokenAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (!(code >= firstCode && code <= lastCode)) return false;
  return index === 0 || (text.charCodeAt(index - 1) & 0xfc00) !== 0xd800;
}

/** The token of a placeholder character. */
export function tokenOf(character: string, tokens: readonly Token[]): Token | undefined {
  return isTokenAt(character, 0) ? tokens[character.charCodeAt(0) - firstCode] : undefined;
}

/** Replaces placeholders by the values or labels of their tokens. */
export function expandTokens(
  text: string,
  tokens: readonly Token[],
  part: 'text' | 'label' = 'text',
): string {
  return text.replace(lonelySurrogate, (character) => tokenOf(character, tokens)?.[part] ?? '\ufffd');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const escapeSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])/g;
const control = /[^\P{Cc}\n\t]/gu;

/**
 * Makes text from outside fit for a buffer: line feeds only, no escape sequences or other control characters, and nothing
 * that could be taken for a token.
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(escapeSequence, '')
    .replace(control, '')
    .replace(lonelySurrogate, '\ufffd');
}
