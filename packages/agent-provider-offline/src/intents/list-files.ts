import { type FileScope, folderSummary } from '../engine/count-files.ts';
import { explainFailure } from '../engine/explain-failure.ts';
import { failed, makeCall, type Plan } from '../engine/plan.ts';
import { parsePaths } from '../engine/tool-output.ts';
import { cleanPath, isRootName } from '../language/paths.ts';
import type { Intent, IntentContext } from './intent.ts';

const extensions: Readonly<Record<string, string>> = {
  typescript: '{ts,tsx,mts,cts}',
  javascript: '{js,jsx,mjs,cjs}',
  python: 'py',
  markdown: 'md',
  rust: 'rs',
  yaml: '{yml,yaml}',
  ruby: 'rb',
  shell: 'sh',
  test: '{test,spec}.*',
};
const place = '[(in|under|inside|from|within|at) {path:path} [(folder|directory|dir)]]';

/** "list the files in src", "show the tree". */
export const listFilesIntent: Intent = {
  name: 'list files',
  examples: ['list the files in src', 'show the tree', 'list the markdown files'],
  patterns: [
    `(list|show|print|display|get|see) (files|folders|directories|contents|content|tree|everything|files and folders) ${place}`,
    `(list|show|print|draw|display) (file|directory|project|folder) (tree|structure|list|layout) ${place}`,
    '(show|print|draw|display|list) (structure|layout) [(project|repo|repository|codebase|code)]',
    `(list|show|print|display) {kind:word} files ${place}`,
    `(what|which) files (are|exist|do we have|can you see) [there] ${place}`,
    `what files are there ${place}`,
    `(what is|what's|whats) (in|inside) {path:path} [(folder|directory|dir)]`,
    'list {path:path} [(folder|directory|dir)]',
    '(ls|dir|tree) [{path:path}]',
    'list',
  ],
  plan: ({ path, kind }, context) => listPath(path, context, kind),
};

/** Lists a folder, wherever in the tree a folder of that name is. */
export function* listPath(asked: string | undefined, { tools }: IntentContext, kind?: string): Plan {
  const path = asked === undefined || isRootName(asked) ? undefined : cleanPath(asked);
  const names =
    kind === undefined ? '*' : `*.${extensions[kind.toLowerCase()] ?? kind.replace(/^[*.]+/, '')}`;
  const direct = yield* makeCall('Glob', { pattern: `**/${names}`, ...(path === undefined ? {} : { path }) });
  const found = parsePaths(direct);
  if (found.paths.length > 0)
    return {
      text: yield* folderSummary(found, path === undefined ? 'this folder' : `\`${path}\``, {
        folder: path,
        names,
        tools,
      }),
    };
  if (direct.denied || (direct.isError && path === undefined)) return failed(explainFailure('Glob', direct));
  if (path === undefined) return { text: `No files match \`**/${names}\` here.` };
  return yield* listDeeper(path, { names, tools });
}

function* listDeeper(path: string, { names = '*', tools }: FileScope): Plan {
  const deeper = yield* makeCall('Glob', { pattern: `**/${path}/**/${names}` });
  if (deeper.denied) return failed(explainFailure('Glob', deeper));
  const found = parsePaths(deeper);
  if (found.paths.length === 0)
    return failed(`No folder \`${path}\` here, nor a folder of that name deeper down that holds files.`);
  const folders = [...new Set(found.paths.map((file) => folderNamed(file, path)))];
  const where = folders.map((folder) => `\`${folder}\``).join(', ');
  const summary = yield* folderSummary(found, 'them', { folder: `*/${path}`, names, tools });
  return { text: `There is no \`${path}\` at the root; I found it deeper, as ${where}.\n\n${summary}` };
}

function folderNamed(file: string, name: string): string {
  const at = `/${file}`.indexOf(`/${name}/`);
  return at < 0 ? name : file.slice(0, at + name.length);
}
