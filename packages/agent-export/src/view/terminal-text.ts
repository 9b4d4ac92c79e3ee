/** A stretch of terminal output in one style. */
export interface TextRun {
  readonly text: string;
  readonly style: RunStyle;
}

/** A number is a place in the palette of 256, a text a colour such as `#a0b1c2`. */
export type Colour = number | string;

export interface RunStyle {
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
  readonly strike?: boolean;
  readonly foreground?: Colour;
  readonly background?: Colour;
}

const marksPerCell = 10;
const parametersLimit = 256;
const bidiControls = String.raw`\u202a-\u202e\u2066-\u2069`;
const patterns = {
  special: new RegExp(
    String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\p{Cs}${bidiControls}\p{Mn}\p{Me}\p{DI}\ufff9-\ufffb]`,
    'gu',
  ),
  bidi: new RegExp(`^[${bidiControls}]$`, 'u'),
};
const sequences = {
  parameters: /([\x20-\x3f]*)([\x40-\x7e])?/y,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a string ends with a control character
  string: /[^\0-\x1f\x7f-\x9f]*/y,
  intermediate: /[\x20-\x2f]+[\x30-\x7e]?/y,
};

/**
 * Reads what a program printed for a terminal: colours become runs, and everything else that a terminal would obey
 * is treated as the terminal's own filter treats it. Nothing printed is overwritten, reordered or buried.
 */
export function readTerminalText(text: string): readonly TextRun[] {
  return new TerminalReader(text).read();
}

/** The same text without colours. */
export function plainTerminalText(text: string): string {
  return readTerminalText(text)
    .map((run) => run.text)
    .join('');
}

class TerminalReader {
  readonly #source: string;
  readonly #runs: TextRun[] = [];
  #pending = '';
  #style: RunStyle = {};
  #lineHasText = false;
  #isAfterReturn = false;
  #marks = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): readonly TextRun[] {
    const { special } = patterns;
    let position = 0;
    while (position < this.#source.length) {
      special.lastIndex = position;
      const found = special.exec(this.#source);
      const end = found?.index ?? this.#source.length;
      if (end > position) this.#printWhole(this.#source.slice(position, end));
      if (!found) break;
      position = this.#readSpecial(found[0], end + found[0].length);
    }
    this.#endRun();
    return this.#runs;
  }

  /** Takes one special character and returns the position behind it and what it opens. */
  #readSpecial(character: string, next: number): number {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) return this.#readControl(code, next);
    if (code >= 0xd800 && code <= 0xdfff) this.#printWhole('\ufffd');
    else if (patterns.bidi.test(character)) this.#printWhole(`\\u{${code.toString(16)}}`);
    else if (this.#marks < marksPerCell) {
      this.#print(character);
      this.#marks++;
    }
    return next;
  }

  #readControl(code: number, next: number): number {
    if (code === 0x0d) this.#isAfterReturn = this.#lineHasText;
    if (code === 0x0b || code === 0x0c || code === 0x85) this.#printWhole('\n');
    if (code === 0x1b) return this.#readEscape(next);
    if (code === 0x9b) return this.#readParameters(next);
    return [0x90, 0x98, 0x9d, 0x9e, 0x9f].includes(code) ? this.#skip(sequences.string, next) : next;
  }

  #readEscape(position: number): number {
    const character = this.#source[position];
    if (character === undefined || character < ' ' || character > '~') return position;
    if (character === '[') return this.#readParameters(position + 1);
    if (']PX^_'.includes(character)) return this.#skip(sequences.string, position + 1);
    return character < '0' ? this.#skip(sequences.intermediate, position) : position + 1;
  }

  #readParameters(position: number): number {
    const pattern = sequences.parameters;
    pattern.lastIndex = position;
    const [all = '', parameters = '', final] = pattern.exec(this.#source) ?? [];
    if (final === 'm' && parameters.length <= parametersLimit) {
      this.#endRun();
      this.#style = styled(this.#style, parameters);
    }
    return position + all.length;
  }

  #skip(pattern: RegExp, position: number): number {
    pattern.lastIndex = position;
    return position + (pattern.exec(this.#source)?.[0].length ?? 0);
  }

  #printWhole(text: string): void {
    this.#print(text);
    this.#marks = 0;
  }

  /** A carriage return would overwrite the line, so the text moves to the next one. */
  #print(text: string): void {
    if (this.#isAfterReturn && !text.startsWith('\n')) {
      this.#pending += '\n';
      this.#marks = 0;
    }
    this.#isAfterReturn = false;
    this.#pending += text;
    this.#lineHasText = !text.endsWith('\n');
  }

  #endRun(): void {
    if (this.#pending !== '') this.#runs.push({ text: this.#pending, style: this.#style });
    this.#pending = '';
  }
}

/** Concealed and blinking text and fonts are passed over. */
function styled(style: RunStyle, parameters: string): RunStyle {
  if (!/^[\d;:]*$/.test(parameters)) return style;
  const given = parameters.split(';');
  let result = style;
  for (let index = 0; index < given.length; index++) {
    const parameter = given[index] ?? '';
    const code = Number.parseInt(parameter || '0', 10);
    if (parameter.includes(':')) result = { ...result, ...colonStyle(parameter) };
    else if (code === 38 || code === 48) {
      const extended = extendedColour(given.slice(index + 1, index + 5).map(Number));
      if (!extended) break;
      result = { ...result, [code === 38 ? 'foreground' : 'background']: extended.colour };
      index += extended.length;
    } else result = code === 0 ? {} : { ...result, ...simpleStyle(code) };
  }
  return result;
}

const simpleStyles: Readonly<Record<number, RunStyle>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
};

function simpleStyle(code: number): RunStyle {
  if (code >= 30 && code <= 37) return { foreground: code - 30 };
  if (code >= 90 && code <= 97) return { foreground: code - 82 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 100 && code <= 107) return { background: code - 92 };
  if (code === 39) return { foreground: -1 };
  if (code === 49) return { background: -1 };
  return simpleStyles[code] ?? {};
}

function colonStyle(parameter: string): RunStyle {
  if (/^4:[0-5]$/.test(parameter)) return { underline: parameter !== '4:0' };
  if (!/^[34]8:[25](?::\d{0,3}){1,6}$/.test(parameter)) return {};
  const [code, kind, ...rest] = parameter.split(':').map(Number);
  // The form with a colour space has an empty place before red.
  const values = kind === 2 && rest.length > 3 ? rest.slice(1, 4) : rest;
  const extended = extendedColour([kind ?? 0, ...values]);
  return extended ? { [code === 38 ? 'foreground' : 'background']: extended.colour } : {};
}

function extendedColour(values: readonly number[]): { colour: Colour; length: number } | undefined {
  const [kind, first, second, third] = values;
  const isByte = (value: number | undefined): value is number => value !== undefined && value <= 255;
  if (kind === 5 && isByte(first)) return { colour: first, length: 2 };
  if (kind !== 2 || !isByte(first) || !isByte(second) || !isByte(third)) return undefined;
  const colour = `#${[first, second, third].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  return { colour, length: 4 };
}
