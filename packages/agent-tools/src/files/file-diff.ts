import type { Display } from '@robota-sdk/agent-core';
import { cutDiff, diffTexts, type FileStates } from '@robota-sdk/agent-diff';

/** A result is stored in the session, so it contains at most this much of a file. */
const mostStored = { lines: 400, characters: 64_000 } as const;

/** The whole change of a file, for the user's decision. */
export function fileDiff(states: FileStates): Display {
  return { kind: 'diff', ...diffTexts(states) };
}

/** The change of a file as its result stores it. */
export function storedDiff(states: FileStates): Display {
  return { kind: 'diff', ...cutDiff(diffTexts(states), mostStored) };
}
