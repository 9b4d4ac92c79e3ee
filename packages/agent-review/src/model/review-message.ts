import { relative } from 'node:path';
import { isWithin, orElse } from '@robota-sdk/agent-core';
import { findAnchor } from './anchor.ts';
import { regularFileAt } from './replace-file.ts';
import type { ReviewDraft } from './review-notes.ts';

/** All drafts as one prompt. */
export interface ReviewMessage {
  readonly text: string;
  /** The drafts in it. */
  readonly ids: readonly string[];
  /** As `src/cart.js:14`, one for each draft. */
  readonly places: readonly string[];
}

/**
 * Writes drafts as one prompt, with paths relative to the working directory; undefined if there are none. Lines of hidden files
 * are not quoted.
 */
export function reviewMessage(
  drafts: readonly ReviewDraft[],
  { cwd, isHidden = () => false }: { readonly cwd: string; isHidden?(path: string): boolean },
): ReviewMessage | undefined {
  if (drafts.length === 0) return undefined;
  const placed = drafts.map((draft) => ({ draft, place: placeOf(draft, cwd) }));
  const blocks = placed.map(({ draft, place }) => {
    const quote = isHidden(draft.path) ? [] : draft.excerpt.map((line) => `> ${line}`.trimEnd());
    return [`${place.name}${place.note}`, ...quote, draft.comment.trim()].join('\n');
  });
  const title = drafts.length === 1 ? 'A comment on the changes:' : 'Comments on the changes:';
  return {
    text: [title, ...blocks].join('\n\n'),
    ids: drafts.map(({ id }) => id),
    places: placed.map(({ place }) => place.name),
  };
}

/** Paths below the working directory are relative to it. */
export function nameIn(folder: string, path: string): string {
  return isWithin(folder, path) ? relative(folder, path) : path;
}

function placeOf(draft: ReviewDraft, cwd: string): { readonly name: string; readonly note: string } {
  const { path, side, line: wasAt, excerpt } = draft;
  const found = side === 'new' ? findAnchor(textLines(contentAt(path)), draft) : wasAt;
  const line = found ?? wasAt;
  const end = line + excerpt.length - 1;
  const range = end > line ? `${line}-${end}` : `${line}`;
  const note =
    side === 'old'
      ? ` (removed ${end > line ? 'lines' : 'line'}, numbered as before the change)`
      : found === undefined
        ? ' (as it was; the file has changed since)'
        : '';
  return { name: `${nameIn(cwd, path)}:${range}`, note };
}

/** The lines of a text without their line breaks. */
export function textLines(bytes: Buffer | undefined): readonly string[] {
  const lines = (bytes?.toString('utf8') ?? '').split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function contentAt(path: string): Buffer | undefined {
  return orElse(() => regularFileAt(path)?.bytes, undefined);
}
