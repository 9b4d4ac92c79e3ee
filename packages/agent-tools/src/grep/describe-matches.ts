import type { FileMatches, MatchCollector } from '../search/match-collector.ts';
import type { ContentSearchEnd } from '../search/search-content.ts';
import type { SearchRoot } from '../search/search-place.ts';
import { fitLines, searchRemarks } from '../search/search-text.ts';
import type { GrepInput } from './grep-tool.ts';

export interface MatchReport {
  readonly input: GrepInput;
  readonly mode: 'content' | 'files' | 'count';
  readonly offset: number;
  readonly limit: number;
  readonly place: SearchRoot;
  readonly collector: MatchCollector;
  readonly end: ContentSearchEnd;
  /** True if deny rules exclude files here from every search. */
  readonly leavesOut: boolean;
}

/** Describes the matches; `items` if it is a list of files. */
export function describeMatches(report: MatchReport): {
  readonly text: string;
  readonly items?: readonly string[];
} {
  const { mode, collector, end, leavesOut } = report;
  const found = collector.result();
  const remarks = searchRemarks(end);
  if (leavesOut) remarks.push('files under deny or ask rules are not searched');
  if (collector.files === 0) return { text: withRemarks([nothingFound(report)], remarks) };
  if (mode === 'content') return { text: describeLines(found, report, remarks) };
  const wanted = found.slice(report.offset, report.offset + report.limit);
  const items = fitLines(wanted.map((file) => describeFile(file, report)));
  const isAll = items.length === collector.files;
  const total =
    mode === 'count'
      ? `${collector.matches} matches in ${collector.files} files`
      : `${collector.files} files`;
  if (!isAll || mode === 'count')
    remarks.unshift(isAll ? total : `${total}${shownPart(report, items.length)}`);
  return { text: withRemarks(items, remarks), items };
}

function describeFile({ path, count }: FileMatches, { mode, place }: MatchReport): string {
  return mode === 'count' ? `${place.prefix}${path}: ${count}` : place.prefix + path;
}

/** Lines below their file's name, as editors show them. */
function describeLines(found: readonly FileMatches[], report: MatchReport, remarks: string[]): string {
  const { offset, limit, place, collector } = report;
  const texts: string[] = [];
  const weights: number[] = [];
  let at = 0;
  for (const { path, lines } of found) {
    const part = lines.slice(Math.max(0, offset - at), Math.max(0, offset + limit - at));
    at += lines.length;
    for (const [index, line] of part.entries()) {
      const isGap = index > 0 && line.number !== (part[index - 1]?.number ?? 0) + 1 && hasContext(report);
      const heading = index === 0 ? `${texts.length > 0 ? '\n' : ''}${place.prefix}${path}\n` : '';
      texts.push(`${heading}${isGap ? '--\n' : ''}${line.number}${line.isMatch ? ':' : '-'} ${line.text}`);
      weights.push(line.isMatch ? 1 : 0);
    }
  }
  const shown = fitLines(texts);
  const matches = weights.slice(0, shown.length).reduce((sum, weight) => sum + weight, 0);
  if (matches < collector.matches) {
    const total = `${collector.matches} matching lines in ${collector.files} files`;
    remarks.unshift(`${total}${shownPart(report, shown.length)}`);
  }
  return withRemarks(shown, remarks);
}

function hasContext({ input }: MatchReport): boolean {
  return (input.context ?? 0) > 0;
}

function shownPart({ offset, mode }: MatchReport, shown: number): string {
  const unit = mode === 'content' ? 'lines' : 'files';
  if (shown === 0) return `; nothing is left after offset ${offset}`;
  return `; shown are ${unit} ${offset + 1}-${offset + shown}, continue with offset ${offset + shown}, or narrow the search`;
}

function nothingFound({ input, end, place }: MatchReport): string {
  const where = place.file === undefined ? '' : ` in ${place.prefix}${place.file}`;
  const searched =
    end.searched === undefined || place.file !== undefined ? '' : ` (${end.searched} files searched)`;
  return `No matches for ${JSON.stringify(input.pattern)}${where}${searched}.`;
}

function withRemarks(lines: readonly string[], remarks: readonly string[]): string {
  return [...lines, ...remarks.map((remark) => `[${remark}]`)].join('\n');
}
