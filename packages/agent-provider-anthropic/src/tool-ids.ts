/** Gives tool calls of any vendor ids this API accepts, each used once in a conversation. */
export class ToolIds {
  readonly #before: ToolIds | undefined;
  readonly #used = new Set<string>();

  /** Ids of a conversation that continues another one. */
  constructor(before?: ToolIds) {
    this.#before = before;
  }

  /** Depends on the calls before it only, so that a longer conversation keeps the ids of its beginning. */
  claim(id: string): string {
    const clean = toApiName(id) || 'call';
    let unique = clean;
    for (let count = 2; this.#has(unique); count++) unique = `${clean}_${count}`;
    this.#used.add(unique);
    return unique;
  }

  #has(id: string): boolean {
    if (this.#used.has(id)) return true;
    return this.#before ? this.#before.#has(id) : false;
  }
}

/** Replaces what ids and tool names may not contain. */
export function toApiName(name: string): string {
  return /^[a-zA-Z0-9_-]{1,128}$/.test(name) ? name : name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128);
}
