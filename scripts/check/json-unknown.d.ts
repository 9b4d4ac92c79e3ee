/** `JSON.parse` returns `unknown` in product code, so that its result is checked before use. */
interface JSON {
  parse(text: string, reviver?: (this: unknown, key: string, value: unknown) => unknown): unknown;
}
