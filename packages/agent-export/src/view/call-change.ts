import {
  type CallState,
  type DiffLine,
  type FileDiff,
  isJsonObject,
  type JsonValue,
} from '@robota-sdk/agent-core';
import { diffFragments } from '@robota-sdk/agent-diff';
import { callTitle } from './call-title.ts';
import type { CallBlock, ResultView } from './session-view.ts';

/** The state of a call; without a result it was lost, unless it still runs. Older files tell by the call where it runs. */
export function stateOfCall(
  { input }: CallBlock,
  result: ResultView | undefined,
  isRunning = false,
): CallState {
  if (!result) return isRunning ? 'running' : 'lost';
  const isBackground = isJsonObject(input) && input.run_in_background === true;
  return result.state === 'done' && isBackground ? 'background' : result.state;
}

/** The change that a call made; undefined if it made none, as it was denied, failed, or has no result. */
export function changeOf(call: CallBlock, result: ResultView | undefined): FileDiff | undefined {
  if (result?.state !== 'done') return undefined;
  if (result.display?.kind === 'diff') return result.display;
  const lines = askedLines(call.name, call.input);
  return lines.length === 0 ? undefined : { path: callTitle(call), lines };
}

/** The changes that a call asks for, for results that do not show them. */
function askedLines(name: string, input: JsonValue): readonly DiffLine[] {
  if (!isJsonObject(input)) return [];
  const tool = name.toLowerCase();
  if (tool === 'write' && typeof input.content === 'string') return diffFragments('', input.content);
  if (tool !== 'edit') return [];
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  const parts = edits.map(editDiff).filter((lines) => lines.length > 0);
  return parts.flatMap((lines, index) => (index === 0 ? lines : [gap, ...lines]));
}

const gap: DiffLine = { kind: 'gap', text: '' };

/** Field names of ours, and of pi. */
function editDiff(edit: JsonValue): readonly DiffLine[] {
  if (!isJsonObject(edit)) return [];
  const before = edit.old_string ?? edit.oldText;
  const after = edit.new_string ?? edit.newText;
  return typeof before === 'string' && typeof after === 'string' ? diffFragments(before, after) : [];
}
