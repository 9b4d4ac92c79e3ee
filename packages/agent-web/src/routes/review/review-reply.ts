import { relative } from 'node:path';
import type { PlacedDraft, Review, ReviewFile, ReviewHunk } from '@robota-sdk/agent-review';
import type { DraftComment, ReviewedFile, ReviewedHunk, ReviewReply } from '../../contract/review.ts';

/** Facts about a review that its listing does not hold. */
export type ReviewFacts = Pick<ReviewReply, 'session' | 'title' | 'branch' | 'cost' | 'readOnly'>;

/** A review as the page gets it. */
export function reviewReply(review: Review, facts: ReviewFacts): ReviewReply {
  const message = review.message()?.text;
  return {
    ...facts,
    folder: review.folder,
    target: review.title,
    added: review.added,
    removed: review.removed,
    files: review.files.map((file) => fileView(review, file)),
    omitted: review.omitted,
    unknown: review.unknown,
    drafts: review.drafts.map((draft) => draftView(review, draft)),
    ...(message === undefined ? {} : { message }),
  };
}

function fileView(review: Review, file: ReviewFile): ReviewedFile {
  const { name, change, added, removed, binary, refusal } = file;
  return {
    name,
    change,
    added,
    removed,
    hunks: file.hunks.map((hunk) => hunkView(hunk, review.stateOf(file, hunk))),
    ...(binary === undefined ? {} : { binary }),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

function hunkView(hunk: ReviewHunk, state: ReviewedHunk['state']): ReviewedHunk {
  const { key, lines, added, removed, old, now } = hunk;
  return { key, state, oldStart: old.start, newStart: now.start, added, removed, lines };
}

function draftView(review: Review, draft: PlacedDraft): DraftComment {
  const { id, path, side, line, at, excerpt, comment } = draft;
  const file = review.files.find((each) => each.path === path)?.name ?? relative(review.folder, path);
  return { id, file, side, line, excerpt, comment, ...(at === undefined ? {} : { at }) };
}
