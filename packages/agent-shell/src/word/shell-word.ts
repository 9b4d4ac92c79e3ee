import path from 'node:path';
import type { CommandExpansionPart, ParameterOperation, Word, WordPart } from 'unbash';

/** A part of a word: literal text, or something only the shell can expand. */
type Piece =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'glob'; readonly value: string }
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly text: string;
      /** True if the expansion may differ from the value: `${x#y}`, `${x:-y}`. */
      readonly isChanged?: true;
    }
  | { readonly kind: 'home' }
  | {
      readonly kind: 'unknown';
      /** True if it may match file names. */
      readonly isGlob?: true;
    };

/** One word of a simple command after brace expansion. */
export interface ShellWord {
  /** As written. */
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** True if it has no quotes, escapes or expansions. */
  readonly plain: boolean;
}

/** Placeholder for text that only the shell can expand; a `*` in a rule covers it, a literal never does. */
export const unknownText = '\uE001';

const maximumBraceWords = 64;

/** The words the shell makes from one word of the syntax tree: several if braces expand. */
export function wordsFrom(word: Word): ShellWord[] {
  const parts = word.parts;
  if (parts === undefined) return [plainOrEscaped(word)];
  const alternatives = expandParts(parts);
  return alternatives.map((pieces) => ({
    text: word.text,
    pieces: withTilde(word.text, pieces),
    plain: false,
  }));
}

/** A word of literal text. */
export function wordOf(text: string): ShellWord {
  return { text, pieces: [{ kind: 'text', value: text }], plain: true };
}

/** A completely unknown word. */
export function unknownWord(): ShellWord {
  return { text: unknownText, pieces: [{ kind: 'unknown' }], plain: false };
}

/** A word of fixed text that is not written in the command. */
export function textWord(value: string): ShellWord {
  return { text: value, pieces: [{ kind: 'text', value }], plain: false };
}

/** The word's value if it does not depend on the running shell. */
export function literalOf(word: ShellWord): string | undefined {
  let value = '';
  for (const piece of word.pieces) {
    if (piece.kind !== 'text') return undefined;
    value += piece.value;
  }
  return value;
}

/** True if a part of the word may match file names, which may contain anything. */
export function hasGlob({ pieces }: ShellWord): boolean {
  return pieces.some((piece) => piece.kind === 'glob' || (piece.kind === 'unknown' && piece.isGlob));
}

/** True if a word is text, possibly in the home directory. */
export function isFixedPath(word: ShellWord): boolean {
  return word.pieces.every((piece) => piece.kind === 'text' || piece.kind === 'home');
}

/** The value of a name if its unknown parts are empty: `eval$X` is `eval`. */
export function assumedName(word: ShellWord): string {
  return word.pieces.map((piece) => (piece.kind === 'text' ? piece.value : '')).join('');
}

/** The word's value with unknown parts replaced by a mark that no rule can spell. */
export function markedText(word: ShellWord): string {
  return word.pieces.map((piece) => (piece.kind === 'text' ? piece.value : unknownText)).join('');
}

/** The text of `$(cat <<'EOF' …)`, which is only another form of quoting. */
export function quotedText(part: CommandExpansionPart): string | undefined {
  const [statement, another] = part.script?.commands ?? [];
  const command = statement?.command;
  if (another !== undefined || statement?.background || command?.type !== 'Command') return undefined;
  const [input, ...others] = command.suffix;
  const isOnlyInput = others.length === 0 && command.prefix.length === 0 && input?.type === 'HereDoc';
  if (command.name?.text !== 'cat' || !isOnlyInput || input.descriptor !== undefined) return undefined;
  return input.delimiter?.quoted ? input.body.text.replace(/(?<!\n)\n+$/, '') : undefined;
}

/** The known values of variables. */
export interface Variables {
  readonly home: string;
  readonly cwd: string;
  /** Values assigned in the script itself. */
  readonly assigned: ReadonlyMap<string, readonly string[]>;
  /** Those that may have another value. */
  readonly unsettled?: ReadonlySet<string>;
}

/** Every value the word may have according to the script; unknown parts are marked, globs are kept. */
export function valuesOf(word: ShellWord, variables: Variables): string[] {
  let values = [''];
  for (const piece of word.pieces) {
    const options = optionsOf(piece, variables);
    values = values.flatMap((value) => options.map((option) => value + option)).slice(0, 16);
  }
  return values;
}

/** The values of a word that is a command's name; an unset variable is empty: `s${X}udo`. */
export function nameValuesOf(word: ShellWord, variables: Variables): string[] {
  const values = valuesOf({ ...word, pieces: word.pieces.map(withSeparator) }, variables);
  const isUnsettled = word.pieces.some(
    (piece) => piece.kind === 'variable' && variables.unsettled?.has(piece.name) === true,
  );
  if (isUnsettled) values.push(markedText(word));
  const remainders = values.map((value) => value.replaceAll(unknownText, '')).filter((value) => value !== '');
  return [...new Set([...values, ...remainders])];
}

