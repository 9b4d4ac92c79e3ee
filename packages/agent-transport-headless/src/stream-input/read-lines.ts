/** A line of input and its number, counted from 1. */
export interface NumberedLine {
  readonly number: number;
  /** Absent where the line is too long to be kept. */
  readonly text?: string;
}

/** Longer lines are invalid, and several of them would exhaust the memory. */
export const longestLine = 64 * 1024 * 1024;

/**
 * Cuts a stream of text into its lines; ends when the stream does, also where it breaks. Empty lines count and are left out;
 * of one with more than `most` characters only the number is told.
 */
export async function* readLines(
  stream: AsyncIterable<string | Uint8Array>,
  most = longestLine,
): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder();
  const line = new OpenLine(most);
  let number = 0;
  try {
    for await (const chunk of stream) {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      const lines = text.split('\n');
      const rest = lines.pop() ?? '';
      for (const part of lines) {
        number += 1;
        line.add(part);
        const text = line.take();
        if (text?.trim() !== '') yield numbered(number, text);
      }
      line.add(rest);
    }
  } catch {
    // A reader that was closed has nothing more to say; what came of its last line is no line.
    return;
  }
  const last = line.take();
  if (last?.trim() !== '') yield numbered(number + 1, last);
}

function numbered(number: number, text: string | undefined): NumberedLine {
  return text === undefined ? { number } : { number, text };
}

/** A line that is still coming. */
class OpenLine {
  readonly #most: number;
  #parts: string[] = [];
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(part: string): void {
    this.#length += part.length;
    if (this.#length > this.#most) this.#parts = [];
    else if (part !== '') this.#parts.push(part);
  }

  take(): string | undefined {
    const text = this.#length > this.#most ? undefined : this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    return text;
  }
}
