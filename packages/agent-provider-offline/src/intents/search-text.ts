import { explainFailure } from '../explain-failure.ts';
import { countOf } from '../folder-summary.ts';
import { cleanPath, isRootName } from '../language/paths.ts';
import { type CallResult, callTool, failed, type Plan, type Step } from '../plan.ts';
import { escapePattern, type Match, parseMatches } from '../tool-output.ts';
import type { Intent } from './intent.ts';

const place = '[(in|under|inside|within) {path:path} [(folder|directory|dir|file)]]';
const mostShown = 50;

/** "find deprecated", "search for useState in src". */
export const searchText: Intent = {
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

function* search(what: string, path: string | undefined): Plan {
  const exact = yield* grep(escapePattern(what), path);
  if (exact.isError) return failed(explainFailure('Grep', exact));
  const matches = parseMatches(exact);
  if (matches.matches.length > 0) return { text: matchList(matches, `\`${what}\``) };
  const loose = yield* grep(escapePattern(what), path, { '-i': true });
  if (loose.isError) return failed(explainFailure('Grep', loose));
  const ignoringCase = parseMatches(loose);
  if (ignoringCase.matches.length === 0) return { text: `Nothing matches \`${what}\`${inPlace(path)}.` };
  return { text: `Not in that spelling, but with other capitals: ${matchList(ignoringCase, `\`${what}\``)}` };
}

/** Greps with file names and line numbers. */
export function grep(
  pattern: string,
  path: string | undefined,
  extra: { readonly '-i'?: boolean } = {},
): Generator<Step, CallResult, readonly CallResult[]> {
  const where = path === undefined || isRootName(path) ? {} : { path: cleanPath(path) };
  return callTool('Grep', { pattern, ...where, output_mode: 'content', ...extra });
}

/** Matches as `file:line`, with the text of each line. */
export function matchList({ matches, note }: ReturnType<typeof parseMatches>, what: string): string {
  const files = new Set(matches.map((match) => match.path)).size;
  const rows = matches.slice(0, mostShown).map(row);
  const more = matches.length - rows.length;
  const lines = [`${countOf(matches.length, 'match')} of ${what} in ${countOf(files, 'file')}:`, '', ...rows];
  if (more > 0) lines.push(`- … and ${more} more`);
  if (note !== undefined) lines.push('', note);
  return lines.join('\n');
}

export function inPlace(path: string | undefined): string {
  return path === undefined || isRootName(path) ? '' : ` in \`${cleanPath(path)}\``;
}

function row({ path, line, text }: Match): string {
  const shown = text.trim();
  return `- ${path}:${line}  ${shown.length > 160 ? `${shown.slice(0, 160)}…` : shown}`;
}
