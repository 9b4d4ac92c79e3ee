import type { ColourDepth } from '../terminal/capabilities.ts';
import { type Colour, colourParameters } from './colour.ts';
import type { ThemeToken } from './theme-tokens.ts';

/** A theme with every colour decided. */
export interface ThemeDefinition {
  readonly name: string;
  readonly colours: Readonly<Record<ThemeToken, Colour>>;
  /** The colours of an exported page. */
  readonly page?: Readonly<Partial<Record<'pageBg' | 'cardBg' | 'infoBg', Colour>>>;
}

/** Gives texts the colours of a theme, as far as the terminal has them. */
export class Theme {
  readonly name: string;
  readonly #openings = new Map<string, string>();
  readonly #definition: ThemeDefinition;
  readonly #depth: ColourDepth;

  constructor(definition: ThemeDefinition, depth: ColourDepth) {
    this.name = definition.name;
    this.#definition = definition;
    this.#depth = depth;
  }

  /** Colours a text, or what lies behind it if the token ends in `Bg`. */
  paint(token: ThemeToken, text: string): string {
    return token.endsWith('Bg') ? this.background(token, text) : this.foreground(token, text);
  }

  /** Colours a text. */
  foreground(token: ThemeToken, text: string): string {
    return enclose(this.#opening(token, 'text'), text, '\x1b[39m');
  }

  /** Colours what lies behind a text. */
  background(token: ThemeToken, text: string): string {
    return enclose(this.#opening(token, 'background'), text, '\x1b[49m');
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

  #opening(token: ThemeToken, layer: 'text' | 'background'): string {
    const key = `${layer} ${token}`;
    const known = this.#openings.get(key);
    if (known !== undefined) return known;
    const parameters = colourParameters(this.#definition.colours[token], this.#depth, layer);
    const opening = parameters === '' ? '' : `\x1b[${parameters}m`;
    this.#openings.set(key, opening);
    return opening;
  }
}

/** Encloses a text in a look that goes on behind whatever in it ends looks. */
function enclose(opening: string, text: string, closing: string): string {
  if (opening === '' || text === '') return text;
  const goesOn = text.includes('\x1b[')
    ? text.replaceAll('\x1b[0m', `\x1b[0m${opening}`).replaceAll(closing, opening)
    : text;
  return opening + goesOn + closing;
}
