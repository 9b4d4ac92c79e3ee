import {
  type Answer,
  callback,
  checkArguments,
  either,
  having,
  type Question,
  silentInterface,
  type UserInterface,
} from '@robota-sdk/agent-core';

/** An activity indicator that a terminal shows until it is stopped. */
export interface ISpinner {
  stop(): void;
  update(message: string): void;
}

/** A terminal that a program can write to and read from; questions use `select` and `prompt`. */
export interface ITerminalOutput {
  write(text: string): void;
  writeLine(text: string): void;
  writeMarkdown(markdown: string): void;
  writeError(text: string): void;
  prompt(question: string): Promise<string>;
  /** Resolves with the index of the chosen option. */
  select(options: string[], initialIndex?: number): Promise<number>;
  spinner(message: string): ISpinner;
}

/** Writes nothing and has no user: questions stay unanswered. */
export const noTerminalOutput: ITerminalOutput = {
  write: () => {},
  writeLine: () => {},
  writeMarkdown: () => {},
  writeError: () => {},
  prompt: async () => '',
  select: async () => -1,
  spinner: () => ({ stop: () => {}, update: () => {} }),
};

const terminalShape = either(
  having({ ask: callback, notify: callback }),
  having({ writeLine: callback, writeError: callback, select: callback, prompt: callback }),
);

/** The user interface of a terminal of either kind. */
export function userInterfaceOf(terminal: UserInterface | ITerminalOutput): UserInterface {
  checkArguments('userInterfaceOf', { terminal: [terminal, terminalShape] });
  if ('ask' in terminal) return terminal;
  if (terminal === noTerminalOutput) return silentInterface;
  return {
    ask: (question) => askBy(terminal, question),
    notify: ({ level, text }) => (level === 'info' ? terminal.writeLine(text) : terminal.writeError(text)),
  };
}

async function askBy(terminal: ITerminalOutput, question: Question): Promise<Answer> {
  const { title, detail } = question;
  const heading = detail === undefined ? title : `${title}\n${detail}`;
  if (question.kind === 'text') return { kind: 'text', text: await terminal.prompt(heading) };
  terminal.writeLine(heading);
  if (question.kind === 'confirm') return confirmed(await terminal.select(['Yes', 'No'], 1));
  const labels = question.options.map(({ label }) => label);
  const index = await terminal.select(labels, safest(question));
  if (!isIndex(index, labels.length)) return { kind: 'dismissed' };
  return { kind: 'selected', indexes: [index] };
}

/** Only the index of "Yes" confirms. */
function confirmed(index: number): Answer {
  return index === 0 || index === 1 ? { kind: 'confirmed', yes: index === 0 } : { kind: 'dismissed' };
}

/** The default option: the first that does not approve. */
function safest({ options }: Extract<Question, { kind: 'select' }>): number {
  return Math.max(
    options.findIndex(({ means }) => means === 'no'),
    0,
  );
}

function isIndex(value: number, length: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < length;
}
