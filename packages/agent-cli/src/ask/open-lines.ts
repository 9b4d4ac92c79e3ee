import { type Completer, createInterface, type Interface } from 'node:readline';
import type { Interrupts } from '../terminal/interrupts.ts';
import { LineInput } from './line-input.ts';

/** The line editor of the terminal. */
export interface Lines {
  readonly editor: Interface;
  /** The source of keys. */
  readonly input: LineInput;
}

export interface LinesOptions {
  readonly interrupts: Interrupts;
  readonly historySize: number;
  readonly completer?: Completer | ((line: string, done: Completed) => void);
}

type Completed = (error: null, result: [string[], string]) => void;

/** Opens the line editor; a terminal that goes away counts as SIGHUP, and everything ends with `editor.close()`. */
export function openLines({ interrupts, ...options }: LinesOptions): Lines {
  const input = new LineInput({
    onPaste: (text) => editor.write(text),
    onHangUp: () => interrupts.hangUp(),
  });
  const editor = createInterface({ input, output: process.stdout, terminal: true, ...options });
  editor.once('close', () => input.destroy());
  return { editor, input };
}
