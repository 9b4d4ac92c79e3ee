import { type DiffLine, type Display, isJsonObject, type JsonValue } from '@robota-sdk/agent-core';

const kinds: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'context' };

/** The diff that Claude Code stored beside a result; undefined if there is none. */
export function claudeDiff(toolUseResult: JsonValue | undefined): Display | undefined {
  if (!isJsonObject(toolUseResult)) return undefined;
  const { filePath, structuredPatch, type } = toolUseResult;
  if (typeof filePath !== 'string' || !Array.isArray(structuredPatch)) return undefined;
  const hunks = structuredPatch.filter(isJsonObject).map(({ oldStart, newStart, lines }) => {
    const texts: readonly JsonValue[] = Array.isArray(lines) ? lines : [];
    return hunkLines(texts, { old: numberOf(oldStart), new: numberOf(newStart) });
  });
  const lines = hunks.flatMap((hunk, index): readonly DiffLine[] =>
    index === 0 ? hunk : [{ kind: 'gap', text: '' }, ...hunk],
  );
  const change = type === 'create' ? 'create' : 'edit';
  return lines.length === 0 ? undefined : { kind: 'diff', path: filePath, change, lines };
}

function hunkLines(
  texts: readonly JsonValue[],
  start: { readonly old: number; readonly new: number },
): DiffLine[] {
  let oldLine = start.old;
  let newLine = start.new;
  return texts.flatMap((text): DiffLine[] => {
    const kind = typeof text === 'string' ? kinds[text.charAt(0)] : undefined;
    if (kind === undefined) return [];
    const line = kind === 'removed' ? oldLine : newLine;
    if (kind !== 'added') oldLine++;
    if (kind !== 'removed') newLine++;
    return [{ kind, text: String(text).slice(1), line }];
  });
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 1;
}
