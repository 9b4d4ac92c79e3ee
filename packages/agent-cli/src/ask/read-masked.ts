import type { Key } from 'node:readline';

type KeyListener = (text: string | undefined, key: Key) => void;

/** More than these say nothing, and would have to be wiped out over several lines. */
const maxShown = 32;

export interface MaskedOptions {
  /** The source of the line editor's keys. */
  readonly input: NodeJS.ReadableStream;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads a line from the terminal that shows asterisks instead of its characters; nothing if it was given up. The
 * terminal is in raw mode already, by the line editor, which hears nothing of the keys meanwhile.
 */
export function readMasked(prompt: string, { input, signal }: MaskedOptions): Promise<string | undefined> {
  const { stdout } = process;
  const others = input.listeners('keypress') as KeyListener[];
  return new Promise((resolve) => {
    const characters: string[] = [];
    const finish = (line: string | undefined) => {
      for (const other of others) input.on('keypress', other);
      input.off('keypress', onKey);
      signal?.removeEventListener('abort', giveUp);
      stdout.write('\n');
      resolve(line);
    };
    const giveUp = () => finish(undefined);
    const remove = () => {
      if (characters.pop() !== undefined && characters.length < maxShown) stdout.write('\b \b');
    };
    const onKey: KeyListener = (text, { name, ctrl, meta }) => {
      if (name === 'return' || name === 'enter') return finish(characters.join(''));
      if (ctrl && (name === 'c' || (name === 'd' && characters.length === 0))) return giveUp();
      if (ctrl && name === 'u') while (characters.length > 0) remove();
      if (name === 'backspace') return remove();
      if (text === undefined || ctrl || meta || /\p{Cc}/u.test(text)) return;
      characters.push(text);
      if (characters.length <= maxShown) stdout.write('*');
    };
    // Added before the others go: a stream without listeners for keys stops decoding them.
    input.on('keypress', onKey);
    for (const other of others) input.off('keypress', other);
    signal?.addEventListener('abort', giveUp, { once: true });
    stdout.write(prompt);
    input.resume();
    if (signal?.aborted) giveUp();
  });
}
