import type { Paint, SyntaxToken } from '../components/render-style.ts';
import type { Language, StringForm } from './language.ts';

/** What a line begins inside of: a comment, a string or a tag that an earlier line opened. */
export type CodeState =
  | { readonly token: SyntaxToken; readonly close: string; readonly hasEscapes: boolean }
  | 'tag'
  | undefined;

/** A line with its colours, and what the next one begins inside of. */
export interface HighlightedLine {
  readonly text: string;
  readonly state: CodeState;
}

/** Lines longer than this are data rather than code, and are shown as they are. */
const lengthLimit = 2000;
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const number = /0[xob][\da-f_]+(?:[g-z%][a-z%]*)?|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?[a-z%]*/iy;
const operator = /[-+*/%=<>!&|^~?:]+/y;
const punctuation = /[()[\]{},;.]+/y;
const blanks = /\s+/y;
const callBehind = /\s*\(/y;

/** Colours one line of code; its cost depends on that line only. */
export function highlightLine(
  line: string,
  state: CodeState,
  options: { language: Language; paint: Paint },
): HighlightedLine {
  if (options.language.kind === 'diff') return { text: highlightDiff(line, options.paint), state: undefined };
  return new LineHighlighter(line, options.language, options.paint).run(state);
}

class LineHighlighter {
  readonly #line: string;
  readonly #language: Language;
  readonly #paint: Paint;
  readonly #isPlain: boolean;
  #position = 0;
  #text = '';
  #state: CodeState;

  constructor(line: string, language: Language, paint: Paint) {
    this.#line = line;
    this.#language = language;
    this.#paint = paint;
    this.#isPlain = line.length > lengthLimit;
  }

  run(state: CodeState): HighlightedLine {
    if (this.#isPlain) return { text: this.#line, state };
    this.#state = state;
    if (typeof state === 'object') this.#readUntilClosed(this.#position, state);
    this.#tryPattern(this.#language.key, 'syntaxVariable');
    while (this.#position < this.#line.length) this.#next();
    return { text: this.#text, state: this.#state };
  }

  #next(): void {
    if (this.#tryPattern(blanks)) return;
    if (this.#tryComment()) return;
    if (this.#language.kind === 'markup') return this.#nextOfMarkup();
    if (this.#tryString() || this.#tryPattern(this.#language.directive, 'syntaxKeyword')) return;
    if (this.#tryPattern(this.#language.variable, 'syntaxVariable')) return;
    if (this.#tryWord() || this.#tryPattern(number, 'syntaxNumber')) return;
    if (this.#tryPattern(operator, 'syntaxOperator') || this.#tryPattern(punctuation, 'syntaxPunctuation'))
      return;
    this.#take(1);
  }

  #nextOfMarkup(): void {
    if (this.#state === 'tag') {
      if (this.#tryString()) return;
      if (this.#tryPattern(/\/?>/y, 'syntaxPunctuation')) {
        this.#state = undefined;
        return;
      }
      if (this.#tryPattern(/[\w:@.#-]+/y, 'syntaxVariable')) return;
      return this.#take(1, 'syntaxOperator');
    }
    if (this.#tryPattern(/<[/!?]?[\w:-]+/y, 'syntaxKeyword')) {
      this.#state = 'tag';
      return;
    }
    if (!this.#tryPattern(/[^<\s]+/y)) this.#take(1);
  }

  #tryComment(): boolean {
    const { lineComments, blockComments } = this.#language;
    const opened = blockComments.find(([open]) => this.#line.startsWith(open, this.#position));
    if (opened) {
      this.#open({ token: 'syntaxComment', close: opened[1], hasEscapes: false }, opened[0]);
      return true;
    }
    const isComment = lineComments.some((mark) => this.#line.startsWith(mark, this.#position));
    // In shells and YAML a sign inside a word begins no comment.
    const isInWord = this.#line[this.#position] === '#' && /\S/.test(this.#line[this.#position - 1] ?? '');
    if (!isComment || isInWord) return false;
    this.#take(this.#line.length - this.#position, 'syntaxComment');
    return true;
  }

  #tryString(): boolean {
    const form = this.#language.strings.find(({ open }) => this.#line.startsWith(open, this.#position));
    if (!form) return false;
    this.#openString(form);
    return true;
  }

  #openString(form: StringForm): void {
    this.#open({ token: 'syntaxString', close: form.close, hasEscapes: form.hasEscapes }, form.open);
    if (!form.isMultiline && typeof this.#state === 'object') this.#state = this.#outside();
  }

  #open(state: Exclude<CodeState, 'tag' | undefined>, mark: string): void {
    const start = this.#position;
    this.#position += mark.length;
    this.#readUntilClosed(start, state);
  }

  /** Colours from a place up to the end of what is open, or of the line. */
  #readUntilClosed(start: number, state: Exclude<CodeState, 'tag' | undefined>): void {
    const before = this.#state === 'tag' ? 'tag' : undefined;
    const end = endOf(this.#line, this.#position, state);
    this.#state = end === undefined ? state : before;
    this.#position = start;
    this.#take((end ?? this.#line.length) - start, state.token);
  }

  #outside(): CodeState {
    return this.#language.kind === 'markup' ? 'tag' : undefined;
  }

  #tryWord(): boolean {
    word.lastIndex = this.#position;
    const found = word.exec(this.#line)?.[0];
    if (found === undefined) return false;
    this.#take(found.length, this.#tokenOf(found));
    return true;
  }

  #tokenOf(found: string): SyntaxToken | undefined {
    const { keywords, types, literals, isCaseIgnored, hasCapitalTypes } = this.#language;
    const name = isCaseIgnored ? found.toLowerCase() : found;
    if (keywords.has(name)) return 'syntaxKeyword';
    if (literals.has(name)) return 'syntaxNumber';
    if (types.has(name)) return 'syntaxType';
    callBehind.lastIndex = this.#position + found.length;
    if (callBehind.test(this.#line)) return 'syntaxFunction';
    return hasCapitalTypes && /^[A-Z].*[a-z]/.test(found) ? 'syntaxType' : undefined;
  }

  #tryPattern(pattern: RegExp | undefined, token?: SyntaxToken): boolean {
    if (!pattern) return false;
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#line)?.[0];
    if (found === undefined || found === '') return false;
    this.#take(found.length, token);
    return true;
  }

  #take(length: number, token?: SyntaxToken): void {
    const text = this.#line.slice(this.#position, this.#position + length);
    this.#position += length;
    if (text !== '') this.#text += token ? this.#paint(token, text) : text;
  }
}

function endOf(
  line: string,
  from: number,
  state: { close: string; hasEscapes: boolean },
): number | undefined {
  for (let index = from; index < line.length; index++) {
    if (state.hasEscapes && line[index] === '\\') index++;
    else if (line.startsWith(state.close, index)) return index + state.close.length;
  }
  return undefined;
}

function highlightDiff(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint('diffAdded', line);
  if (line.startsWith('-')) return paint('diffRemoved', line);
  return line.startsWith('@@') ? paint('accent', line) : line;
}
