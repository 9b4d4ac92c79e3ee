import { AgentError } from '@robota-sdk/agent-core';
import { unknownType } from './file-types.ts';
import { type NameFilter, nameArgs, type SearchScope, searchEnd } from './list-files.ts';
import type { MatchCollector } from './match-collector.ts';
import { multilineNeeded, patternError, reasonOfRipgrep } from './pattern-error.ts';
import { RipgrepOutput, RipgrepRecords } from './ripgrep-output.ts';
import { type RipgrepEnd, runRipgrep } from './ripgrep-process.ts';
import type { SearchEnd } from './walk-files.ts';

export interface ContentSearch extends SearchScope, NameFilter {
  readonly pattern: string;
  readonly isLiteral: boolean;
  readonly ignoreCase: boolean;
  /** True if a match may span lines. */
  readonly isMultiline: boolean;
  /** Lines shown around a match. */
  readonly context: number;
  readonly mode: 'content' | 'files' | 'count';
  /** The only file to search, by its name in the root. */
  readonly file?: string | undefined;
  readonly collector: MatchCollector;
}

export interface ContentSearchEnd extends SearchEnd {
  /** Number of searched files, if known. */
  readonly searched?: number;
}

/** Searches the files of a directory that are not ignored and not binary. */
export async function searchContent(search: ContentSearch): Promise<ContentSearchEnd> {
  if (!search.isMultiline && hasLineBreak(search)) throw multilineNeeded();
  const { ripgrep } = search;
  if (ripgrep !== undefined) {
    const end = await searchByRipgrep(search, ripgrep);
    if (end !== 'unusable') return end;
    search.collector.reset();
  }
  const { searchByWalking } = await import('./search-by-walking.ts');
  return searchByWalking(search);
}

/** True if a pattern contains a line break; a class that excludes line breaks does not. */
function hasLineBreak({ pattern, isLiteral }: ContentSearch): boolean {
  if (pattern.includes('\n')) return true;
  return !isLiteral && /(?<!\\)(?:\\\\)*\\n/.test(pattern.replace(/\[\^(?:\\.|[^\]\\])*(?:\]|\\?$)/gs, ''));
}

async function searchByRipgrep(
  search: ContentSearch,
  program: string,
): Promise<ContentSearchEnd | 'unusable'> {
  const { mode, collector } = search;
  const reader = mode === 'content' ? new RipgrepOutput(collector) : new RipgrepRecords(collector, mode);
  const onOutput = (chunk: Buffer) => reader.write(chunk);
  const end = await runRipgrep({ ...search, program, args: argsOf(search), onOutput });
  if (!end.isUsable) return 'unusable';
  if (end.code === 2) explainFailure(end, search);
  reader.finish();
  const searched = /^(\d+) files? searched$/m.exec(reader.trailer)?.[1];
  return { ...searchEnd(end), ...(searched === undefined ? {} : { searched: Number(searched) }) };
}

function argsOf(search: ContentSearch): string[] {
  const modes = {
    content: [
      '--line-number',
      '--column',
      '--no-heading',
      '--no-context-separator',
      `--context=${search.context}`,
    ],
    files: ['--files-with-matches'],
    count: ['--count'],
  };
  return [
    ...modes[search.mode],
    ...nameArgs(search),
    ...(search.isLiteral ? ['--fixed-strings'] : ['--engine=auto']),
    ...(search.ignoreCase ? ['--ignore-case'] : ['--case-sensitive']),
    ...(search.isMultiline ? ['--multiline', '--multiline-dotall'] : []),
    '--with-filename',
    '--no-mmap',
    ...(isPlainText(search) ? [] : ['--crlf']),
    // Counting would make it continue after the first match.
    ...(search.mode === 'files' ? [] : ['--stats']),
    `--regexp=${search.pattern}`,
    ...(search.file === undefined ? [] : ['--', `./${search.file}`]),
  ];
}

/** Without special characters, line endings do not matter, and ripgrep is faster if it can ignore them. */
function isPlainText({ pattern, isLiteral }: ContentSearch): boolean {
  return isLiteral || !/[\\^$.*+?()[\]{}|]/.test(pattern);
}

/** Errors of single files are only counted; errors of the query end the search. */
function explainFailure({ errors }: RipgrepEnd, search: ContentSearch): void {
  if (errors.includes('unrecognized file type')) throw unknownType(search.type ?? '');
  if (errors.includes('is not allowed in a regex')) throw multilineNeeded();
  const reason = reasonOfRipgrep(errors, search.pattern);
  if (reason !== undefined) throw patternError(reason);
  if (/^rg: error/m.test(errors)) throw new AgentError('tool', `The search failed: ${errors.trim()}`);
}
