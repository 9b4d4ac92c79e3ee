import { type DiffLine, isJsonObject, type JsonValue } from '@robota-sdk/agent-core';
import { diffFragments } from '@robota-sdk/agent-diff';

/** The changes that a call asks for, for results that do not show them. */
export function callDiff(name: string, input: JsonValue): readonly DiffLine[] {
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
