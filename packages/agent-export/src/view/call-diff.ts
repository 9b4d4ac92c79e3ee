import { type DiffLine, isJsonObject, type JsonValue } from '@robota-sdk/agent-core';

/** The changes a call asks for, told from its input, for results that do not show them themselves. */
export function callDiff(name: string, input: JsonValue): readonly DiffLine[] {
  if (!isJsonObject(input)) return [];
  const tool = name.toLowerCase();
  if (tool === 'write' && typeof input.content === 'string') return changed('', input.content);
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
  return typeof before === 'string' && typeof after === 'string' ? changed(before, after) : [];
}

function changed(before: string, after: string): readonly DiffLine[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const lines = (kind: DiffLine['kind'], texts: readonly string[]) =>
    texts.map((text): DiffLine => ({ kind, text }));
  return [
    ...lines('context', old.slice(0, head)),
    ...lines('removed', old.slice(head, old.length - tail)),
    ...lines('added', fresh.slice(head, fresh.length - tail)),
    ...lines('context', old.slice(old.length - tail)),
  ];
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
