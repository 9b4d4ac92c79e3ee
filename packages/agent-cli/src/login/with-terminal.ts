import type { UserInterface } from '@robota-sdk/agent-sdk/front-end';
import { lineInterface, lineReader } from '../ask/line-interface.ts';
import { openLines } from '../ask/open-lines.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** Lets a subcommand ask at the terminal; Ctrl+C cancels. */
export async function withTerminal<T>(work: (ui: UserInterface) => Promise<T>): Promise<T> {
  const interrupts = watchInterrupts();
  const { editor, input } = openLines({ interrupts, historySize: 0 });
  interrupts.signal.addEventListener('abort', () => editor.close());
  try {
    return await work(
      lineInterface(lineReader(editor, { onStray: () => true, input }), terminalOutput(process.stdout)),
    );
  } finally {
    editor.close();
    interrupts.stop();
  }
}
