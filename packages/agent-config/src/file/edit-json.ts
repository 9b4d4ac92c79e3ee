import type { JsonValue, KeyPath } from '@robota-sdk/agent-core';
import type { Node } from 'jsonc-parser';

export interface JsonEdit {
  readonly path: KeyPath;
  /** Nothing takes it out. */
  readonly value: JsonValue | undefined;
  /** Put it behind what stands in the list at the path. */
  readonly append?: boolean;
}

/** Changes one value in a JSON text; comments and the look of everything else stay. */
export async function editJson(text: string, { path, value, append = false }: JsonEdit): Promise<string> {
  const { findNodeAtLocation, parseTree } = await import('jsonc-parser');
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const find = (part: KeyPath) => (tree ? findNodeAtLocation(tree, [...part]) : undefined);
  const found = find(path);
  if (value === undefined) {
    return found?.parent?.type === 'property' ? withoutProperty(text, found.parent) : text;
  }
  if (append && found?.type === 'array') return withItem(text, found, (look) => written(value, look));
  const item = append ? [value] : value;
  if (found) {
    const { indent, eol } = lookAt(text, found.offset);
    return text.slice(0, found.offset) + written(item, { indent, eol }) + text.slice(endOf(found));
  }
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const holder = find(path.slice(0, depth));
    if (!holder) continue;
    const key = path[depth];
    const inner = wrapped(path.slice(depth + 1), item);
    if (holder.type === 'array' && typeof key === 'number')
      return withItem(text, holder, (look) => written(inner, look));
    if (holder.type !== 'object')
      throw new Error(`${path.slice(0, depth).join('.')} has no place for ${String(key)}.`);
    return withItem(text, holder, (look) => `${JSON.stringify(key)}: ${written(inner, look)}`);
  }
  return `${text.trim() === '' ? '' : `${text.trimEnd()}\n`}${JSON.stringify(wrapped(path, item), null, 2)}\n`;
}

/** How the text around a place is laid out. */
interface Layout {
  readonly indent: string;
  readonly eol: string;
}

function lookAt(text: string, offset: number): Layout {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const [indent = ''] = /^[ \t]*/.exec(text.slice(lineStart)) ?? [];
  return { indent, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

function written(value: JsonValue, { indent, eol }: Layout): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `${eol}${indent}`);
}

function wrapped(path: KeyPath, value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>(
    (inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }),
    value,
  );
}

/** The comma behind something, with the comments before that. */
const commaBehind = /^(?:\s|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|\/\/[^\n]*(?=\n))*,/;

/** Comments that stand on the line of what they are about. */
const commentsBehind = /^(?:[ \t]*(?:\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|\/\/[^\r\n]*))*/;

/** Puts something new behind what an object or a list holds, and behind the comments of that. */
function withItem(text: string, holder: Node, item: (look: Layout) => string): string {
  const { indent, eol } = lookAt(text, holder.offset);
  const last = holder.children?.at(-1);
  if (!last) {
    const close = endOf(holder) - 1;
    const look = { indent: `${indent}  `, eol };
    const before = text.slice(0, close).trimEnd();
    return `${before}${eol}${look.indent}${item(look)}${eol}${indent}${text.slice(close)}`;
  }
  const end = endOf(last);
  const [comma] = commaBehind.exec(text.slice(end)) ?? [];
  const mark = end + (comma?.length ?? 0);
  const [comments = ''] = commentsBehind.exec(text.slice(mark)) ?? [];
  const place = mark + comments.length;
  const look = lookAt(text, last.offset);
  const isOnOwnLine = text.slice(0, last.offset).endsWith(`\n${look.indent}`);
  const gap = isOnOwnLine || comments.includes('//') ? `${eol}${look.indent}` : ' ';
  const before =
    comma === undefined ? `${text.slice(0, end)},${text.slice(end, place)}` : text.slice(0, place);
  return before + gap + item(look) + (comma === undefined ? '' : ',') + text.slice(place);
}

/** Takes a property out with its comma, its line and the comment at the end of that; other comments stay. */
function withoutProperty(text: string, property: Node): string {
  const siblings = property.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const isLast = siblings.at(-1) === property;
  const [own = ''] = commaBehind.exec(text.slice(endOf(property))) ?? [];
  const mark = endOf(property) + own.length;
  const [comments = ''] = commentsBehind.exec(text.slice(mark)) ?? [];
  const end = mark + comments.length;
  const lineStart = text.lastIndexOf('\n', property.offset - 1);
  const isAlone =
    text.slice(lineStart + 1, property.offset).trim() === '' && /^[ \t]*\r?\n/.test(text.slice(end));
  const start = isAlone && lineStart >= 0 ? lineStart : property.offset;
  if (!isLast || !previous) return text.slice(0, start) + text.slice(end);
  const [comma = ''] = commaBehind.exec(text.slice(endOf(previous))) ?? [];
  const kept = comma.slice(0, -1) + text.slice(endOf(previous) + comma.length, start);
  return text.slice(0, endOf(previous)) + (kept.trim() === '' ? '' : kept) + text.slice(end);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}
