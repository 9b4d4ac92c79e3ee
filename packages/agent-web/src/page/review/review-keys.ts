import type { ReviewedFile } from '../../contract/review.ts';
import type { KeyBinding } from '../base/keys.ts';
import { linesOfHunk } from './hunk-rows.ts';
import { cursorIn, type FileHunk, type ReviewModel } from './review-model.ts';

/** Shows a hunk and makes keys act on it. */
function showHunk(model: ReviewModel, { hunk }: FileHunk): void {
  if (model.current.value !== hunk.key) model.choice.value = undefined;
  model.current.value = hunk.key;
  // The file may be an empty box until now; its hunks are drawn in the next frame.
  requestAnimationFrame(() => {
    const element = document.getElementById(`hunk-${hunk.key}`);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
  });
}

/** Shows the first hunk of a file. */
export function showFile(model: ReviewModel, file: ReviewedFile): void {
  const [hunk] = file.hunks;
  if (!hunk) return;
  document.getElementById(`file-${encodeURIComponent(file.name)}`)?.scrollIntoView({ block: 'start' });
  showHunk(model, { file, hunk });
}

/** The keys of the review; those of the terminal's `/review` work too. */
export function reviewKeys(
  model: ReviewModel,
  { transcript, split }: { readonly transcript: () => unknown; readonly split: () => void },
): readonly KeyBinding[] {
  const withHunk = (act: (place: FileHunk) => unknown) => () => {
    const place = model.place.value;
    return place === undefined || model.review.value?.readOnly !== undefined ? false : act(place);
  };
  const comment = () => model.startComment();
  const send = () => void model.send();
  return [
    { keys: 'j', label: 'Next hunk, or extend the selection', act: () => next(model, 1) },
    { keys: 'k', label: 'Hunk before, or shrink the selection', act: () => next(model, -1) },
    { keys: 'J', label: 'Next file', act: () => nextFile(model, 1) },
    { keys: 'K', label: 'File before', act: () => nextFile(model, -1) },
    { keys: 'down', label: 'Line below', act: () => moveLine(model, 1) },
    { keys: 'up', label: 'Line above', act: () => moveLine(model, -1) },
    { keys: 'v', label: 'Select lines', act: () => toggleSelection(model) },
    { keys: 'enter', label: 'Comment', act: comment },
    { keys: 'c', act: comment },
    { keys: 'y', label: 'Keep', act: withHunk((place) => void model.keep(place)) },
    { keys: 'u', label: 'Take back, or undo it', act: withHunk((place) => void model.takeBack(place)) },
    { keys: 's', label: 'One column or two', act: split },
    { keys: 't', label: 'Transcript', act: transcript },
    { keys: 'f', label: 'Find a file', act: () => document.getElementById('review-find')?.focus() },
    { keys: 'ctrl+shift+enter', label: 'Send all comments', act: send, inText: true },
    { keys: 'S', act: send },
    { keys: 'esc', act: () => clearChoice(model) },
  ];
}

function clearChoice(model: ReviewModel): boolean {
  if (model.choice.value === undefined) return false;
  model.choice.value = undefined;
  return true;
}

function next(model: ReviewModel, step: number): void {
  if (model.choice.value?.isGrowing) return moveLine(model, step);
  const hunks = model.hunks.value;
  const index = hunks.findIndex(({ hunk }) => hunk.key === model.current.value);
  const found = hunks[Math.min(hunks.length - 1, Math.max(0, index + step))];
  if (found) showHunk(model, found);
}

function nextFile(model: ReviewModel, step: number): void {
  const files = model.review.value?.files ?? [];
  const index = files.findIndex(({ name }) => name === model.place.value?.file.name);
  const found = files[Math.min(files.length - 1, Math.max(0, index + step))];
  if (found) showFile(model, found);
}

/** Moves the line cursor; while lines are selected, the end of the selection. */
function moveLine(model: ReviewModel, step: number): void {
  const place = model.place.value;
  if (!place || place.file.binary) return;
  const lines = linesOfHunk(place.hunk);
  const before = model.choice.value?.hunk === place.hunk.key ? model.choice.value : undefined;
  const start = cursorIn(before, place.hunk.key, lines);
  // The first press shows the cursor.
  const to = before ? Math.min(lines.length - 1, Math.max(0, start + step)) : start;
  const isGrowing = before?.isGrowing ?? false;
  model.choice.value = { hunk: place.hunk.key, from: isGrowing ? (before?.from ?? to) : to, to, isGrowing };
  requestAnimationFrame(() => {
    const row = document.querySelector(`#hunk-${place.hunk.key} [data-index="${lines[to]?.index}"]`);
    row?.scrollIntoView({ block: 'nearest' });
  });
}

function toggleSelection(model: ReviewModel): void {
  const place = model.place.value;
  if (!place || place.file.binary) return;
  const lines = linesOfHunk(place.hunk);
  const before = model.choice.value;
  const at = cursorIn(before, place.hunk.key, lines);
  const isEnd = before?.hunk === place.hunk.key && before.isGrowing;
  model.choice.value = isEnd ? undefined : { hunk: place.hunk.key, from: at, to: at, isGrowing: true };
}
