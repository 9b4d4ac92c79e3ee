import { advanceSequence, isControl, openSequence, type SequencePart } from './control-sequence.ts';
import { safeColours } from './safe-colours.ts';

/** How a filter treats what a terminal would obey instead of print. */
export interface EscapeFilterOptions {
  /**
   * `drop` removes control sequences and is right nearly everywhere. `keep-colours` keeps harmless colours and closes
   * them at the end. `show` spells out everything invisible, such as `\u{1b}` or `\u{200b}`, for questions to users,
   * which must show exactly what is approved.
   */
  readonly sequences?: 'drop' | 'keep-colours' | 'show';
}

const marksPerCell = 10;
const parametersLimit = 256;
const bidiControls = String.raw`\u202a-\u202e\u2066-\u2069`;
const zeroWidth = String.raw`\p{Mn}\p{Me}\p{DI}\ufff9-\ufffb`;
const special = String.raw`\0-\x08\x0b-\x1f\x7f-\x9f\p{Cs}${bidiControls}${zeroWidth}`;
// A space that is not U+0020 looks like one, but a shell takes it for a letter. Some signs and letters are blanks as well.
const blank = String.raw`\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u2800\u3000\ufffc\u{13441}\u{13442}\u{1d159}`;

// In each mode: what does not simply pass, and what of that is spelled out.
const patterns = {
  special: new RegExp(`[${special}]`, 'gu'),
  spelled: new RegExp(`^[${bidiControls}]$`, 'u'),
  specialToShow: new RegExp(`[${special}${blank}]`, 'gu'),
  spelledToShow: new RegExp(String.raw`^[\p{DI}\ufff9-\ufffb${blank}]$`, 'u'),
};

const tag = /^[\u{e0000}-\u{e007f}]$/u;
const blackFlag = '\u{1f3f4}';
const flagTag = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]$/u;
const flagEnd = '\u{e007f}';
const longestFlag = 7;
const selector = /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}\u180b-\u180d\u180f]$/u;

/**
 * Makes text of any origin safe to print on a terminal, piece by piece as it arrives.
 * What comes out holds no control character but line feed and tab, only whole code points, and no text that
 * was printed is overwritten, reordered or buried under marks. Pieces may be cut anywhere.
 */
export class EscapeFilter {
  readonly #sequences: Required<EscapeFilterOptions>['sequences'];
  readonly #special: RegExp;
  readonly #spelling: RegExp;
  #output = '';
  #part: SequencePart | undefined;
  #parameters = '';
  #halfCharacter = '';
  #lineHasText = false;
  #isAfterReturn = false;
  #marks = 0;
  #hasSelector = false;
  /** How many tags may still follow a black flag. */
  #flagTags = 0;
  #isColoured = false;

  constructor(options: EscapeFilterOptions = {}) {
    this.#sequences = options.sequences ?? 'drop';
    const isShowing = this.#sequences === 'show';
    this.#special = isShowing ? patterns.specialToShow : patterns.special;
    this.#spelling = isShowing ? patterns.spelledToShow : patterns.spelled;
  }

  /** Takes the next piece and returns what may be printed now. */
  push(text: string): string {
    return this.#read(this.#withoutHalfCharacter(this.#halfCharacter + text));
  }

  /** Returns what is left to print when no more will come, and makes the filter ready for another text. */
  end(): string {
    const rest = this.#read(this.#halfCharacter) + (this.#isColoured ? '\u001b[0m' : '');
    this.#part = undefined;
    this.#halfCharacter = '';
    this.#lineHasText = false;
    this.#isAfterReturn = false;
    this.#beginCell();
    this.#isColoured = false;
    return rest;
  }

