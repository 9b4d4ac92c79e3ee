import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { completeInput, type InteractiveSession } from '@robota-sdk/agent-sdk/front-end';
import type { CompletionsPage } from '../contract/session.ts';

const mostCompletions = 50;

/** Completes what is typed on a page. Files are those of the project, without hidden ones; a terminal names any. */
export async function pageCompletions(session: InteractiveSession, text: string): Promise<CompletionsPage> {
  const { start, items } = await completeInput(session, text);
  const root = await realpath(session.place.cwd);
  const shown = await Promise.all(
    items.slice(0, mostCompletions).map(async (item) => ((await isPrivate(item.value, root)) ? [] : [item])),
  );
  return { start, items: shown.flat() };
}

/** True for files outside of a folder, also behind a link in it, and for hidden ones; commands and agents are no files. */
async function isPrivate(value: string, root: string): Promise<boolean> {
  const path = value.replace(/^@(?:file:)?/, '').replaceAll('"', '');
  if (path.startsWith('~')) return true;
  const real = await realpath(resolve(root, path)).catch(() => undefined);
  return real !== undefined && [path, relative(root, real)].some(isHiddenOrOutside);
}

function isHiddenOrOutside(path: string): boolean {
  return resolve(path) === path || path.split(sep).some((part) => part.startsWith('.') && part !== '.');
}
