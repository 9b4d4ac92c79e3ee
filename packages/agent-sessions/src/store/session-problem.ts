import { pluralize } from '@robota-sdk/agent-core';
/** A notice about a session's file; the session itself continues. */
export interface SessionProblem {
  readonly code:
    | 'bad-line'
    | 'foreign-line'
    | 'torn-tail'
    | 'no-header'
    | 'duplicate-id'
    | 'missing-parent'
    | 'cycle'
    | 'lost-line'
    | 'disk'
    | 'moved'
    | 'disk-recovered'
    | 'unsaved';
  readonly count: number;
  readonly message: string;
  /** Advice for the user, or the effect on the session. */
  readonly hint?: string;
}

type ReadingCode = Exclude<
  SessionProblem['code'],
  'disk' | 'moved' | 'disk-recovered' | 'unsaved' | 'torn-tail' | 'no-header'
>;

const readingTexts: Readonly<Record<ReadingCode, string>> = {
  'bad-line': 'damaged and skipped, but kept in the file',
  'foreign-line': 'of an unknown kind and skipped, but kept in the file',
  'duplicate-id': 'with an id that was used before; the later one counts',
  'missing-parent': 'with a missing parent, joined to the line before',
  cycle: 'whose parents form a cycle; the branch starts there',
  'lost-line': 'that were there when the session was opened, but are no longer in the file',
};

/** Describes a number of damaged lines. */
export function readingProblem(code: ReadingCode, count: number): SessionProblem {
  return { code, count, message: `${pluralize(count, 'line')} ${readingTexts[code]}.` };
}
