/** A file that a Markdown text imports by `@path`. */
export interface ImportMention {
  /** As written, without the `@`; the first that exists is used. */
  readonly candidates: readonly [string, ...string[]];
  /** True if it is alone on its line, so that it is certainly an import. */
  readonly isAlone: boolean;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Finds the imports of a Markdown text, except inside code and comments. */
export function findImports(markdown: string): ImportMention[] {
  const found = new Map<string, ImportMention>();
  for (const line of linesOutsideCode(markdown.replace(/<!--[\s\S]*?(?:-->|$)/g, '')))
    for (const mention of mentionsIn(line)) {
      const known = found.get(mention.candidates[0]);
      if (!known?.isAlone) found.set(mention.candidates[0], mention);
    }
  return [...found.values()];
}

function linesOutsideCode(markdown: string): string[] {
  const lines: string[] = [];
  let open: string | undefined;
  for (const line of markdown.split(/\r?\n/)) {
    const mark = fence.exec(line)?.[1];
    if (open !== undefined) {
      if (mark?.startsWith(open) && line.trim() === mark) open = undefined;
    } else if (mark !== undefined) open = mark;
    else lines.push(withoutSpans(line));
  }
  return lines;
}

/** A code span ends with as many backticks as it began with. */
function withoutSpans(line: string): string {
  return line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '` `');
}

function mentionsIn(line: string): ImportMention[] {
  const isAlone = /^\s*(?:[-*+]\s+)?@(?:[^\s\\]|\\.)+\s*$/.test(line);
  return [...line.matchAll(/(?<=^|\s)@((?:[^\s\\]|\\.)+)/g)].flatMap(([, written = '']) => {
    const path = written.replace(/\\(.)/g, '$1').replace(/#.*$/s, '');
    if (!/^[\p{L}\p{N}._~/]/u.test(path)) return [];
    const trimmed = path.replace(/(?<![.,;:!?)\]}'"])[.,;:!?)\]}'"]+$/, '');
    const candidates = trimmed === path || trimmed === '' ? ([path] as const) : ([path, trimmed] as const);
    return [{ candidates, isAlone }];
  });
}
