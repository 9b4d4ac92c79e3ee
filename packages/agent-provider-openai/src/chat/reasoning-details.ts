import { type JsonObject, type JsonValue, textAt } from '@robota-sdk/agent-core';

const textFields = ['text', 'summary'] as const;

/**
 * Collects the `reasoning_details` of an answer, which must go back as they came: pieces of the same entry are
 * joined, encrypted entries stay whole.
 */
export class ReasoningDetails {
  #entries: Record<string, JsonValue>[] = [];

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Adds what one delta brought and returns the readable part of it. */
  push(details: readonly JsonObject[]): string {
    let readable = '';
    for (const detail of details) {
      for (const field of textFields) readable += textAt(detail, field);
      const last = this.#entries.at(-1);
      if (last && continues(last, detail)) join(last, detail);
      else this.#entries.push({ ...detail });
    }
    return readable;
  }

  /** Hands over what came since the last time. */
  take(): readonly JsonObject[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}

function continues(last: JsonObject, next: JsonObject): boolean {
  if (last.type !== next.type || last.index !== next.index) return false;
  return textFields.some((field) => field in last) && !('data' in next);
}

function join(entry: Record<string, JsonValue>, next: JsonObject): void {
  for (const [key, value] of Object.entries(next)) {
    const isText = key === 'text' || key === 'summary';
    if (isText && typeof value === 'string') entry[key] = textAt(entry, key) + value;
    else if (value !== null) entry[key] = value;
  }
}
