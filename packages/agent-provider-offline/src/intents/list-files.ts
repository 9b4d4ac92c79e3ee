import { explainFailure } from '../engine/explain-failure.ts';
import { folderSummary } from '../engine/folder-summary.ts';
import { callTool, failed, type Plan } from '../engine/plan.ts';
import { parsePaths } from '../engine/tool-output.ts';
import { cleanPath, isRootName } from '../language/paths.ts';
import type { Intent } from './intent.ts';

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
export const listFiles: Intent = {
  name: 'list files',
  examples: ['list the files in src', 'show the tree', 'list the markdown files'],
  patterns: [
    `(list|show|print|display|get|see) (files|folders|directories|contents|content|tree|everything|files and folders) ${place}`,
    `(list|show|print|draw|display) (file|directory|project|folder) (tree|structure|list|layout) ${place}`,
    `(list|show|print|display) {kind:word} files ${place}`,
    `(what|which) files (are|exist|do we have|can you see) [there] ${place}`,
    `what files are there ${place}`,
    `(what is|what's|whats) (in|inside) {path:path} [(folder|directory|dir)]`,
    'list {path:path} [(folder|directory|dir)]',
    '(ls|dir|tree) [{path:path}]',
    'list',
  ],
  plan: ({ path, kind }) => listPath(path, kind),
};

/** Lists a folder, wherever in the tree a folder of that name is. */
export function* listPath(asked: string | undefined, kind?: string): Plan {
  const path = asked === undefined || isRootName(asked) ? undefined : cleanPath(asked);
  const names =
    kind === undefined ? '*' : `*.${extensions[kind.toLowerCase()] ?? kind.replace(/^[*.]+/, '')}`;
  const direct = yield* callTool('Glob', { pattern: `**/${names}`, ...(path === undefined ? {} : { path }) });
  const found = parsePaths(direct);
  if (found.paths.length > 0)
    return { text: folderSummary(found, path === undefined ? 'this folder' : `\`${path}\``) };
  if (direct.denied || (direct.isError && path === undefined)) return failed(explainFailure('Glob', direct));
  if (path === undefined) return { text: `There are no files matching \`**/${names}\` here.` };
  return yield* listDeeper(path, names);
}

function* listDeeper(path: string, names: string): Plan {
  const deeper = yield* callTool('Glob', { pattern: `**/${path}/**/${names}` });
  if (deeper.denied) return failed(explainFailure('Glob', deeper));
  const found = parsePaths(deeper);
  if (found.paths.length === 0)
    return failed(
      `There is no folder \`${path}\` here, nor a folder of that name deeper down that holds files.`,
    );
  const folders = [...new Set(found.paths.map((file) => folderNamed(file, path)))];
  const where = folders.map((folder) => `\`${folder}\``).join(', ');
  return {
    text: `There is no \`${path}\` at the root; I found it deeper, as ${where}.\n\n${folderSummary(found, 'them')}`,
  };
}

function folderNamed(file: string, name: string): string {
  const at = `/${file}`.indexOf(`/${name}/`);
  return at < 0 ? name : file.slice(0, at + name.length);
}
