/** The signs that are not text, each with a twin for terminals that know ASCII only. */
export interface Glyphs {
  /** Bullets by depth of the list; deeper lists start over. */
  readonly bullets: readonly [string, string, string];
  /** Marks the start of a message. */
  readonly said: string;
  readonly taskOpen: string;
  readonly taskBegun: string;
  readonly taskDone: string;
  readonly horizontal: string;
  readonly vertical: string;
  readonly cross: string;
  readonly pointer: string;
  /** The cursor in front of the selected answer of a question. */
  readonly cursor: string;
  readonly submenu: string;
  readonly up: string;
  readonly down: string;
  readonly ellipsis: string;
  readonly separator: string;
  readonly barFull: string;
  /** The filled part of a thin bar, whose rest is `horizontal`. */
  readonly barThin: string;
  readonly barEmpty: string;
  /** Columns of a small chart, from the lowest to the highest. */
  readonly spark: readonly string[];
  readonly newline: string;
  /** Signs of diffs: a trailing blank, lines left out, a missing last line break, and the sign of removed lines. */
  readonly blank: string;
  readonly gap: string;
  readonly noNewline: string;
  readonly minus: string;
  /** States of work: not started, running, done, failed, denied, waiting. */
  readonly pending: string;
  readonly running: string;
  readonly success: string;
  readonly failure: string;
  readonly denied: string;
  readonly waiting: string;
  /** Marks a comment. */
  readonly comment: string;
  /** From one thing to another. */
  readonly arrow: string;
}

/** Box characters and the like. */
export const unicodeGlyphs: Glyphs = {
  bullets: ['•', '◦', '▪'],
  said: '●',
  taskOpen: '☐',
  taskBegun: '◐',
  taskDone: '☑',
  horizontal: '─',
  vertical: '│',
  cross: '┼',
  pointer: '>',
  cursor: '❯',
  submenu: '▸',
  up: '↑',
  down: '↓',
  ellipsis: '…',
  separator: '·',
  barFull: '█',
  barThin: '━',
  barEmpty: '░',
  spark: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
  newline: '⏎',
  blank: '·',
  gap: '⋯',
  noNewline: '⊣',
  minus: '−',
  pending: '○',
  running: '⟳',
  success: '✓',
  failure: '✗',
  denied: '⊘',
  waiting: '◷',
  comment: '✎',
  arrow: '→',
};

/** The same in ASCII. */
export const asciiGlyphs: Glyphs = {
  bullets: ['*', '-', '+'],
  said: '*',
  taskOpen: '[ ]',
  taskBegun: '[~]',
  taskDone: '[x]',
  horizontal: '-',
  vertical: '|',
  cross: '+',
  pointer: '>',
  cursor: '>',
  submenu: '>',
  up: '^',
  down: 'v',
  ellipsis: '...',
  separator: '-',
  barFull: '#',
  barThin: '=',
  barEmpty: '.',
  spark: ['_', '-', '^', '#'],
  newline: '\\n',
  blank: '.',
  gap: '..',
  noNewline: '\\',
  minus: '-',
  pending: 'o',
  running: '~',
  success: '+',
  failure: 'x',
  denied: '-',
  waiting: 'o',
  comment: '#',
  arrow: '->',
};
