import { join } from 'node:path';
import { AgentError, type HiddenFiles, type ToolOutput, textOutput } from '@robota-sdk/agent-core';
import { compileGlob, splitGlob } from '../match/glob.ts';
import { findRipgrep } from '../search/find-ripgrep.ts';
import { hiddenBelow } from '../search/hidden-from-search.ts';
import type { NameFilter } from '../search/list-files.ts';
import { MatchCollector } from '../search/match-collector.ts';
import { isBinaryFile } from '../search/read-searchable.ts';
import { type ContentSearchEnd, searchContent } from '../search/search-content.ts';
import type { SearchRoot } from '../search/search-place.ts';
import { searchTimeout } from '../search/search-text.ts';
import { describeMatches } from './describe-matches.ts';
import type { GrepInput } from './grep-tool.ts';

const defaultLimits = { content: 200, files: 1000, count: 1000 };
const mostContext = 50;

/** Searches a confirmed root and describes the matches. */
export async function grepFiles(
  input: GrepInput,
  place: SearchRoot,
  { signal, hidden }: { signal: AbortSignal; hidden?: HiddenFiles | undefined },
): Promise<ToolOutput> {
  await refuseBinary(place);
  const mode = input.output_mode ?? 'content';
  const offset = wholeNumber(input.offset ?? 0, 'offset');
  const limit = wholeNumber(input.head_limit ?? 0, 'head_limit') || defaultLimits[mode];
  const filter = filterOf(input, place);
  const isHidden = hiddenBelow(place.root, hidden?.search());
  const collector = new MatchCollector({
    limit: offset + limit,
    wantsLines: mode === 'content',
    isMeant: (path) => filter.isMeant(path) && !isHidden(path),
  });
  // Reported whether or not a hidden file matched; otherwise its content could be guessed step by step.
  const leavesOut = place.file === undefined && (await hidden?.mayHideBelow(place.root)) === true;
  const end: ContentSearchEnd = await searchContent({
    ...filter.names,
    root: place.root,
    file: place.file,
    signal,
    timeoutMs: searchTimeout,
    ripgrep: await findRipgrep(),
    pattern: input.pattern,
    isLiteral: input.literal ?? false,
    ignoreCase: input.ignore_case ?? false,
    isMultiline: input.multiline ?? false,
    context: Math.min(mostContext, wholeNumber(input.context ?? 0, 'context')),
    mode,
    collector,
  });
  const { text, items } = describeMatches({ input, mode, offset, limit, place, collector, end, leavesOut });
  const display = items
    ? ({ kind: 'list', items, total: collector.files } as const)
    : ({ kind: 'text', text, matches: collector.matches } as const);
  return textOutput(text, { display });
}

async function refuseBinary({ root, file }: SearchRoot): Promise<void> {
  if (file === undefined || !(await isBinaryFile(join(root, file)))) return;
  throw new AgentError('tool', `${file} is a binary file, which Grep does not search. Use Bash for it.`);
}

interface FileFilter {
  readonly names: NameFilter;
  isMeant(path: string): boolean;
}

/** Ripgrep filters by file name where it can; a glob is compared with each matching file. */
function filterOf({ glob, type }: GrepInput, { file }: SearchRoot): FileFilter {
  const everything = () => true;
  if (file !== undefined) return { names: {}, isMeant: everything };
  if (glob === undefined || glob === '') return { names: { type }, isMeant: everything };
  const parts = splitGlob(glob.endsWith('/') ? `${glob}**` : glob).join('/');
  const { names, test } = compileGlob(parts.includes('/') || glob.includes('/') ? parts : `**/${parts}`);
  return { names: type === undefined ? { names } : { type }, isMeant: test };
}

function wholeNumber(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new AgentError('tool', `${name} must be a whole number of at least 0, got ${value}.`);
}
