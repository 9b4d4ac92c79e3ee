import { type FileProblem, type JsonDocument, readJsonDocument } from '../text/json-document.ts';
import { nearestName } from '../text/nearest-name.ts';
import type { Colour } from './colour.ts';
import type { ThemeDefinition } from './theme.ts';
import { optionalTokens, type ThemeToken, themeTokens } from './theme-tokens.ts';

/** What a theme file says; without a definition if nothing of it can be used. */
export interface ThemeFile {
  readonly definition?: ThemeDefinition;
  /** The colours that it leaves out, which are those of the other theme. */
  readonly missing: readonly ThemeToken[];
  readonly problems: readonly FileProblem[];
}

/** Reads the text of a theme file. Colours that it leaves out or that can't be used are those of the other theme. */
export async function readTheme(text: string, fallback: ThemeDefinition): Promise<ThemeFile> {
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
  return new ThemeReader(document, value, fallback).read();
}

class ThemeReader {
  readonly #document: JsonDocument;
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #fallback: ThemeDefinition;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #missing: ThemeToken[] = [];
  readonly #problems: FileProblem[] = [];

  constructor(document: JsonDocument, value: Readonly<Record<string, unknown>>, fallback: ThemeDefinition) {
    this.#document = document;
    this.#value = value;
    this.#fallback = fallback;
    this.#variables = isRecord(value['vars']) ? value['vars'] : {};
  }

  read(): ThemeFile {
    const name = this.#readName();
    if (name === undefined) return { missing: [], problems: this.#problems };
    const written = isRecord(this.#value['colors']) ? this.#value['colors'] : {};
    const colours = { ...this.#fallback.colours };
    for (const token of themeTokens) colours[token] = this.#readToken(written, token);
    for (const [token, other] of optionalPairs()) {
      colours[token] = Object.hasOwn(written, token) ? this.#readToken(written, token) : colours[other];
    }
    for (const key of Object.keys(written)) if (!isToken(key)) this.#addUnknown(key);
    const page = this.#readPage();
    const definition = { name, colours, ...(page && { page }) };
    return { definition, missing: this.#missing, problems: this.#problems };
  }

  #readName(): string | undefined {
    const name = this.#value['name'];
    if (typeof name === 'string' && name !== '' && !name.includes('/')) return name;
    this.#add(['name'], 'A theme has a "name" without a slash. It can\'t be chosen without one.');
    return undefined;
  }

  #readToken(written: Readonly<Record<string, unknown>>, token: ThemeToken): Colour {
    const fallback = this.#fallback.colours[token];
    if (!Object.hasOwn(written, token)) {
      this.#missing.push(token);
      return fallback;
    }
    return this.#readColour(written[token], ['colors', token]) ?? fallback;
  }

  #readPage(): ThemeDefinition['page'] {
    const written = this.#value['export'];
    if (!isRecord(written)) return undefined;
    const page: Partial<Record<'pageBg' | 'cardBg' | 'infoBg', Colour>> = {};
    for (const key of ['pageBg', 'cardBg', 'infoBg'] as const) {
      const colour = Object.hasOwn(written, key)
        ? this.#readColour(written[key], ['export', key])
        : undefined;
      if (colour !== undefined) page[key] = colour;
    }
    return page;
  }

  /** Follows variables to a colour; what is wrong on the way is named where the colour is asked for. */
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
    const near = typeof value === 'string' ? nearestName(value, Object.keys(this.#variables)) : undefined;
    const advice =
      near === undefined
        ? 'A colour is "#rrggbb", 0 to 255, the name of one of "vars", or "" for that of the terminal.'
        : `Did you mean "${near}"?`;
    return `${JSON.stringify(value)} is no colour. ${advice}`;
  }

  #addUnknown(key: string): void {
    const near = nearestName(key, [...themeTokens, ...Object.keys(optionalTokens)]);
    this.#add(
      ['colors', key],
      `There is no colour "${key}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    );
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

function optionalPairs(): [keyof typeof optionalTokens, ThemeToken][] {
  return Object.entries(optionalTokens) as [keyof typeof optionalTokens, ThemeToken][];
}

function isToken(key: string): key is ThemeToken {
  return Object.hasOwn(optionalTokens, key) || themeTokens.some((token) => token === key);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
