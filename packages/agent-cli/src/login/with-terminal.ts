import { createInterface } from 'node:readline';
import type { UserInterface } from '@robota-sdk/agent-sdk';
import { watchInterrupts } from '../interrupts.ts';
import { lineInterface, lineReader } from '../line-interface.ts';
import { terminalOutput } from '../terminal-output.ts';

/** Lets a subcommand ask the person at the terminal; Ctrl+C answers nothing more. */
export async function withTerminal<T>(work: (ui: UserInterface) => Promise<T>): Promise<T> {
  const interrupts = watchInterrupts();
  const lines = createInterface({ input: process.stdin, output: process.stdout, historySize: 0 });
  interrupts.signal.addEventListener('abort', () => lines.close());
  try {
    return await work(
      lineInterface(
        lineReader(lines, () => true),
        terminalOutput(process.stdout),
      ),
    );
  } finally {
    lines.close();
    interrupts.stop();
  }
}
