/** The part of a control sequence that a reader is in. A string is the body of an OSC, DCS, APC, PM or SOS. */
export type SequencePart = 'escape' | 'intermediate' | 'parameters' | 'string';

/** The part of a sequence that this control character opens, if it opens one. */
export function openSequence(code: number): SequencePart | undefined {
  switch (code) {
    case 0x1b:
      return 'escape';
    case 0x9b:
      return 'parameters';
    case 0x90:
    case 0x98:
    case 0x9d:
    case 0x9e:
    case 0x9f:
      return 'string';
    default:
      return undefined;
  }
}

/**
 * The part after one more UTF-16 unit, `end` if the unit was the last of its sequence, or `broken` if the sequence
 * ended before it. Every control character breaks a sequence, so that a line break or the escape that starts a
 * terminator is never swallowed, and a sequence without an end costs its own line at most.
 */
export function advanceSequence(part: SequencePart, code: number): SequencePart | 'end' | 'broken' {
  if (isControl(code)) return 'broken';
  if (part === 'string') return 'string';
  if (code > 0x7e) return 'broken';
  if (part === 'parameters') return code < 0x40 ? 'parameters' : 'end';
  if (code < 0x30) return 'intermediate';
  return part === 'escape' ? afterEscape(code) : 'end';
}

/** True if the unit belongs to C0, C1 or is DEL. */
export function isControl(code: number): boolean {
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

function afterEscape(code: number): SequencePart | 'end' {
  switch (String.fromCharCode(code)) {
    case '[':
      return 'parameters';
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
      return 'string';
    default:
      return 'end';
  }
}
