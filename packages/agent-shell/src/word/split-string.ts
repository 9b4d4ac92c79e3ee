import { literalOf, type ShellWord, unknownWord } from './shell-word.ts';

type Piece = ShellWord['pieces'][number];

const valued: ReadonlySet<string> = new Set(['-u', '-C', '-a', '--unset', '--chdir', '--argv0']);
const escaped: Readonly<Record<string, string>> = { f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', _: ' ' };
/** Maximum nesting of split texts. */
const maximumSplits = 8;

/** The words of `env`, with each `-S text` replaced by the words env splits it into. */
export function withSplitStrings(words: readonly ShellWord[]): readonly ShellWord[] {
  let all = words;
  let splits = 0;
  for (let at = 1; at < all.length; at += 1) {
    const text = literalOf(all[at] ?? unknownWord());
    if (text === undefined || (!text.startsWith('-') && !text.includes('='))) return all;
    const [, short, long] = /^(?:-[i0v]*S(.*)|--s[a-z-]*(?:=(.*))?)$/s.exec(text) ?? [];
    if (short === undefined && !text.startsWith('--s')) {
      if (valued.has(text)) at += 1;
      continue;
    }
    splits += 1;
    const attached = short === '' ? undefined : (short ?? long);
    const value = attached ?? literalOf(all[at + 1] ?? unknownWord());
    const given = value === undefined || splits > maximumSplits ? [unknownWord()] : splitString(value);
    all = [...all.slice(0, at), ...given, ...all.slice(at + (attached === undefined ? 2 : 1))];
    at -= 1;
  }
  return all;
}

/** Splits like `env -S`: quotes, escapes and `${NAME}`, but no other shell syntax. */
function splitString(text: string): ShellWord[] {
  const words: ShellWord[] = [];
  let pieces: Piece[] | undefined;
  let quote = '';
  const add = (piece: Piece) => {
    pieces = [...(pieces ?? []), piece];
  };
  const end = () => {
    if (pieces !== undefined) words.push({ text: shown(pieces), pieces, plain: false });
    pieces = undefined;
  };
  for (const [token] of text.matchAll(/\\.|\$\{\w*\}|./gs)) {
    if (token === '\\c' && quote === '') break;
    if (token === '#' && pieces === undefined && quote === '') break;
    if (quote === '' && (/^\s$/.test(token) || token === '\\_')) end();
    else if (token === quote) quote = '';
    else if (quote === '' && (token === '"' || token === "'")) {
      quote = token;
      add({ kind: 'text', value: '' });
    } else if (token.startsWith('\\')) add({ kind: 'text', value: unescaped(token, quote) });
    else if (token.startsWith('${') && quote !== "'") {
      add({ kind: 'variable', name: token.slice(2, -1), text: token });
    } else add({ kind: 'text', value: token });
  }
  end();
  return words;
}

function unescaped(token: string, quote: string): string {
  const letter = token.slice(1);
  if (quote === "'" && letter !== "'" && letter !== '\\') return token;
  return escaped[letter] ?? letter;
}

function shown(pieces: readonly Piece[]): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : 'value' in piece ? piece.value : '')).join('');
}
