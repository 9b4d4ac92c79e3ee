import { explainFailure } from '../engine/explain-failure.ts';
import { countByFolder, countOf } from '../engine/folder-summary.ts';
import { callTool, failed, type Plan } from '../engine/plan.ts';
import { parseCounts, parsePaths } from '../engine/tool-output.ts';
import { cleanPath, isRootName } from '../language/paths.ts';
import type { Intent } from './intent.ts';

const place = '[(in|of|under|inside|within) {path:path} [(folder|directory|file)]]';
const mostFiles = 10;

/** "count the lines in src". */
export const countLines: Intent = {
  name: 'count lines and files',
  examples: ['count the lines in src', 'how many files are there'],
  patterns: [
    `count lines [of code] ${place}`,
    `how many lines [of code] [(are there|are|do we have|does it have)] ${place}`,
    'how many lines [of code] does {path:path} have',
    'how (long|big|large) is {path:path}',
    'wc {path:path}',
  ],
  plan: ({ path }) => count(path),
};

export const countFiles: Intent = {
  name: 'count files',
  examples: [],
  patterns: [`count files ${place}`, `how many files [(are there|are|do we have)] ${place}`],
  plan: ({ path }) => countPaths(path),
};

function* count(asked: string | undefined): Plan {
  const path = asked === undefined || isRootName(asked) ? undefined : cleanPath(asked);
  const result = yield* callTool('Grep', { pattern: '^', ...(path ? { path } : {}), output_mode: 'count' });
  if (result.isError) return failed(explainFailure('Grep', result));
  const { counts, total, files } = parseCounts(result);
  if (counts.length === 0) return { text: `There are no text files${path ? ` in \`${path}\`` : ' here'}.` };
  const largest = [...counts].sort((a, b) => b.count - a.count).slice(0, mostFiles);
  const rows = largest.map((row) => `- ${row.path}: ${row.count.toLocaleString('en-US')}`);
  const caption = counts.length > mostFiles ? `The ${mostFiles} longest:` : 'By file:';
  const head = `${countOf(total, 'line')} in ${countOf(files, 'text file')}${path ? ` in \`${path}\`` : ''}.`;
  return { text: [head, '', caption, ...rows].join('\n') };
}

function* countPaths(asked: string | undefined): Plan {
  const path = asked === undefined || isRootName(asked) ? undefined : cleanPath(asked);
  const result = yield* callTool('Glob', { pattern: '**/*', ...(path ? { path } : {}) });
  if (result.isError) return failed(explainFailure('Glob', result));
  const { paths, total, notes } = parsePaths(result);
  const rows = [...countByFolder(paths)].map(([folder, files]) => `- ${folder}: ${files}`);
  const head = `${countOf(total, 'file')}${path ? ` in \`${path}\`` : ''}${rows.length > 0 ? ', by folder:' : '.'}`;
  return { text: [head, '', ...rows, ...notes].join('\n') };
}
