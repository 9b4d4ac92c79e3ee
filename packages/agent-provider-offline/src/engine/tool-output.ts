import type { CallResult } from './plan.ts';

interface Found {
  /** Remarks of the tool besides the results, such as that they are cut. */
  readonly notes: readonly string[];
}

export interface FoundPaths extends Found {
  readonly paths: readonly string[];
  /** Also counts those that were left out. */
  readonly total: number;
}

export interface OutputMatch {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface FoundMatches extends Found {
  readonly matches: readonly OutputMatch[];
  /** Also counts those that were left out. */
  readonly total: number;
  readonly files: number;
}

export interface FoundCounts extends Found {
  readonly counts: readonly { readonly path: string; readonly count: number }[];
  readonly total: number;
  readonly files: number;
}

export interface FileText {
  readonly lines: readonly string[];
  /** The number of the first line. */
  readonly first: number;
  /** The line to continue reading from, if the file is longer. */
  readonly next?: number;
}

export interface CommandOutput {
  readonly text: string;
  /** Undefined where the command did not end by itself. */
  readonly exitCode: number | undefined;
  /** Why it did not, as the tool says. */
  readonly problem?: string;
}

/** The paths a Glob or Grep found, one a line. */
export function parsePaths(result: CallResult): FoundPaths {
  const { rows, notes } = rowsOf(result);
  const total = /^\[\d+ of (\d+) files|^\[(\d+) files;/m.exec(notes.join('\n'));
  return { paths: rows, total: Number(total?.[1] ?? total?.[2] ?? rows.length), notes };
}

/** The lines a Grep found: each below the name of its file, as `12: text`. */
export function parseMatches(result: CallResult): FoundMatches {
  const { rows, notes } = rowsOf(result);
  const matches: OutputMatch[] = [];
  let path = '';
  for (const row of rows) {
    const [, line, text = ''] = /^(\d+): (.*)$/.exec(row) ?? [];
    if (line === undefined) path = row;
    else matches.push({ path, line: Number(line), text });
  }
  const [, total, files] = /^\[(\d+) matching lines in (\d+) files/m.exec(notes.join('\n')) ?? [];
  return {
    matches,
    total: Number(total ?? matches.length),
    files: Number(files ?? new Set(matches.map((match) => match.path)).size),
    notes,
  };
}

/** The `path: count` rows of a counting Grep. */
export function parseCounts(result: CallResult): FoundCounts {
  const { rows, notes } = rowsOf(result);
  const counts = rows.flatMap((row) => {
    const [, path, count] = /^(.+): (\d+)$/.exec(row) ?? [];
    return path === undefined ? [] : [{ path, count: Number(count) }];
  });
  const [, total, files] = /^\[(\d+) matches in (\d+) files/m.exec(notes.join('\n')) ?? [];
  const sum = counts.reduce((so, { count }) => so + count, 0);
  return { counts, total: Number(total ?? sum), files: Number(files ?? counts.length), notes };
}

/** The results of a tool, without its remarks in brackets or its text for "none". */
function rowsOf(result: CallResult): { rows: readonly string[]; notes: readonly string[] } {
  const lines = result.isError ? [] : result.text.split('\n').filter((line) => line.trim() !== '');
  const end = lines.findLastIndex((line) => !/^\[.*\]$/.test(line)) + 1;
  const rows = lines.slice(0, end).filter((line) => !/^No (files match|matches for) "/.test(line));
  return { rows, notes: lines.slice(end) };
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

/** The output and exit status of a command. */
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
