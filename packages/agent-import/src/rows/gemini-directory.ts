import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isJsonObject, orElse } from '@robota-sdk/agent-core';
import { parseObject } from '../source/read-json-lines.ts';

/**
 * The directory of a chat of Gemini CLI, which keeps only a hash of it: named in a file beside the chats, or one of the
 * projects that it knows.
 */
export function geminiDirectory(path: string, projectHash: string): string | undefined {
  for (let folder = dirname(path), depth = 0; depth < 3; folder = dirname(folder), depth++) {
    if (basename(folder) !== 'chats') continue;
    const project = dirname(folder);
    const named = textOf(join(project, '.project_root'))?.trim();
    if (named) return named;
    const registry = parseObject(textOf(join(project, '../../projects.json')));
    const projects = isJsonObject(registry?.projects) ? registry.projects : {};
    return Object.keys(projects).find(
      (each) => projects[each] === basename(project) || isProject(each, projectHash),
    );
  }
  return undefined;
}

/** True if a hash of Gemini CLI is that of a directory. */
export function isProject(directory: string, projectHash: string): boolean {
  return createHash('sha256').update(directory).digest('hex') === projectHash;
}

function textOf(path: string): string | undefined {
  return orElse(() => readFileSync(path, 'utf8'), undefined);
}
