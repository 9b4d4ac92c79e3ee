import type { InputEvent, Rgb, TerminalResponse } from './input-event.ts';

/** The report in a `CSI` sequence that is no key; undefined if it is none that we use. */
export function decodeCsiResponse(parameters: string, final: string): InputEvent | undefined {
  if (parameters === '' && (final === 'I' || final === 'O'))
    return { type: 'focus', isFocused: final === 'I' };
  const isPrivate = parameters.startsWith('?');
  const numbers = parameters
    .replace(/^[?>=<]/, '')
    .split(';')
    .map(Number);
  const [first = 0, second = 0, third = 0] = numbers;
  if (isPrivate && final === 'u') return response({ kind: 'keyboard-flags', flags: first });
  if (isPrivate && final === 'c') return response({ kind: 'device-attributes', attributes: numbers });
  if (isPrivate && final === '$y')
    return response({ kind: 'mode', mode: first, isSupported: second > 0 && second < 4 });
  if (isPrivate && final === 'n' && first === 997)
    return response({ kind: 'colour-scheme', scheme: second === 2 ? 'light' : 'dark' });
  if (parameters === '0' && final === 'n') return response({ kind: 'status' });
  if (!isPrivate && final === 't' && first === 6 && second > 0 && third > 0)
    return response({ kind: 'cell-size', height: second, width: third });
  return undefined;
}

/**
 * The report in a string sequence: the colours of `OSC 10` and `11`, the name of `XTVERSION`, and whether images work.
 */
export function decodeStringResponse(opener: string, body: string): InputEvent | undefined {
  if (opener === 'P' && body.startsWith('>|')) return response({ kind: 'version', text: body.slice(2) });
  if (opener === '_' && body.startsWith('G'))
    return response({ kind: 'graphics', isSupported: body.endsWith(';OK') });
  const [, number, written = ''] = /^(10|11);(.*)$/.exec(body) ?? [];
  const rgb = opener === ']' && number !== undefined ? parseColour(written) : undefined;
  return rgb && response({ kind: 'colour', target: number === '10' ? 'foreground' : 'background', rgb });
}

/** Colours as X11 writes them: `rgb:ffff/0000/8080` with one to four digits each, or `#rrggbb`. */
function parseColour(written: string): Rgb | undefined {
  const parts =
    /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})/i.exec(written) ??
    /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(written);
  if (!parts) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.slice(1).map(channelOf);
  return [red, green, blue];
}

function channelOf(digits: string): number {
  return Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255);
}

function response(value: TerminalResponse): InputEvent {
  return { type: 'response', response: value };
}