/** `sudo${IFS}id` is two words. */
function withSeparator(piece: Piece): Piece {
  return piece.kind === 'variable' && piece.name === 'IFS' ? { kind: 'text', value: ' ' } : piece;
}

function optionsOf(piece: Piece, variables: Variables): readonly string[] {
  switch (piece.kind) {
    case 'text':
    case 'glob':
      return [piece.value];
    case 'home':
      return [variables.home];
    case 'variable': {
      if (piece.isChanged) return [...optionsOf(unchanged(piece), variables), unknownText];
      if (piece.name === 'HOME') return [variables.home];
      if (piece.name === 'PWD') return [variables.cwd];
      if (piece.name === `~${path.posix.basename(variables.home)}`) return [variables.home];
      if (piece.name === '~root') return ['/root'];
      return variables.assigned.get(piece.name) ?? [unknownText];
    }
    case 'unknown':
      return [unknownText];
  }
}

function unchanged({ name, text }: Extract<Piece, { kind: 'variable' }>): Piece {
  return { kind: 'variable', name, text };
}

function plainOrEscaped(word: Word): ShellWord {
  if (word.text !== word.value) {
    return {
      text: word.text,
      pieces: withTilde(word.text, [{ kind: 'text', value: word.value }]),
      plain: false,
    };
  }
  const pieces = withTilde(word.text, [{ kind: 'text', value: word.value }]);
  return { text: word.text, pieces, plain: pieces.every((piece) => piece.kind === 'text') };
}

/** An unquoted tilde at the start is a home directory; its user may be unknown. */
function withTilde(text: string, pieces: readonly Piece[]): readonly Piece[] {
  const [first, ...rest] = pieces;
  if (!text.startsWith('~') || first?.kind !== 'text') return pieces;
  const slash = first.value.indexOf('/');
  const user = slash === -1 ? first.value.slice(1) : first.value.slice(1, slash);
  const remainder: Piece[] = slash === -1 ? [] : [{ kind: 'text', value: first.value.slice(slash) }];
  const name = `~${user}`;
  return [user === '' ? { kind: 'home' } : { kind: 'variable', name, text: name }, ...remainder, ...rest];
}

function expandParts(parts: readonly WordPart[]): Piece[][] {
  let words: Piece[][] = [[]];
  for (const part of parts) {
    if (part.type !== 'BraceExpansion') {
      const pieces = piecesOf(part);
      for (const word of words) for (const piece of pieces) word.push(piece);
      continue;
    }
    const options = braceOptions(part.text) ?? [unreadBrace(part.text)];
    words = words.flatMap((word) => options.map((option) => [...word, option]));
    if (words.length > maximumBraceWords) return [[{ kind: 'unknown' }]];
  }
  return words;
}

function unreadBrace(text: string): Piece {
  return /[*?[]/.test(text) ? { kind: 'unknown', isGlob: true } : { kind: 'unknown' };
}

/** The alternatives of `{a,b}`; undefined if it is nested, quoted, a sequence or contains an expansion. */
function braceOptions(text: string): Piece[] | undefined {
  const inner = text.slice(1, -1);
  if (!inner.includes(',') || /[{}$`'"\\]/.test(inner)) return undefined;
  return inner.split(',').map((value) => {
    if (/[*?[]/.test(value)) return { kind: 'glob', value };
    return { kind: 'text', value };
  });
}

/** `${x:?}` is the value, or the command does not run. */
function isRequired(operation: ParameterOperation): boolean {
  return operation.type === 'Default' && operation.operator.endsWith('?');
}

function piecesOf(part: WordPart): Piece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', value: part.value }];
    case 'Glob':
      // A bracket may contain a variable.
      return part.parts?.flatMap(piecesOf).some((piece) => piece.kind !== 'text' && piece.kind !== 'glob')
        ? [{ kind: 'unknown', isGlob: true }]
        : [{ kind: 'glob', value: part.text }];
    case 'ExtendedGlob':
      return [{ kind: 'unknown', isGlob: true }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap(piecesOf);
    case 'SimpleExpansion':
      return [{ kind: 'variable', name: part.text.slice(1), text: part.text }];
    case 'ParameterExpansion':
      // `${HOME:?}` and similar are still the home directory; an index or an indirection may be anything.
      if (part.index !== undefined || part.prefix !== undefined) return [{ kind: 'unknown' }];
      return [
        {
          kind: 'variable',
          name: part.parameter,
          text: part.text,
          ...(part.operation === undefined || isRequired(part.operation) ? {} : { isChanged: true }),
        },
      ];
    case 'CommandExpansion': {
      const value = quotedText(part);
      return [value === undefined ? { kind: 'unknown' } : { kind: 'text', value }];
    }
    default:
      return [{ kind: 'unknown' }];
  }
}
