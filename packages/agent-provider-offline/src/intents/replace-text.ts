import { changeFiles } from '../engine/change-files.ts';
import { explainFailure } from '../engine/explain-failure.ts';
import { failed, type Plan } from '../engine/plan.ts';
import { type FileText, parsePaths } from '../engine/tool-output.ts';
import type { Intent } from './intent.ts';
import { grep, inPlace } from './search-text.ts';

const things = '[(occurrences|occurrence|instances|text|string|word|words)]';
const everywhere =
  '(everywhere|in all files|in files|across files|across project|across repo|throughout|in project)';

/** "replace foo with bar in src": the exact text, in every file that has it. */
export const replaceTextIntent: Intent = {
  name: 'replace text',
  examples: ['replace foo with bar in src', "replace 'old text' by 'new text' everywhere"],
  patterns: [
    `(replace|substitute|change) ${things} [of] {from:text} (with|by|to|into) {to:text} ${everywhere}`,
    `(replace|substitute|change) ${things} [of] {from:text} (with|by|to|into) {to:text} (in|under|within|inside|across) [(file|folder|directory)] {path:path} [(folder|directory|file)]`,
    `in {path:path} (replace|substitute|change) ${things} [of] {from:text} (with|by|to|into) {to:text}`,
    `replace ${things} [of] {from:text} (with|by) {to:text}`,
  ],
  plan: ({ from = '', to = '', path }) => replace({ from, to, path }),
};

function* replace({ from, to, path }: { from: string; to: string; path: string | undefined }): Plan {
  if (from === to) return { text: 'Both texts are the same; there is nothing to replace.' };
  const multiline = from.includes('\n') ? { multiline: true } : {};
  const found = yield* grep({ pattern: from, literal: true, ...multiline, output_mode: 'files' }, path);
  if (found.isError) return failed(explainFailure('Grep', found));
  const { paths, total } = parsePaths(found);
  if (paths.length === 0) return { text: `\`${from}\` does not occur${inPlace(path)}. Nothing was changed.` };
  const change = ({ lines }: FileText) => {
    const places = lines.join('\n').split(from).length - 1;
    return places === 0
      ? undefined
      : { places, edit: { old_string: from, new_string: to, replace_all: true } };
  };
  return yield* changeFiles({ paths, total, done: `Replaced \`${from}\` with \`${to}\``, change });
}
