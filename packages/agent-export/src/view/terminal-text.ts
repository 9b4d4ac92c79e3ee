import { filterEscapes } from '@robota-sdk/agent-tui';

/** A stretch of terminal output in one style. */
export interface TextRun {
  readonly text: string;
  readonly style: RunStyle;
}

/** A number is a place in the palette of 256, a text a colour such as `#a0b1c2`. */
export type TextColour = number | string;

export interface RunStyle {
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
  readonly strike?: boolean;
  readonly foreground?: TextColour;
  readonly background?: TextColour;
}

/** Splits filtered text at the sequences that change its style. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with a control character
const styleSequence = /\x1b\[([\d;:]*)m/;

/** Reads the output of a program as styled text. Everything else that a terminal would obey is filtered as on the screen. */
export function readTerminalText(text: string): readonly TextRun[] {
  const runs: TextRun[] = [];
  let style: RunStyle = {};
  // Texts alternate with the parameters of the sequences between them.
  const parts = filterEscapes(text, { sequences: 'keep-colours' }).split(styleSequence);
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 1) style = styled(style, part);
    else if (part !== '') runs.push({ text: part, style });
  }
  return runs;
}

/** The same text without colours. */
export function plainTerminalText(text: string): string {
  return filterEscapes(text);
}

/** Applies parameters that passed the filter, so that every colour is complete. */
function styled(style: RunStyle, parameters: string): RunStyle {
  const given = parameters.split(';');
  let result = style;
  for (let index = 0; index < given.length; index++) {
    const parameter = given[index] ?? '';
    const code = Number.parseInt(parameter || '0', 10);
    if (parameter.includes(':')) result = { ...result, ...colonStyle(parameter) };
    else if (code === 38 || code === 48) {
      const values = given.slice(index + 1, index + 5).map(Number);
      result = { ...result, [code === 38 ? 'foreground' : 'background']: extendedColour(values) };
      index += values[0] === 5 ? 2 : 4;
    } else result = code === 0 ? {} : { ...result, ...simpleStyle(code) };
  }
  return result;
}

const simpleStyles: Readonly<Record<number, RunStyle>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
};

function simpleStyle(code: number): RunStyle {
  if (code >= 30 && code <= 37) return { foreground: code - 30 };
  if (code >= 90 && code <= 97) return { foreground: code - 82 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 100 && code <= 107) return { background: code - 92 };
  if (code === 39) return { foreground: -1 };
  if (code === 49) return { background: -1 };
  return simpleStyles[code] ?? {};
}

function colonStyle(parameter: string): RunStyle {
  if (parameter.startsWith('4:')) return { underline: parameter !== '4:0' };
  const [code, kind, ...rest] = parameter.split(':').map(Number);
  // The form with a colour space has an empty place before red.
  const values = kind === 2 && rest.length > 3 ? rest.slice(1, 4) : rest;
  const colour = extendedColour([kind ?? 0, ...values]);
  return colour === undefined ? {} : { [code === 38 ? 'foreground' : 'background']: colour };
}

/** A colour of the palette (`5;N`) or of red, green and blue (`2;R;G;B`); undefined if it is not complete. */
function extendedColour([kind, ...values]: readonly number[]): TextColour | undefined {
  const bytes = values.slice(0, kind === 5 ? 1 : 3);
  if (bytes.length === 0 || bytes.some((value) => value > 255)) return undefined;
  if (kind === 5) return bytes[0];
  return bytes.length < 3
    ? undefined
    : `#${bytes.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
