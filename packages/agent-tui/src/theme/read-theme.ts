import { nearest } from '@robota-sdk/agent-diff';
import { type FileProblem, type JsonDocument, readJsonDocument } from '../text/json-document.ts';
import type { Colour } from './colour.ts';
import type { ThemeDefinition } from './theme.ts';
import type { ThemeTokens } from './theme-tokens.ts';

/** The tokens of a program's themes, and the theme that replaces missing colours. */
export interface ThemeSchema<Token extends string> {
  readonly tokens: ThemeTokens<NoInfer<Token>>;
  readonly fallback: ThemeDefinition<Token>;
}

/** The content of a theme file; without a definition if the file is unusable. */
export interface ThemeFile<Token extends string> {
  readonly definition?: ThemeDefinition<Token>;
  /** The colours that were taken from the fallback because the file leaves them out. */
  readonly missing: readonly Token[];
  readonly problems: readonly FileProblem[];
}

/** Reads the text of a theme file. Missing and invalid colours are taken from the fallback. */
export async function readTheme<Token extends string>(
  text: string,
  schema: ThemeSchema<Token>,
): Promise<ThemeFile<Token>> {
  const { fallback } = schema;
  const document = await readJsonDocument(text);
  const instead = `The theme "${fallback.name}" is used instead.`;
  if (document.problem) {
    const { line, message } = document.problem;
    return { missing: [], problems: [{ line, message: `${message} ${instead}` }] };
  }
  const { value } = document;
  if (!isRecord(value) || !isRecord(value['colors'])) {
    const message = `Expected an object with "name" and "colors". ${instead}`;
    return { missing: [], problems: [{ line: 1, message }] };
  }
  return new ThemeReader(document, value, schema).read();
}

class ThemeReader<Token extends string> {
  readonly #document: JsonDocument;
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #schema: ThemeSchema<Token>;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #missing: Token[] = [];
  readonly #problems: FileProblem[] = [];

  constructor(document: JsonDocument, value: Readonly<Record<string, unknown>>, schema: ThemeSchema<Token>) {
    this.#document = document;
    this.#value = value;
    this.#schema = schema;
    this.#variables = isRecord(value['vars']) ? value['vars'] : {};
  }

  read(): ThemeFile<Token> {
    const name = this.#readName();
    if (name === undefined) return { missing: [], problems: this.#problems };
    const { tokens, fallback } = this.#schema;
    const written = isRecord(this.#value['colors']) ? this.#value['colors'] : {};
    const colours: Record<Token, Colour> = { ...fallback.colours };
    for (const token of tokens.required) colours[token] = this.#readToken(written, token);
    const optional = Object.entries<Token | 'none' | undefined>(tokens.optional ?? {}) as [
      Token,
      Token | 'none',
    ][];
    for (const [token, other] of optional) {
      if (Object.hasOwn(written, token)) colours[token] = this.#readToken(written, token);
      else colours[token] = other === 'none' ? 'default' : colours[other];
    }
    const known: string[] = [...tokens.required, ...optional.map(([token]) => token)];
    const absent = known.filter((token) => !Object.hasOwn(written, token));
    for (const key of Object.keys(written)) if (!known.includes(key)) this.#addMistyped(key, absent);
    return { definition: { name, colours }, missing: this.#missing, problems: this.#problems };
  }

  #readName(): string | undefined {
    const name = this.#value['name'];
    if (typeof name === 'string' && name !== '' && !name.includes('/')) return name;
    this.#add(['name'], 'A theme has a "name" without a slash. It can\'t be chosen without one.');
    return undefined;
  }

  #readToken(written: Readonly<Record<string, unknown>>, token: Token): Colour {
    const fallback = this.#schema.fallback.colours[token];
    if (!Object.hasOwn(written, token)) {
      this.#missing.push(token);
      return fallback;
    }
    return this.#readColour(written[token], ['colors', token]) ?? fallback;
  }

  /** Resolves variables to a colour. Problems are reported at the line of the colour. */
  #readColour(written: unknown, path: readonly string[]): Colour | undefined {
    const seen: string[] = [];
    let value = written;
    for (;;) {
      const colour = parseColour(value);
      if (colour !== undefined) return colour;
      if (typeof value !== 'string' || !Object.hasOwn(this.#variables, value)) {
        this.#add(path, this.#noColour(value));
        return undefined;
      }
      if (seen.includes(value)) {
        this.#add(
          path,
          `The variables ${[...seen, value].map((name) => `"${name}"`).join(' → ')} lead in a circle.`,
        );
        return undefined;
      }
      seen.push(value);
      value = this.#variables[value];
    }
  }

  #noColour(value: unknown): string {
    const [near] = typeof value === 'string' ? nearest(value, Object.keys(this.#variables)) : [];
    const advice =
      near === undefined
        ? 'A colour is "#rrggbb", 0 to 255, the name of one of "vars", or "" for that of the terminal.'
        : `Did you mean "${near}"?`;
    return `${JSON.stringify(value)} is not a colour. ${advice}`;
  }

  /** Reports a name close to one that the theme lacks. Other unknown names are colours of newer programs. */
  #addMistyped(key: string, absent: readonly string[]): void {
    const [near] = nearest(key, absent);
    if (near !== undefined) this.#add(['colors', key], `Unknown colour "${key}". Did you mean "${near}"?`);
  }

  #add(path: readonly string[], message: string): void {
    this.#problems.push({ line: this.#document.lineOf(path), message });
  }
}

function parseColour(value: unknown): Colour | undefined {
  if (value === '') return 'default';
  if (typeof value === 'number')
    return Number.isInteger(value) && value >= 0 && value <= 255 ? value : undefined;
  const digits = typeof value === 'string' ? /^#([\da-f]{6})$/i.exec(value)?.[1] : undefined;
  if (digits === undefined) return undefined;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
  return [red, green, blue];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