  #withoutHalfCharacter(text: string): string {
    const isCut = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
    this.#halfCharacter = isCut ? text.slice(-1) : '';
    return isCut ? text.slice(0, -1) : text;
  }

  #read(text: string): string {
    this.#output = '';
    let position = 0;
    while (position < text.length) {
      position = this.#part ? this.#readSequence(text, position, this.#part) : this.#readText(text, position);
    }
    return this.#output;
  }

  /** Reads up to and including the next special character, and returns the position after it. */
  #readText(text: string, start: number): number {
    this.#special.lastIndex = start;
    const found = this.#special.exec(text);
    const end = found ? found.index : text.length;
    if (end > start) {
      this.#print(text.slice(start, end));
      this.#beginCell();
      this.#flagTags = text.slice(start, end).endsWith(blackFlag) ? longestFlag : 0;
    }
    if (!found) return end;
    this.#readSpecial(found[0]);
    return end + found[0].length;
  }

  #readSpecial(character: string): void {
    const code = character.codePointAt(0) ?? 0;
    if (isControl(code)) return this.#readControl(code);
    if (isSurrogate(code)) return this.#printWhole('\ufffd');
    if (this.#spelling.test(character)) return this.#printWhole(spelled(code));
    if (this.#sequences !== 'show' && this.#carriesText(character)) return;
    if (this.#marks < marksPerCell) {
      this.#print(character);
      this.#marks++;
      return;
    }
    if (this.#sequences === 'show') this.#print(spelled(code));
  }

  /** Tags, and a second variation selector, show nothing and may spell out a text that only a model reads. */
  #carriesText(character: string): boolean {
    if (tag.test(character)) return !this.#isOfFlag(character);
    if (!selector.test(character)) return false;
    const isSecond = this.#hasSelector;
    this.#hasSelector = true;
    return isSecond;
  }

  /** Flags such as Scotland's are a black flag followed by a short code. */
  #isOfFlag(character: string): boolean {
    const isLast = character === flagEnd;
    const isPart = this.#flagTags > 0 && (isLast || flagTag.test(character));
    this.#flagTags = isPart && !isLast ? this.#flagTags - 1 : 0;
    return isPart;
  }

  #beginCell(): void {
    this.#marks = 0;
    this.#hasSelector = false;
  }

  #readControl(code: number): void {
    if (this.#sequences === 'show') return this.#printWhole(spelled(code));
    if (code === 0x0d) {
      this.#isAfterReturn = this.#lineHasText;
      return;
    }
    if (code === 0x0b || code === 0x0c || code === 0x85) return this.#printWhole('\n');
    this.#part = openSequence(code);
    this.#parameters = '';
  }

  #readSequence(text: string, start: number, from: SequencePart): number {
    let part = from;
    for (let position = start; position < text.length; position++) {
      const code = text.charCodeAt(position);
      const next = advanceSequence(part, code);
      if (next === 'broken') return this.#leaveSequence(position);
      if (next === 'end') {
        if (part === 'parameters' && code === 0x6d) this.#colour();
        return this.#leaveSequence(position + 1);
      }
      if (part === 'parameters') this.#rememberParameter(code);
      part = next;
    }
    this.#part = part;
    return text.length;
  }

  #leaveSequence(position: number): number {
    this.#part = undefined;
    return position;
  }

  #rememberParameter(code: number): void {
    if (this.#sequences !== 'keep-colours' || this.#parameters.length > parametersLimit) return;
    this.#parameters += String.fromCharCode(code);
  }

  #colour(): void {
    if (this.#sequences !== 'keep-colours' || this.#parameters.length > parametersLimit) return;
    const parameters = safeColours(this.#parameters);
    if (parameters === '') return;
    this.#output += `\u001b[${parameters}m`;
    this.#isColoured = !/(?:^|;)0$/.test(parameters);
  }

  /** Prints text in separate cells. */
  #printWhole(text: string): void {
    this.#print(text);
    this.#beginCell();
  }

  /** A carriage return would let text overwrite its line, so the text continues on the next line instead. */
  #print(text: string): void {
    if (this.#isAfterReturn && !text.startsWith('\n')) {
      this.#output += '\n';
      this.#beginCell();
    }
    this.#isAfterReturn = false;
    this.#output += text;
    this.#lineHasText = !text.endsWith('\n');
  }
}

/** Filters one whole text, as {@link EscapeFilter} does. */
export function filterEscapes(text: string, options?: EscapeFilterOptions): string {
  const filter = new EscapeFilter(options);
  return filter.push(text) + filter.end();
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}

function spelled(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

/** The text with control sequences and hidden characters spelled out, for questions that must show all of it. */
export function visibleText(text: string): string {
  return filterEscapes(text, { sequences: 'show' });
}
