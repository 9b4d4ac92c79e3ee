import type { JsonValue } from '@robota-sdk/agent-core';
import type { Node } from 'jsonc-parser';
import type { KeyPath } from './schema/schema-walk.ts';

export interface JsonEdit {
  readonly path: KeyPath;
  /** Nothing takes it out. */
  readonly value: JsonValue | undefined;
  /** Put it behind what stands in the list at the path. */
  readonly append?: boolean;
}

/** Changes one value in a JSON text; comments and the look of everything else stay. */
export async function editJson(text: string, { path, value, append = false }: JsonEdit): Promise<string> {
  const { applyEdits, findNodeAtLocation, modify, parseTree } = await import('jsonc-parser');
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const find = (part: KeyPath) => (tree ? findNodeAtLocation(tree, [...part]) : undefined);
  const doomed = value === undefined ? find(path)?.parent : undefined;
  if (doomed?.type === 'property') return withoutProperty(text, doomed);
  const list = append ? find(path) : undefined;
  const target = list?.type === 'array' ? [...path, list.children?.length ?? 0] : [...path];
  const isInsertion = list?.type === 'array';
  const item = append && !isInsertion ? [value] : value;
  const change = (current: string) =>
    applyEdits(
      current,
      modify(current, target, item, {
        formattingOptions: { insertSpaces: true, tabSize: 2 },
        ...(isInsertion ? { isArrayInsertion: true } : {}),
      }),
    );
  const last = value === undefined || find(target) ? undefined : lastOf(target, find);
  return last ? keepingComment(text, last.offset + last.length, change) : change(text);
}

/** What stands last in the innermost object or list that is there, behind which something new comes. */
function lastOf(path: KeyPath, find: (part: KeyPath) => Node | undefined): Node | undefined {
  for (let length = path.length - 1; length >= 0; length--) {
    const holder = find(path.slice(0, length));
    if (holder) return holder.children?.at(-1);
  }
  return undefined;
}

/** A comment at the end of a line belongs to what stands before it, not to what is put behind that. */
function keepingComment(text: string, end: number, change: (text: string) => string): string {
  const [, comma = '', comment = ''] = /^((?:\s*,)?)([ \t]*\/\/[^\n]*)/.exec(text.slice(end)) ?? [];
  if (comment === '') return change(text);
  const start = end + comma.length;
  const changed = change(text.slice(0, start) + text.slice(start + comment.length));
  const behindComma = changed.indexOf(',', end) + 1;
  return changed.slice(0, behindComma) + comment + changed.slice(behindComma);
}

/** Takes a property out with its comma, its line and the comment at the end of that; other comments stay. */
function withoutProperty(text: string, property: Node): string {
  const siblings = property.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const isLast = siblings.at(-1) === property;
  const [behind = ''] = /^(?:\s*,)?(?:[ \t]*\/\/[^\n]*)?/.exec(text.slice(endOf(property))) ?? [];
  const end = endOf(property) + behind.length;
  const lineStart = text.lastIndexOf('\n', property.offset - 1);
  const isAlone =
    text.slice(lineStart + 1, property.offset).trim() === '' && /^[ \t]*\n/.test(text.slice(end));
  const start = isAlone && lineStart >= 0 ? lineStart : property.offset;
  if (!isLast || !previous) return text.slice(0, start) + text.slice(end);
  const [comma = ''] = /^\s*,/.exec(text.slice(endOf(previous))) ?? [];
  const kept = text.slice(endOf(previous) + comma.length, start);
  return text.slice(0, endOf(previous)) + (kept.trim() === '' ? '' : kept) + text.slice(end);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
