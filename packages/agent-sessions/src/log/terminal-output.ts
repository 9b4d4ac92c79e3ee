import { type Answer, type Question, silentInterface, type UserInterface } from '@robota-sdk/agent-core';

/** An activity indicator that a terminal shows until it is stopped. */
export interface ISpinner {
  stop(): void;
  update(message: string): void;
}

/** A terminal by what a program can write to it and read from it; questions are asked by `select` and `prompt`. */
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

/** Writes nothing and has no user: questions are left without an answer. */
export const noTerminalOutput: ITerminalOutput = {
  write: () => {},
  writeLine: () => {},
  writeMarkdown: () => {},
  writeError: () => {},
  prompt: async () => '',
  select: async () => -1,
  spinner: () => ({ stop: () => {}, update: () => {} }),
};

/** The user behind a terminal of either shape. */
export function userInterfaceOf(terminal: UserInterface | ITerminalOutput): UserInterface {
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

/** Only the index of "Yes" is a yes, whatever else the terminal answers. */
function confirmed(index: number): Answer {
  return index === 0 || index === 1 ? { kind: 'confirmed', yes: index === 0 } : { kind: 'dismissed' };
}

/** The option that a user who only presses Enter chooses: the first that is not a yes. */
function safest({ options }: Extract<Question, { kind: 'select' }>): number {
  return Math.max(
    options.findIndex(({ means }) => means === 'no'),
    0,
  );
}

function isIndex(value: number, length: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < length;
}
