import type { DiffLine } from './diff-line.ts';

/** The same changes with at most so many unchanged lines around each. */
export function withContext(lines: readonly DiffLine[], context: number): readonly DiffLine[] {
  const near = nearChanges(lines, context);
  const kept: DiffLine[] = [];
  let hidden: DiffLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'gap' || near[index] === 0) {
      hidden.push(line);
      continue;
    }
    if (kept.length > 0) kept.push(...gapOf(hidden));
    hidden = [];
    kept.push(line);
  }
  return kept;
}

/** A gap in place of lines; a single line stays, since the gap would take as much room. */
function gapOf(hidden: readonly DiffLine[]): readonly DiffLine[] {
  if (hidden.length <= 1) return hidden;
  const count = hidden.reduce(
    (sum, line) => sum + (line.kind === 'gap' ? (line.hidden ?? Number.NaN) : 1),
    0,
  );
  return [{ kind: 'gap', text: '', ...(Number.isNaN(count) ? {} : { hidden: count }) }];
}

function nearChanges(lines: readonly DiffLine[], context: number): Uint8Array {
  const near = new Uint8Array(lines.length);
  const walk = (from: number, step: 1 | -1) => {
    let left = 0;
    for (let index = from; index >= 0 && index < lines.length; index += step) {
      const kind = lines[index]?.kind;
      left = kind === 'added' || kind === 'removed' ? context + 1 : kind === 'gap' ? 0 : left;
      if (left-- > 0) near[index] = 1;
    }
  };
  walk(0, 1);
  walk(lines.length - 1, -1);
  return near;
}
