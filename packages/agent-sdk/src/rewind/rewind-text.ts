import { relative } from 'node:path';
import { escapedLine } from '@robota-sdk/agent-config';
import { firstLine, isWithin, localTime, shorten } from '@robota-sdk/agent-core';
import type { LineCounts, PlannedFile, RewindResult, RewindTurn, TurnFile } from '@robota-sdk/agent-sessions';

export type PathShortener = (path: string) => string;

const mostTurnsShown = 20;
const mostFilesShown = 10;
const longestPrompt = 60;

/** Shortens paths: relative below the working directory, and on one line. */
export function pathShortener(cwd: string): PathShortener {
  return (path) => escapedLine(isWithin(cwd, path) ? relative(cwd, path) : path);
}

/** The list of turns with their changes; only the last ones unless all are requested. */
export function turnsText(
  turns: readonly RewindTurn[],
  { pathText, all }: { readonly pathText: PathShortener; readonly all: boolean },
): string {
  if (turns.length === 0) return 'No prompt to go back to yet.';
  const shown = all ? turns : turns.slice(-mostTurnsShown);
  const hidden = turns.length - shown.length;
  const blocks = shown.map((turn) => [headOf(turn), ...detailsOf(turn, pathText)].join('\n'));
  const more = hidden === 0 ? [] : [`${hidden} earlier prompts: /rewind all shows them.`];
  return [...more, ...blocks, 'Go back to before one with /rewind N; /rewind undo takes that back.'].join(
    '\n',
  );
}

function headOf({ number, time, prompt }: RewindTurn): string {
  return `${String(number).padStart(3)}  ${localTime(Date.parse(time))}  ${shorten(firstLine(prompt), longestPrompt)}`;
}

const marks = { created: '+', changed: '~', deleted: '-' } as const;

function detailsOf({ files, unknown }: RewindTurn, pathText: PathShortener): string[] {
  const lines = files.slice(0, mostFilesShown).map((file) => `       ${fileText(file, pathText)}`);
  if (files.length > mostFilesShown) lines.push(`       and ${files.length - mostFilesShown} more files`);
  return [...lines, ...unknown.map((why) => `       ! changes of a command are not known: ${why}`)];
}

function fileText({ path, change, isKept }: TurnFile, pathText: PathShortener): string {
  return `${marks[change]} ${pathText(path)}${isKept ? '' : '  (its previous content is not saved)'}`;
}

/** One file of a plan, and its problem. */
export function plannedLine(
  { path, why, target }: PlannedFile,
  pathText: PathShortener,
  counts: LineCounts | undefined,
): string {
  const change = counts === undefined ? '' : `, +${counts.added} -${counts.removed} lines`;
  const effect = target.kind === 'absent' ? 'would be removed' : 'would go back';
  return `${pathText(path)}: ${why ?? 'as the agent left it'} (${effect}${change})`;
}

export interface RewindReport {
  readonly result: RewindResult;
  readonly isMoved: boolean;
  readonly isUndo: boolean;
  /** The turn that the session went back to. */
  readonly turn: RewindTurn | undefined;
  readonly pathText: PathShortener;
  /** Unknown changes since then. */
  readonly unknown: readonly string[];
}

/** Describes the result of a rewind. */
export function resultText({ result, isMoved, isUndo, turn, pathText, unknown }: RewindReport): string {
  const count = result.restored.length;
  const files =
    count === 0
      ? 'No file was changed.'
      : `${count} ${count === 1 ? 'file was' : 'files were'} ${isUndo ? 'put back' : 'reverted'}.`;
  const conversation = isMoved ? [movedText(turn)] : [];
  const problem =
    result.problem === undefined ? [] : [`The conversation stays where it is: ${result.problem}`];
  const left = [...result.left].map(([path, why]) => `  left as it is: ${pathText(path)} (${why})`);
  const unsure = unknown.map((why) => `  not known, so not reverted: changes of a command of ${why}`);
  const hint = isUndo || (count === 0 && !isMoved) ? [] : ['/rewind undo takes this back.'];
  return [[...conversation, files].join(' '), ...problem, ...left, ...unsure, ...hint].join('\n');
}

function movedText(turn: RewindTurn | undefined): string {
  if (turn === undefined) return 'The conversation is where it was.';
  return `The conversation is back to before prompt ${turn.number} ("${shorten(firstLine(turn.prompt), longestPrompt)}").`;
}
