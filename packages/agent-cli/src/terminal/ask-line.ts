import { createInterface } from 'node:readline';

/** Asks at the terminal, on standard error; the answer is empty if the user ends the input. */
export function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(''));
    lines.once('SIGINT', () => lines.close());
    lines.question(question, (line) => {
      resolve(line.trim());
      lines.close();
    });
  });
}

/** Asks for a yes; every other answer is a no. */
export async function askForYes(question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await askLine(`${question} [y/N] `));
}
