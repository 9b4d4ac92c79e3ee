/** A run of `*`, `_` or `~` that may begin or end emphasis. */
export interface DelimiterRun {
  /** Its index among the pieces of its text. */
  readonly piece: number;
  readonly mark: string;
  readonly length: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** The marks of it that emphasise nothing, and are text. */
  left: number;
}

/** Pieces between two runs, both left out, that are emphasised. */
export interface Emphasis {
  readonly style: 'strong' | 'emphasis' | 'strike';
  readonly from: number;
  readonly to: number;
}

const whitespace = /^\s$/u;
const punctuation = /^[\p{P}\p{S}]$/u;
const withoutBlanks = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]$/u;

/** True if a run can open or close emphasis, by the characters around it. */
export function flanking(
  mark: string,
  before: string,
  after: string,
): { canOpen: boolean; canClose: boolean } {
  const isOpenBefore = isSpace(before);
  const isOpenAfter = isSpace(after);
  const isLeft = !isOpenAfter && (!punctuation.test(after) || isOpenBefore || isLoose(before));
  const isRight = !isOpenBefore && (!punctuation.test(before) || isOpenAfter || isLoose(after));
  if (mark !== '_') return { canOpen: isLeft, canClose: isRight };
  return {
    canOpen: isLeft && (!isRight || isLoose(before)),
    canClose: isRight && (!isLeft || isLoose(after)),
  };
}

/**
 * Pairs the delimiter runs. Each run searches backwards only as far as no earlier one of its kind has failed,
 * which keeps the work linear.
 */
export function matchEmphasis(
  runs: readonly DelimiterRun[],
  options: { readonly isOpen: boolean },
): Emphasis[] {
  const found: Emphasis[] = [];
  const openers: DelimiterRun[] = [];
  const floors = new Map<string, number>();
  for (const run of runs) {
    if (run.canClose) closeRun({ run, openers, floors, found });
    if (run.left > 0 && run.canOpen) openers.push(run);
  }
  if (options.isOpen) for (const run of openers) found.push(...leaveOpen(run));
  return found;
}

interface Closing {
  readonly run: DelimiterRun;
  readonly openers: DelimiterRun[];
  /** By kind of run: how many of the openers at the bottom are known not to fit. */
  readonly floors: Map<string, number>;
  readonly found: Emphasis[];
}

function closeRun({ run, openers, floors, found }: Closing): void {
  const kind = `${run.mark}${run.canOpen}${run.length % 3}${run.mark === '~' ? run.length : ''}`;
  while (run.left > 0) {
    const floor = Math.min(floors.get(kind) ?? 0, openers.length);
    let index = openers.length - 1;
    while (index >= floor && !fits(openers[index], run)) index--;
    const opener = openers[index];
    if (index < floor || !opener) {
      floors.set(kind, openers.length);
      return;
    }
    openers.length = index + 1;
    const used = run.mark === '~' ? run.left : Math.min(2, opener.left, run.left);
    opener.left -= used;
    run.left -= used;
    if (opener.left === 0) openers.pop();
    found.push({ style: styleOf(run.mark, used), from: opener.piece, to: run.piece });
  }
}

function fits(opener: DelimiterRun | undefined, closer: DelimiterRun): boolean {
  if (!opener || opener.mark !== closer.mark) return false;
  if (closer.mark === '~') return opener.left === closer.left;
  const isBoth = opener.canClose || closer.canOpen;
  const isUneven = (opener.length + closer.length) % 3 === 0;
  return !(isBoth && isUneven && (opener.length % 3 !== 0 || closer.length % 3 !== 0));
}

/** Open emphasis is closed at the end of an unfinished text, so that marks do not flicker. */
function leaveOpen(run: DelimiterRun): Emphasis[] {
  const open: Emphasis[] = [];
  while (run.left > 0) {
    const used = run.mark === '~' ? run.left : Math.min(2, run.left);
    run.left -= used;
    open.push({ style: styleOf(run.mark, used), from: run.piece, to: Number.POSITIVE_INFINITY });
  }
  return open;
}

function styleOf(mark: string, length: number): Emphasis['style'] {
  if (mark === '~') return 'strike';
  return length === 2 ? 'strong' : 'emphasis';
}

function isSpace(character: string): boolean {
  return character === '' || whitespace.test(character);
}

/** Besides punctuation also the scripts without blanks between words, whose particles follow emphasis directly. */
function isLoose(character: string): boolean {
  return punctuation.test(character) || withoutBlanks.test(character);
}
