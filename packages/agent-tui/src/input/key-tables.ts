/** Keys by the last letter of `CSI … letter` and `SS3 letter`. */
export const keysByLetter: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'clear',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** Keys by the number of `CSI number ~`, of xterm, rxvt, the Linux console and the VT220. */
export const keysByNumber: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageUp',
  6: 'pageDown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
  25: 'f13',
  26: 'f14',
  28: 'f15',
  29: 'f16',
  31: 'f17',
  32: 'f18',
  33: 'f19',
  34: 'f20',
};

/** Sent by the keypad in application mode: `SS3 letter`. */
export const keypadByLetter: Readonly<Record<string, string>> = {
  M: 'enter',
  X: '=',
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  p: '0',
  q: '1',
  r: '2',
  s: '3',
  t: '4',
  u: '5',
  v: '6',
  w: '7',
  x: '8',
  y: '9',
};

/** Keys that are no characters, by their number in `CSI number u`. */
export const keysByCode: Readonly<Record<number, string>> = {
  9: 'tab',
  13: 'enter',
  27: 'escape',
  32: 'space',
  127: 'backspace',
  57344: 'escape',
  57345: 'enter',
  57346: 'tab',
  57347: 'backspace',
  57348: 'insert',
  57349: 'delete',
  57350: 'left',
  57351: 'right',
  57352: 'up',
  57353: 'down',
  57354: 'pageUp',
  57355: 'pageDown',
  57356: 'home',
  57357: 'end',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageUp',
  57422: 'pageDown',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
  57427: 'clear',
};

/** The characters of the keypad, from code 57399 on. */
export const keypadCharacters = '0123456789./*-+\0=,';
export const firstKeypadCode = 57399;

/** Codes of keys that are neither characters nor of use here: locks, media keys and modifiers by themselves. */
export function isPrivateCode(code: number): boolean {
  return code >= 57344 && code <= 63743;
}
