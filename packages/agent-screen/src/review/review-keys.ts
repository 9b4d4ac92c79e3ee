/** The situation in which hints are shown. */
export interface HintSituation {
  readonly drafts: number;
  readonly isReadOnly: boolean;
  /** False if only the list of files is shown. */
  readonly isInHunk: boolean;
  /** True if the screen has room for the hunk only, so that esc shows the list of files. */
  readonly isListHidden: boolean;
  /** True while a comment is typed. */
  readonly hasField: boolean;
  readonly hasRange: boolean;
  readonly isSplit: boolean;
}

interface Hint {
  readonly keys: string;
  readonly text: string;
}

/** Keys that a narrow screen leaves out first, and the one it keeps longest after the way out. */
const leftOutFirst = ['s', 'v'];
const keptLongest = 'S';

/** The rank of each hint: a narrow screen leaves out the lowest. The way out and the list of keys always stay. */
export function hintPriorities(hints: readonly Hint[]): readonly number[] {
  return hints.map(({ keys }, index) => {
    if (index >= hints.length - 2) return 100 + index;
    if (keys === keptLongest) return 99;
    return leftOutFirst.includes(keys) ? 0 : hints.length - index;
  });
}

/** The keys of the last line, most used first. */
export function reviewHints(situation: HintSituation): readonly Hint[] {
  const { drafts, isReadOnly, isInHunk, isListHidden, hasField, hasRange, isSplit } = situation;
  const send = { keys: 'S', text: `send ${drafts} ${drafts === 1 ? 'comment' : 'comments'}` };
  const sending = drafts > 0 && !isReadOnly ? [send] : [];
  const last = [
    { keys: '?', text: 'keys' },
    { keys: 'esc', text: isListHidden ? 'back' : 'close' },
  ];
  if (hasField)
    return [
      { keys: 'enter', text: 'keep draft' },
      { keys: 'shift+enter', text: 'new line' },
      { keys: 'esc', text: 'cancel' },
    ];
  if (!isInHunk) return [{ keys: 'enter', text: 'open' }, { keys: 'j/k', text: 'hunk' }, ...sending, ...last];
  const split = { keys: 's', text: isSplit ? 'one column' : 'side by side' };
  if (isReadOnly) return [{ keys: 'j/k', text: 'hunk' }, split, ...last];
  if (hasRange)
    return [
      { keys: 'up/down', text: 'extend' },
      { keys: 'c', text: 'comment' },
      { keys: 'esc', text: 'cancel' },
    ];
  return [
    { keys: 'y', text: 'keep' },
    { keys: 'u', text: 'take back' },
    { keys: 'c', text: 'comment' },
    { keys: 'v', text: 'range' },
    split,
    ...sending,
    ...last,
  ];
}

const looking = [
  ['j k, n p', 'next and previous hunk'],
  ['up down', 'line; on a list of files, the file'],
  ['pgup pgdn', 'a page'],
  ['left right, tab', 'previous and next file'],
  ['enter', 'open the file'],
  ['s', 'old and new lines side by side, or in one column'],
  ['r', 'review again: list the changes as they are now'],
  ['esc, q', 'back, close'],
] as const;

const deciding = [
  ['y', 'keep the hunk; again: open; taken back: apply it again'],
  ['u', 'take the hunk back: restore the old lines on disk'],
  ['c', 'comment on the line or range; on a comment, edit it'],
  ['v', 'start or end a range of lines'],
  ['S', 'send all comments as one message'],
] as const;

/** Every key and what it does. */
export function keyHelp(isReadOnly: boolean): readonly (readonly [string, string])[] {
  return isReadOnly ? looking : [...deciding, ...looking];
}
