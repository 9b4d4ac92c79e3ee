import { literalOf, markedText, type ShellWord, unknownText } from './shell-word.ts';

/** The literal start of a word: `--output=` of `--output=$HOME/x`. */
export function leadingText(word: ShellWord): string {
  let text = '';
  for (const piece of word.pieces) {
    if (piece.kind !== 'text') break;
    text += piece.value;
  }
  return text;
}

/** A word without the first characters of its literal text. */
export function withoutStart(word: ShellWord, count: number): ShellWord {
  const text = leadingText(word).slice(count);
  const at = word.pieces.findIndex((piece) => piece.kind !== 'text');
  const others = at === -1 ? [] : word.pieces.slice(at);
  const pieces = [...(text === '' ? [] : [{ kind: 'text', value: text } as const]), ...others];
  return { text: others.length === 0 ? text : word.text, pieces, plain: false };
}

/** Possible readings of a word as an option, including those with an empty variable. */
export function optionTexts(word: ShellWord): readonly string[] {
  const text = literalOf(word);
  if (text !== undefined) return [text];
  const marked = markedText(word);
  return [...new Set([marked, marked.replaceAll(unknownText, '')])].filter((one) => one !== '');
}
