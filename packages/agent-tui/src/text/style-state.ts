/** The colours and links at a position of a styled text, so that they can continue on the next line. */
export class StyleState {
  /** Attribute by attribute, since a later one of a kind takes the place of the earlier. */
  readonly #attributes = new Map<string, string>();
  #link = '';

  /** Takes a sequence of a styled text into account. */
  apply(sequence: string): void {
    if (sequence.startsWith('\x1b]8;')) {
      // `ESC ] 8 ; parameters ; address ST`: without an address it ends the link.
      const address = sequence.slice(sequence.indexOf(';', 4) + 1);
      this.#link = address === '\x1b\\' || address === '\x07' ? '' : sequence;
      return;
    }
    if (!sequence.startsWith('\x1b[')) return;
    const parameters = sequence.slice(2, -1);
    for (const code of groupsOf(parameters)) this.#applyCode(code);
  }

  /** The sequences that restore the style at the start of a line. */
  get opening(): string {
    const codes = [...this.#attributes.values()];
    return this.#link + (codes.length === 0 ? '' : `\x1b[${codes.join(';')}m`);
  }

  /** The sequences that end the style at the end of a line. */
  get closing(): string {
    return (this.#attributes.size === 0 ? '' : '\x1b[0m') + (this.#link === '' ? '' : '\x1b]8;;\x1b\\');
  }

  #applyCode(code: string): void {
    const number = Number(code.split(/[;:]/, 1)[0] || 0);
    if (number === 0) return this.#attributes.clear();
    const kind = kindOf(number);
    if (kind === undefined) return;
    if (kind.ends) for (const name of kind.names) this.#attributes.delete(name);
    else this.#attributes.set(kind.names[0] ?? '', code);
  }
}

interface Kind {
  readonly names: readonly string[];
  readonly ends: boolean;
}

const ends: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  25: ['blink'],
  27: ['inverse'],
  28: ['hidden'],
  29: ['strike'],
  39: ['foreground'],
  49: ['background'],
  55: ['overline'],
  59: ['underlineColour'],
};

const starts: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  3: 'italic',
  4: 'underline',
  5: 'blink',
  7: 'inverse',
  8: 'hidden',
  9: 'strike',
  21: 'underline',
  53: 'overline',
  38: 'foreground',
  48: 'background',
  58: 'underlineColour',
};

function kindOf(number: number): Kind | undefined {
  const ended = ends[number];
  if (ended) return { names: ended, ends: true };
  const isForeground = (number >= 30 && number <= 37) || (number >= 90 && number <= 97);
  const isBackground = (number >= 40 && number <= 47) || (number >= 100 && number <= 107);
  const name = isForeground ? 'foreground' : isBackground ? 'background' : starts[number];
  return name === undefined ? undefined : { names: [name], ends: false };
}

/** The codes of one sequence; `38;5;n` and `38;2;r;g;b` are one code each. */
function groupsOf(parameters: string): string[] {
  const parts = parameters === '' ? ['0'] : parameters.split(';');
  const groups: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? '';
    const isColour = part === '38' || part === '48' || part === '58';
    const length = isColour ? (parts[index + 1] === '5' ? 3 : parts[index + 1] === '2' ? 5 : 1) : 1;
    groups.push(parts.slice(index, index + length).join(';'));
    index += length - 1;
  }
  return groups;
}
