import type { ColourDepth } from '../terminal/capabilities.ts';
import { piecesOf } from '../text/styled-text.ts';
import { type Colour, colourParameters, isTextColour } from './colour.ts';
import type { ToolkitToken } from './theme-tokens.ts';

/** A theme: a name and a colour for each token. */
export interface ThemeDefinition<Token extends string = ToolkitToken> {
  readonly name: string;
  readonly colours: Readonly<Record<Token, Colour>>;
}

/** Paints texts in the colours of a theme, as exactly as the terminal can show them. */
export class Theme<in Token extends string = ToolkitToken> {
  readonly name: string;
  readonly #openings = new Map<string, string>();
  readonly #colours: Readonly<Record<string, Colour>>;
  readonly #depth: ColourDepth;

  constructor(definition: ThemeDefinition<Token>, depth: ColourDepth) {
    this.name = definition.name;
    this.#colours = definition.colours;
    this.#depth = depth;
  }

  /** Colours a text, or its background if the token ends in `Bg`. */
  paint(token: Token, text: string): string {
    return token.endsWith('Bg') ? this.background(token, text) : this.foreground(token, text);
  }

  /** Colours a text. */
  foreground(token: Token, text: string): string {
    const opening = this.#opening(token, 'text');
    return enclose(opening, text, opening === faint ? '\x1b[22m' : '\x1b[39m');
  }

  /** Colours the background of a text. */
  background(token: Token, text: string): string {
    const opening = this.#opening(token, 'background');
    if (isTextColour(this.#colours[token])) return enclose(opening, text, '\x1b[39m');
    // Reversed, a colour of the text would be a ground of its own.
    if (opening === reverse) return this.inverse(withoutColours(text));
    return enclose(opening, text, '\x1b[49m');
  }

  bold(text: string): string {
    return enclose('\x1b[1m', text, '\x1b[22m');
  }

  italic(text: string): string {
    return enclose('\x1b[3m', text, '\x1b[23m');
  }

  underline(text: string): string {
    return enclose('\x1b[4m', text, '\x1b[24m');
  }

  inverse(text: string): string {
    return enclose('\x1b[7m', text, '\x1b[27m');
  }

  strike(text: string): string {
    return enclose('\x1b[9m', text, '\x1b[29m');
  }

  #opening(token: string, layer: 'text' | 'background'): string {
    const key = `${layer} ${token}`;
    const known = this.#openings.get(key);
    if (known !== undefined) return known;
    const parameters = colourParameters(this.#colours[token] ?? 'default', this.#depth, layer);
    const opening = parameters === '' ? '' : `\x1b[${parameters}m`;
    this.#openings.set(key, opening);
    return opening;
  }
}

const faint = '\x1b[2m';
const reverse = '\x1b[7m';
const textColour = /^\[[39]\d[\d;]*m$/;

function withoutColours(text: string): string {
  let kept = '';
  for (const piece of piecesOf(text))
    if (piece.kind !== 'sequence' || !textColour.test(piece.text.slice(1))) kept += piece.text;
  return kept;
}

/** Wraps a text in a style, and resumes the style after codes in the text that end it. */
function enclose(opening: string, text: string, closing: string): string {
  if (opening === '' || text === '') return text;
  // The code that ends faint text ends bold text as well, so it must stay.
  const resume = opening === faint ? closing + opening : opening;
  const resumed = text.includes('\x1b[')
    ? text.replaceAll('\x1b[0m', `\x1b[0m${opening}`).replaceAll(closing, resume)
    : text;
  return opening + resumed + closing;
}
