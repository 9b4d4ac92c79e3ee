import type { SyntaxToken } from '../components/render-style.ts';
import type { Language, StringForm } from './language.ts';

/** A piece of code and its colour. */
export interface CodePart {
  readonly text: string;
  readonly token?: SyntaxToken | 'diffAdded' | 'diffRemoved' | 'accent' | undefined;
}

/** The comment, string or tag that an earlier line opened. */
export type CodeState =
  | { readonly token: SyntaxToken; readonly close: string; readonly hasEscapes: boolean }
  | 'tag'
  | undefined;

/** The parts of a line, and the state for the next line. */
export interface HighlightedLine {
  readonly parts: readonly CodePart[];
  readonly state: CodeState;
}

/** Longer lines are data rather than code, and are not highlighted. */
const lengthLimit = 2000;
const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const number = /0[xob][\da-f_]+(?:[g-z%][a-z%]*)?|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?[a-z%]*/iy;
const operator = /[-+*/%=<>!&|^~?:]+/y;
const punctuation = /[()[\]{},;.]+/y;
const blanks = /\s+/y;
const callAfter = /\s*\(/y;

/** Highlights one line of code; the cost depends on that line only. */
export function highlightLine(line: string, state: CodeState, language: Language): HighlightedLine {
  if (language.kind === 'diff') return { parts: [diffPart(line)], state: undefined };
  return new LineHighlighter(line, language).run(state);
}

class LineHighlighter {
  readonly #line: string;
  readonly #language: Language;
  readonly #isPlain: boolean;
  #position = 0;
  readonly #parts: CodePart[] = [];
  #state: CodeState;

  constructor(line: string, language: Language) {
    this.#line = line;
    this.#language = language;
    this.#isPlain = line.length > lengthLimit;
  }

  run(state: CodeState): HighlightedLine {
    if (this.#isPlain) return { parts: [{ text: this.#line }], state };
    this.#state = state;
    if (typeof state === 'object') this.#readUntilClosed(this.#position, state);
    this.#tryPattern(this.#language.key, 'syntaxVariable');
    while (this.#position < this.#line.length) this.#next();
    return { parts: this.#parts, state: this.#state };
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
    // In shells and YAML a # inside a word starts no comment.
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

  /** Takes text up to the end of the open comment or string, or of the line. */
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
    callAfter.lastIndex = this.#position + found.length;
    if (callAfter.test(this.#line)) return 'syntaxFunction';
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
    if (text !== '') this.#parts.push({ text, token });
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

function diffPart(text: string): CodePart {
  if (text.startsWith('+')) return { text, token: 'diffAdded' };
  if (text.startsWith('-')) return { text, token: 'diffRemoved' };
  return text.startsWith('@@') ? { text, token: 'accent' } : { text };
}
