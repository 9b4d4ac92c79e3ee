import { explainFailure } from '../engine/explain-failure.ts';
import { failed, makeCall, type Plan, type PlannedCall } from '../engine/plan.ts';
import { shellQuote } from '../engine/shell-quote.ts';
import { parsePaths } from '../engine/tool-output.ts';
import { cleanPath, escapeGlob, fileNameOf } from '../language/paths.ts';
import type { Intent } from './intent.ts';

/** "rename a.ts to b.ts": by `git mv`, or `mv` outside git. */
export const renameFileIntent: Intent = {
  name: 'rename or move a file',
  examples: ['rename src/old.ts to src/new.ts'],
  patterns: [
    'rename [file] {from:file} (to|into|as) {to:file}',
    'move [file] {from:file} (to|into|under) [folder] {to:path}',
    'mv {from:path} {to:path}',
  ],
  plan: ({ from = '', to = '' }) => move(cleanPath(from), to.replace(/^@(file:)?/, '')),
};

function* move(from: string, asked: string): Plan {
  const into = asked.endsWith('/') || (!/\../.test(fileNameOf(asked)) && /\../.test(fileNameOf(from)));
  const to = into ? `${cleanPath(asked)}/${fileNameOf(from)}` : renamed(from, cleanPath(asked));
  const folder = to.includes('/') ? to.slice(0, to.lastIndexOf('/')) : undefined;
  const searches = [
    { pattern: escapeGlob(from) },
    { pattern: escapeGlob(to) },
    ...(folder === undefined ? [] : [{ pattern: '*', path: folder }]),
  ];
  const listings = yield { calls: searches.map((input): PlannedCall => ({ tool: 'Glob', input })) };
  const denied = listings.find((listing) => listing.denied);
  if (denied) return failed(explainFailure('Glob', denied));
  const [source, target] = listings.map((listing) => parsePaths(listing).paths.length);
  if (!source) return failed(`File not found: \`${from}\`. Nothing was renamed.`);
  if (target) return failed(`\`${to}\` exists already. Nothing was renamed.`);
  // A folder may be there and hold nothing; only looking into one that is not there fails.
  if (folder !== undefined && listings[2]?.isError) {
    const command = `mkdir -p ${shellQuote(folder)}`;
    const made = yield* makeCall('Bash', { command });
    if (made.isError) return failed(explainFailure('Bash', made, command));
  }
  return yield* moveBy(`${shellQuote(from)} ${shellQuote(to)}`, { from, to });
}

function* moveBy(paths: string, { from, to }: { from: string; to: string }): Plan {
  const tracked = yield* makeCall('Bash', { command: `git mv ${paths}` });
  // git moves only what it tracks; anything else is a plain file.
  const moved =
    tracked.isError && !tracked.denied ? yield* makeCall('Bash', { command: `mv -n ${paths}` }) : tracked;
  if (moved.isError) return failed(explainFailure('Bash', moved, `git mv ${paths}`));
  return {
    text: `Renamed \`${from}\` to \`${to}\`. Imports of it were not changed; ask me to replace them.`,
  };
}

/** A bare new name stays in the folder of the old one. */
function renamed(from: string, to: string): string {
  if (to.includes('/') || !from.includes('/')) return to;
  return `${from.slice(0, from.lastIndexOf('/'))}/${to}`;
}
