import { countText } from '../engine/folder-summary.ts';
import { failed, type Plan } from '../engine/plan.ts';
import { cleanPath } from '../language/paths.ts';
import { outline } from '../outline/outline.ts';
import type { Intent, IntentContext } from './intent.ts';
import { listPath } from './list-files.ts';
import { readAnywhere } from './read-file.ts';

const verb = '(explain|outline|summarize|summarise|describe|analyze|analyse)';

/** "explain src/index.ts": imports, declarations, headings or keys, with line numbers. */
export const outlineFileIntent: Intent = {
  name: 'outline a file',
  examples: ['explain src/index.ts', 'outline README.md'],
  patterns: [
    `${verb} [file] {path:file} [file]`,
    `${verb} file {path:path}`,
    'what does [file] {path:file} do',
    "(what is|what's) [file] {path:file} [(about|for)]",
    'give me outline (of|for) {path:path}',
    'outline {path:path}',
  ],
  plan: ({ path = '' }, context) => explainFile(cleanPath(path), context),
};

/** "explain the src folder": its files. */
export const outlineFolderIntent: Intent = {
  name: 'outline a folder',
  examples: [],
  patterns: [`${verb} (folder|directory) {path:path}`, `${verb} {path:path} (folder|directory)`],
  plan: ({ path }, context) => listPath(path, context),
};

function* explainFile(asked: string, context: IntentContext): Plan {
  const found = yield* readAnywhere(asked);
  if (!found.ok) return found.isDirectory ? yield* listPath(asked, context) : failed(found.reason);
  const { path, file } = found;
  if (file.lines.length === 0) return { text: `\`${path}\`: ${found.text.trim() || 'an empty file'}` };
  const characters = file.lines.reduce((sum, line) => sum + line.length + 1, 0);
  const size =
    file.next !== undefined
      ? `its first ${countText(file.lines.length, 'line')}`
      : `${countText(file.lines.length, 'line')}, ${countText(characters, 'character')}`;
  const rows = outline(path, file.lines);
  return {
    text: [`\`${path}\`: ${size}. An outline by rules (I do not understand code):`, '', ...rows].join('\n'),
  };
}
