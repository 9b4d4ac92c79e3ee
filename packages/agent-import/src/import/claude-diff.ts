import {
  amount,
  type DiffLine,
  type Display,
  type JsonValue,
  lazy,
  list,
  object,
  type TypeOf,
  text,
} from '@robota-sdk/agent-core';

const kinds: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', ' ': 'context' };

/** The diff that Claude Code stored beside a result; undefined if there is none. */
export function claudeDiff(toolUseResult: JsonValue | undefined): Display | undefined {
  const { filePath: path = '', structuredPatch = [], type } = resultShape.parse(toolUseResult) ?? {};
  const hunks = structuredPatch.map(hunkLines);
  const lines = hunks.flatMap((hunk, index): readonly DiffLine[] =>
    index === 0 ? hunk : [{ kind: 'gap', text: '' }, ...hunk],
  );
  const change = type === 'create' ? 'create' : 'edit';
  return lines.length === 0 ? undefined : { kind: 'diff', path, change, lines };
}

const resultShape = lazy(() => object({ filePath: text, structuredPatch: list(hunkShape) }, { type: text }));
const hunkShape = lazy(() => object({}, { oldStart: amount, newStart: amount, lines: list(text) }));

function hunkLines({ oldStart = 1, newStart = 1, lines = [] }: TypeOf<typeof hunkShape>): DiffLine[] {
  let oldLine = oldStart;
  let newLine = newStart;
  return lines.flatMap((written): DiffLine[] => {
    const kind = kinds[written.charAt(0)];
    if (kind === undefined) return [];
    const line = kind === 'removed' ? oldLine : newLine;
    if (kind !== 'added') oldLine++;
    if (kind !== 'removed') newLine++;
    return [{ kind, text: written.slice(1), line }];
  });
}
