/** The sequences that turn a terminal mode on and off. */
const modes = {
  bracketedPaste: { on: '\x1b[?2004h', off: '\x1b[?2004l' },
  /** Disambiguates keys, tells presses from releases, and names keys by layout: flags 1, 2 and 4. */
  kittyKeyboard: { on: '\x1b[>7u', off: '\x1b[<u' },
  /** The older way to tell keys apart, for terminals that know no better. */
  modifyOtherKeys: { on: '\x1b[>4;2m', off: '\x1b[>4m' },
  focusReports: { on: '\x1b[?1004h', off: '\x1b[?1004l' },
  colourSchemeReports: { on: '\x1b[?2031h', off: '\x1b[?2031l' },
  alternateScreen: { on: '\x1b[?1049h', off: '\x1b[?1049l' },
  /** Keeps the title that the shell has set. */
  title: { on: '\x1b[22;0t', off: '\x1b[23;0t' },
  /** Nothing to turn on; what was shown of progress is taken away at the end. */
  progress: { on: '', off: '\x1b]9;4;0\x1b\\' },
} as const;

/** A mode that a program turns on and must turn off again. */
export type TerminalMode = keyof typeof modes;

/** Resets the state in which an interrupted frame may leave the terminal: frame, wrapping, cursor, colours, link. */
const undoFrame = '\x1b[?2026l\x1b[?7h\x1b[?25h\x1b[0m\x1b]8;;\x1b\\';

/** Keeps account of the modes that are on, so that all of them can be turned off, in reverse order. */
export class ModeLedger {
  readonly #active: TerminalMode[] = [];

  /** The sequence that turns the mode on; empty if it is on. */
  enable(mode: TerminalMode): string {
    if (this.#active.includes(mode)) return '';
    this.#active.push(mode);
    return modes[mode].on;
  }

  /** The sequence that turns the mode off; empty if it is off. */
  disable(mode: TerminalMode): string {
    const index = this.#active.indexOf(mode);
    if (index < 0) return '';
    this.#active.splice(index, 1);
    return modes[mode].off;
  }

  isOn(mode: TerminalMode): boolean {
    return this.#active.includes(mode);
  }

  /** Turns all modes on again after another program used the terminal. */
  get allOn(): string {
    return this.#active.map((mode) => modes[mode].on).join('');
  }

  /** Restores the terminal's original state. */
  get allOff(): string {
    return (
      undoFrame +
      this.#active
        .toReversed()
        .map((mode) => modes[mode].off)
        .join('')
    );
  }
}
