import { filterEscapes, oneLine, truncateText } from '@robota-sdk/agent-tui';
import { describeSeconds } from '../items/describe-time.ts';
import type { AppStyle } from '../theme/app-tokens.ts';

/** How many rows of a running command's output are in sight. */
const shownRows = 8;
const keptOutput = 16_384;

export interface LiveShellOptions {
  readonly look: AppStyle;
  /** The key that stops it. */
  readonly interruptKey: string;
  /** The key that moves it to the background. */
  readonly backgroundKey?: string | undefined;
  readonly now?: number;
}

/** A running command of the user: its live output and duration. */
export class LiveShell {
  readonly command: string;
  readonly startedAt: number;
  readonly #look: AppStyle;
  /** Keys with what they do. */
  readonly #hints: readonly (readonly [key: string, verb: string])[];
  #output = '';

  constructor(command: string, { look, interruptKey, backgroundKey, now = Date.now() }: LiveShellOptions) {
    this.command = command;
    this.startedAt = now;
    this.#look = look;
    const background = backgroundKey === undefined ? [] : [[backgroundKey, 'background'] as const];
    this.#hints = [[interruptKey, 'interrupt'], ...background];
  }

  /** The output so far, or its end. */
  get output(): string {
    return this.#output;
  }

  push(text: string): void {
    this.#output += text;
    if (this.#output.length > 2 * keptOutput) this.#output = this.#output.slice(-keptOutput);
  }

  render(columns: number): readonly string[] {
    const { paint, glyphs } = this.#look;
    const room = Math.max(1, columns - 4);
    const printed = filterEscapes(this.#output).trimEnd();
    const lines = printed === '' ? [] : printed.split('\n').slice(-shownRows);
    const seconds = describeSeconds(Math.floor((Date.now() - this.startedAt) / 1000));
    const separator = paint('dim', ` ${glyphs.separator} `);
    const hints = this.#hints.map(([key, verb]) => `${separator}${key} ${paint('dim', verb)}`);
    const hint = paint('dim', ` ${seconds}`) + hints.join('');
    return [
      '',
      truncateText(`${paint('bashMode', '!')} ${oneLine(this.command)}`, columns, glyphs.ellipsis),
      ...lines.map((line) => {
        const shown = truncateText(line.replaceAll('\t', '  '), room, glyphs.ellipsis);
        return `    ${paint('muted', shown)}`;
      }),
      truncateText(
        `${paint('bashMode', glyphs.running)} Running${glyphs.ellipsis}${hint}`,
        columns,
        glyphs.ellipsis,
      ),
    ];
  }
}
