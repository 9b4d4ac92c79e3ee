/** One line of a diff; `line` is its number in the new file, or in the old one if it was removed. */
export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'context' | 'gap';
  readonly text: string;
  readonly line?: number;
}

/** The changes of one file. */
export interface FileDiff {
  readonly path: string;
  readonly lines: readonly DiffLine[];
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The lines that replacing one text by another takes out and puts in, without those around them; none if they are the same. */
export function editLines(before: string, after: string): DiffLine[] {
  if (before === after) return [];
  const old = linesOf(before);
  const now = linesOf(after);
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [
    ...old.slice(start, old.length - end).map((text): DiffLine => ({ kind: 'removed', text })),
    ...now.slice(start, now.length - end).map((text): DiffLine => ({ kind: 'added', text })),
  ];
}

/** Reads a unified diff of one or more files; lines that are no part of a hunk are left out. */
export function parseUnifiedDiff(text: string): FileDiff[] {
  const reader = new UnifiedDiffReader();
  for (const line of text.split('\n')) reader.push(line);
  return reader.files;
}

class UnifiedDiffReader {
  readonly files: { path: string; lines: DiffLine[] }[] = [];
  #oldPath = '';
  #old = { line: 0, left: 0 };
  #now = { line: 0, left: 0 };

  push(line: string): void {
    if (this.#old.left > 0 || this.#now.left > 0) return this.#readHunkLine(line);
    if (line.startsWith('--- ')) this.#oldPath = pathOf(line);
    else if (line.startsWith('+++ ')) this.#openFile(pathOf(line));
    else this.#openHunk(hunkHeader.exec(line));
  }

  #openFile(path: string): void {
    this.files.push({ path: path === '/dev/null' ? this.#oldPath : path, lines: [] });
  }

  #openHunk(found: RegExpExecArray | null): void {
    if (!found) return;
    if (this.files.length === 0) this.files.push({ path: this.#oldPath, lines: [] });
    const [, oldLine, oldCount = '1', newLine, newCount = '1'] = found;
    if ((this.#lines?.length ?? 0) > 0) this.#lines?.push({ kind: 'gap', text: '' });
    this.#old = { line: Number(oldLine), left: Number(oldCount) };
    this.#now = { line: Number(newLine), left: Number(newCount) };
  }

  #readHunkLine(line: string): void {
    const text = line.slice(1);
    if (line.startsWith('-')) this.#lines?.push({ kind: 'removed', text, line: advance(this.#old) });
    else if (line.startsWith('+')) this.#lines?.push({ kind: 'added', text, line: advance(this.#now) });
    else if (!line.startsWith('\\')) {
      advance(this.#old);
      this.#lines?.push({ kind: 'context', text, line: advance(this.#now) });
    }
  }

  get #lines(): DiffLine[] | undefined {
    return this.files.at(-1)?.lines;
  }
}

function advance(side: { line: number; left: number }): number {
  side.left--;
  return side.line++;
}

function pathOf(line: string): string {
  const path = (line.slice(4).split('\t', 1)[0] ?? '').trim();
  return path.replace(/^[ab]\//, '');
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
