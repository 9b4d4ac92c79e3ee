import { type JsonObject, shorten } from '@robota-sdk/agent-core';
import { explainFailure } from '../engine/explain-failure.ts';
import { countText } from '../engine/folder-summary.ts';
import { type CallResult, failed, makeCall, type Plan, type Steps } from '../engine/plan.ts';
import { type FoundMatches, type OutputMatch, parseMatches } from '../engine/tool-output.ts';
import { cleanPath, isRootName } from '../language/paths.ts';
import type { Intent } from './intent.ts';

const place = '[(in|under|inside|within) {path:path} [(folder|directory|dir|file)]]';
const mostShown = 50;

/** "find deprecated", "search for useState in src". */
export const searchTextIntent: Intent = {
  name: 'search',
  examples: ['find "connection refused"', 'search for TODO in src'],
  patterns: [
    `(find|list|show) (uses|usages|references|callers|occurrences|mentions) (of|to) {what:thing} ${place}`,
    `(who|what) (uses|calls|imports|mentions) {what:thing} ${place}`,
    `where is {what:thing} (used|called|mentioned|imported) ${place}`,
    `(find|list|show) todos ${place}`,
    `(find|grep|locate) [for] [(string|text|word|words|pattern|line|lines)] [(containing|with|matching|of)] {what:thing} ${place}`,
    `(search|look) [for] [(string|text|word|pattern)] {what:thing} ${place}`,
    `search [in] {path:path} for {what:thing}`,
  ],
  plan: ({ what = 'TODO', path }) => search(what, path),
};

/** Finds a text as it stands, and with other capitals where it does not occur so. */
export function* search(what: string, path: string | undefined): Plan {
  const exact = yield* grep({ pattern: what, literal: true }, path);
  if (exact.isError && !exact.denied && inPlace(path) !== '') return yield* searchEverywhere(what, path);
  if (exact.isError) return failed(explainFailure('Grep', exact));
  const found = parseMatches(exact);
  if (found.total > 0) return { text: matchList(found, `\`${what}\``) };
  const loose = yield* grep({ pattern: what, literal: true, ignore_case: true }, path);
  if (loose.isError) return failed(explainFailure('Grep', loose));
  const ignoringCase = parseMatches(loose);
  if (ignoringCase.total === 0) return { text: `Nothing matches \`${what}\`${inPlace(path)}.` };
  return { text: `Not in that spelling, but with other capitals: ${matchList(ignoringCase, `\`${what}\``)}` };
}

/** A folder that is named from habit, such as src, is not there in every project. */
function* searchEverywhere(what: string, path: string | undefined): Plan {
  const { text = '', ...answer } = yield* search(what, undefined);
  return { ...answer, text: `I could not search${inPlace(path)}, so I searched everywhere. ${text}` };
}

/** Searches a place; the root where none is named. */
export function grep(search: JsonObject, path: string | undefined): Steps<CallResult> {
  const where = path === undefined || isRootName(path) ? {} : { path: cleanPath(path) };
  return makeCall('Grep', { ...search, ...where });
}

/** Matches as `file:line`, with the text of each line. */
export function matchList({ matches, total, files }: FoundMatches, what: string): string {
  const rows = matches.slice(0, mostShown).map(row);
  const more = total - rows.length;
  const head = `${countText(total, 'matching line')} for ${what} in ${countText(files, 'file')}:`;
  return [head, '', ...rows, ...(more > 0 ? [`- … and ${more} more`] : [])].join('\n');
}

/** " in `src`", or nothing for the whole project. */
export function inPlace(path: string | undefined): string {
  return path === undefined || isRootName(path) ? '' : ` in \`${cleanPath(path)}\``;
}

function row({ path, line, text }: OutputMatch): string {
  return `- ${path}:${line}  ${shorten(text.trim(), 160)}`;
}
