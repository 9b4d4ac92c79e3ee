import type { DiffLine, FileDiff } from './diff-line.ts';

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

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
    if (line.startsWith('\\')) return this.#endWithoutNewline();
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
    if ((this.#lines?.length ?? 0) > 0) this.#lines?.push(gapBefore(Number(newLine), this.#now.line));
    this.#old = { line: Number(oldLine), left: Number(oldCount) };
    this.#now = { line: Number(newLine), left: Number(newCount) };
  }

  #readHunkLine(line: string): void {
    const text = line.slice(1);
    if (line.startsWith('-')) this.#lines?.push({ kind: 'removed', text, line: advance(this.#old) });
    else if (line.startsWith('+')) this.#lines?.push({ kind: 'added', text, line: advance(this.#now) });
    else {
      advance(this.#old);
      this.#lines?.push({ kind: 'context', text, line: advance(this.#now) });
    }
  }

  #endWithoutNewline(): void {
    const last = this.#lines?.pop();
    if (last) this.#lines?.push({ ...last, noNewline: true });
  }

  get #lines(): DiffLine[] | undefined {
    return this.files.at(-1)?.lines;
  }
}

function gapBefore(line: number, shown: number): DiffLine {
  return { kind: 'gap', text: '', ...(line > shown ? { hidden: line - shown } : {}) };
}

function advance(side: { line: number; left: number }): number {
  side.left--;
  return side.line++;
}

function pathOf(line: string): string {
  const path = (line.slice(4).split('\t', 1)[0] ?? '').trim();
  return path.replace(/^[ab]\//, '');
}
