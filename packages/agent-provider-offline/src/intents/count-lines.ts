import { countFiles as countByFolder } from '../engine/count-files.ts';
import { explainFailure } from '../engine/explain-failure.ts';
import { countText } from '../engine/folder-summary.ts';
import { failed, makeCall, type Plan, type Steps } from '../engine/plan.ts';
import { shellQuote } from '../engine/shell-quote.ts';
import { type FoundCounts, parseCommand, parseCounts, parsePaths } from '../engine/tool-output.ts';
import { cleanPath, isRootName } from '../language/paths.ts';
import type { Intent, IntentContext } from './intent.ts';

const place = '[(in|of|under|inside|within) {path:path} [(folder|directory|file)]]';
const mostFiles = 10;

/** "count the lines in src". */
export const countLinesIntent: Intent = {
  name: 'count lines and files',
  examples: ['count the lines in src', 'how many files are there'],
  patterns: [
    `count lines [of code] ${place}`,
    `how many lines [of code] [(are there|are|do we have|does it have)] ${place}`,
    'how many lines [of code] does {path:path} have',
    'how (long|big|large) is {path:path}',
    'wc {path:path}',
    `(what is|what's|what are|which is|which are|find|show|list) (biggest|largest|longest) (file|files) ${place}`,
  ],
  plan: ({ path }, context) => count(path, context),
};

export const countFilesIntent: Intent = {
  name: 'count files',
  examples: [],
  patterns: [`count files ${place}`, `how many files [(are there|are|do we have)] ${place}`],
  plan: ({ path }, context) => countPaths(path, context),
};

function* count(asked: string | undefined, context: IntentContext): Plan {
  const path = asked === undefined || isRootName(asked) ? undefined : cleanPath(asked);
  const result = yield* makeCall('Grep', { pattern: '^', ...(path ? { path } : {}), output_mode: 'count' });
  if (result.isError) return failed(explainFailure('Grep', result));
  const { counts, total, files } = parseCounts(result);
  if (counts.length === 0) return { text: `No text files${path ? ` in \`${path}\`` : ' here'}.` };
  const tracked = files > counts.length ? yield* longestOfGit(path, context) : undefined;
  const largest = [...(tracked ?? counts)].sort((a, b) => b.count - a.count).slice(0, mostFiles);
  const rows = largest.map((row) => `- ${row.path}: ${row.count.toLocaleString('en-US')}`);
  const first = `of the first ${counts.length.toLocaleString('en-US')} files`;
  const part = tracked ? ' of those in git' : files > counts.length ? ` ${first}` : '';
  const caption = files > mostFiles ? `The ${mostFiles} longest${part}:` : 'By file:';
  const head = `${countText(total, 'line')} in ${countText(files, 'text file')}${path ? ` in \`${path}\`` : ''}.`;
  return { text: [head, '', caption, ...rows].join('\n') };
}

/** The longest files where the search names only the first ones. */
function* longestOfGit(
  path: string | undefined,
  { tools }: IntentContext,
): Steps<FoundCounts['counts'] | undefined> {
  if (!tools.has('Bash')) return undefined;
  const command = `git grep -Ic '' -- ${shellQuote(path ?? '.')} | sort -t: -k2nr | head -n ${mostFiles}`;
  const result = yield* makeCall('Bash', { command });
  const rows = result.isError ? [] : parseCommand(result).text.split('\n');
  const counts = rows.flatMap((row) => {
    const [, file = '', count] = /^(.+):(\d+)$/.exec(row) ?? [];
    return count === undefined ? [] : [{ path: file, count: Number(count) }];
  });
  return counts.length === mostFiles ? counts : undefined;
}

function* countPaths(asked: string | undefined, { tools }: IntentContext): Plan {
  const path = asked === undefined || isRootName(asked) ? undefined : cleanPath(asked);
  const result = yield* makeCall('Glob', { pattern: '**/*', ...(path ? { path } : {}) });
  if (result.isError) return failed(explainFailure('Glob', result));
  const { folders, total, listed } = yield* countByFolder(parsePaths(result), { folder: path, tools });
  const rows = [...folders].map(([folder, files]) => `- ${folder}: ${files.toLocaleString('en-US')}`);
  const part = total > listed ? `; the first ${listed.toLocaleString('en-US')} by folder:` : ', by folder:';
  const head = `${countText(total, 'file')}${path ? ` in \`${path}\`` : ''}${rows.length > 0 ? part : '.'}`;
  return { text: [head, '', ...rows].join('\n') };
}
