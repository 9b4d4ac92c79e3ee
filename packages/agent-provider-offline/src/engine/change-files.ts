import { explainFailure } from './explain-failure.ts';
import { countText } from './folder-summary.ts';
import {
  type CallResult,
  failed,
  makeCall,
  type Plan,
  type PlanAnswer,
  type PlannedCall,
  type Steps,
} from './plan.ts';
import { type FileText, parseFile } from './tool-output.ts';

/** The change one file needs: how many places, and the arguments of Edit that make it. */
export interface FileEdits {
  readonly places: number;
  readonly edit: Readonly<Record<string, string | boolean | readonly TextEdit[]>>;
}

export interface TextEdit {
  readonly old_string: string;
  readonly new_string: string;
}

interface Job {
  readonly paths: readonly string[];
  /** Also counts files the search did not name. */
  readonly total: number;
  /** For the summary: "Replaced `a` with `b`". */
  readonly done: string;
  change(file: FileText): FileEdits | undefined;
}

interface Outcome {
  readonly path: string;
  readonly places: number;
  readonly problem?: string;
  readonly denied?: boolean;
}

const filesPerStep = 10;
const mostPieces = 20;
const mostProblems = 10;

/** Reads and edits files, some at a time, and says what was changed and what was not. */
export function* changeFiles(job: Job): Plan {
  const outcomes: Outcome[] = [];
  for (let start = 0; start < job.paths.length; start += filesPerStep) {
    outcomes.push(...(yield* changeSome(job, job.paths.slice(start, start + filesPerStep))));
    // If one edit is denied, skip the rest.
    if (outcomes.some((outcome) => outcome.denied)) break;
  }
  return summary(job, outcomes);
}

function* changeSome(job: Job, paths: readonly string[]): Steps<readonly Outcome[]> {
  const reads = yield {
    calls: paths.map((path): PlannedCall => ({ tool: 'Read', input: { file_path: path } })),
  };
  const files = yield* readOn(paths, reads);
  const outcomes: Outcome[] = [];
  const pending: { path: string; change: FileEdits }[] = [];
  for (const [index, path] of paths.entries()) {
    const read = reads[index];
    const file = files[index];
    const change = file && job.change(file);
    if (change) pending.push({ path, change });
    else
      outcomes.push({ path, places: 0, problem: read?.isError ? explainFailure('Read', read) : unreadable });
  }
  if (pending.length === 0) return outcomes;
  const calls = pending.map(({ path, change }) => ({
    tool: 'Edit',
    input: { file_path: path, ...change.edit },
  }));
  const edits = yield { calls };
  for (const [index, { path, change }] of pending.entries()) {
    const result = edits[index];
    if (result && !result.isError) outcomes.push({ path, places: change.places });
    else outcomes.push({ path, places: 0, problem: problemOf(result), denied: result?.denied ?? false });
  }
  return outcomes;
}

/** Reads the rest of those files that one call does not show whole. */
function* readOn(
  paths: readonly string[],
  reads: readonly CallResult[],
): Steps<readonly (FileText | undefined)[]> {
  const files: (FileText | undefined)[] = [];
  for (const [index, path] of paths.entries()) {
    const read = reads[index];
    let file = read && !read.isError ? parseFile(read) : undefined;
    for (let pieces = 1; file?.next !== undefined && pieces < mostPieces; pieces++) {
      const more: CallResult = yield* makeCall('Read', { file_path: path, offset: file.next });
      const part = more.isError ? undefined : parseFile(more);
      file = part && { ...part, first: 1, lines: [...file.lines, ...part.lines] };
    }
    files.push(file?.next === undefined ? file : undefined);
  }
  return files;
}

const unreadable =
  'the text is not in what Read shows of the file (too long, or cut lines); it was left alone';

function problemOf(result: CallResult | undefined): string {
  return result ? explainFailure('Edit', result) : 'no result came back';
}

function summary(job: Job, outcomes: readonly Outcome[]): PlanAnswer {
  const changed = outcomes.filter((outcome) => outcome.problem === undefined);
  const troubled = outcomes.filter((outcome) => outcome.problem !== undefined);
  const text = [...changedRows(job, changed), ...troubledRows(job, troubled, changed.length)].join('\n');
  return troubled.length === 0 ? { text } : failed(text);
}

function changedRows(job: Job, changed: readonly Outcome[]): readonly string[] {
  if (changed.length === 0) return [];
  const places = changed.reduce((sum, outcome) => sum + outcome.places, 0);
  const rest = job.total - job.paths.length;
  return [
    `${job.done}: ${countText(places, 'place')} in ${countText(changed.length, 'file')}.`,
    '',
    ...changed.map(({ path, places: count }) => `- ${path}: ${count}`),
    ...(rest > 0 ? ['', `${countText(rest, 'more file')} hold it; ask again for those.`] : []),
  ];
}

function troubledRows(job: Job, troubled: readonly Outcome[], changed: number): readonly string[] {
  if (troubled.length === 0) return [];
  const what = changed === 0 ? 'Nothing was changed' : '\nNot changed';
  const files = countText(job.total - changed, 'file');
  const denied = troubled.find((outcome) => outcome.denied);
  // The answer is the same for all of them; once is enough.
  if (denied) return [`${what} (${files}). ${denied.problem}`];
  const rows = troubled.slice(0, mostProblems).map(({ path, problem }) => `- ${path}: ${problem}`);
  return [`${what} (${files}):`, ...rows];
}
