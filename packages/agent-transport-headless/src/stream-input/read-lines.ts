/** A line of input and its number, counted from 1. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/** Cuts a stream of text into its lines; ends when the stream does, also where it breaks. Empty lines count and are left out. */
export async function* readLines(stream: AsyncIterable<string | Uint8Array>): AsyncGenerator<NumberedLine> {
  const decoder = new TextDecoder();
  let number = 0;
  let parts: string[] = [];
  try {
    for await (const chunk of stream) {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      const lines = text.split('\n');
      const rest = lines.pop() ?? '';
      for (const line of lines) {
        number += 1;
        const whole = parts.join('') + line;
        parts = [];
        if (whole.trim() !== '') yield { number, text: whole };
      }
      if (rest !== '') parts.push(rest);
    }
  } catch {
    // A reader that was closed has nothing more to say; what came of its last line is no line.
    return;
  }
  const last = parts.join('');
  if (last.trim() !== '') yield { number: number + 1, text: last };
}
