import type { CallResult } from './plan.ts';

export interface FoundPaths {
  readonly paths: readonly string[];
  /** What the tool said beside the paths, such as that the list is cut. */
  readonly note?: string;
}

export interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface FileText {
  readonly lines: readonly string[];
  /** The number of the first line. */
  readonly first: number;
  /** The line to read on from, where the file goes on. */
  readonly next?: number;
}

export interface CommandOutput {
  readonly text: string;
  /** Undefined where the command did not end by itself. */
  readonly exitCode: number | undefined;
  /** Why it did not, as the tool says. */
  readonly problem?: string;
}

/** The paths a Glob found, one a line. */
export function parsePaths(result: CallResult): FoundPaths {
  if (result.isError) return { paths: [] };
  const lines = result.text.split('\n').filter((line) => line.trim() !== '');
  const notes = lines.filter(isNote);
  const paths = lines.filter((line) => !isNote(line)).map((line) => line.replace(/^\.\//, ''));
  return { paths, ...(notes.length > 0 && paths.length > 0 ? { note: notes.join('\n') } : {}) };
}

/** The `path:line:text` rows a Grep found. */
export function parseMatches(result: CallResult): { matches: readonly Match[]; note?: string } {
  if (result.isError) return { matches: [] };
  const matches: Match[] = [];
  const notes: string[] = [];
  for (const row of result.text.split('\n')) {
    const [, path, line, text = ''] = /^(.+?):(\d+):(.*)$/.exec(row) ?? [];
    if (path !== undefined && line !== undefined)
      matches.push({ path: path.replace(/^\.\//, ''), line: Number(line), text });
    else if (isNote(row)) notes.push(row);
  }
  return { matches, ...(notes.length > 0 && matches.length > 0 ? { note: notes.join('\n') } : {}) };
}

/** The `path:count` rows of a counting Grep. */
export function parseCounts(result: CallResult): {
  counts: readonly { readonly path: string; readonly count: number }[];
  note?: string;
} {
  const rows = result.isError ? [] : result.text.split('\n');
  const counts = rows.flatMap((row) => {
    const [, path, count] = /^(.+):(\d+)$/.exec(row) ?? [];
    return path === undefined || isNote(row)
      ? []
      : [{ path: path.replace(/^\.\//, ''), count: Number(count) }];
  });
  const notes = rows.filter(isNote);
  return { counts, ...(notes.length > 0 && counts.length > 0 ? { note: notes.join('\n') } : {}) };
}

/** The lines a Read gave, without their numbers. */
export function parseFile(result: CallResult): FileText {
  const rows = result.text.split('\n');
  const numbered = rows.flatMap((row) => {
    const [, number, text = ''] = /^(\d+)\t(.*)$/.exec(row) ?? [];
    return number === undefined ? [] : [{ number: Number(number), text }];
  });
  const next = /^\[.*\bread on with offset (\d+)/.exec(rows.at(-1) ?? '')?.[1];
  return {
    lines: numbered.map(({ text }) => text),
    first: numbered[0]?.number ?? 1,
    ...(next === undefined ? {} : { next: Number(next) }),
  };
}

/** What a command printed and how it ended. */
export function parseCommand(result: CallResult): CommandOutput {
  const lines = result.text.split('\n');
  const end = lines.findLastIndex((line) => !/^\[.*\]$/.test(line)) + 1;
  const remarks = lines.slice(end).map((line) => line.slice(1, -1));
  const text = lines.slice(0, end).join('\n');
  const printed = text === '(no output)' ? '' : text;
  if (!result.isError) return { text: printed, exitCode: 0 };
  const code = /\bexit code (\d+)/.exec(remarks.join('\n'))?.[1];
  if (code !== undefined) return { text: printed, exitCode: Number(code) };
  return {
    text: printed,
    exitCode: undefined,
    ...(remarks.length > 0 ? { problem: remarks.join('; ') } : {}),
  };
}

/** A text as a regular expression that matches exactly it. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function isNote(line: string): boolean {
  return /^\s*[([].*[)\]]\s*$/.test(line) || /^No (files|matches)/.test(line);
}
