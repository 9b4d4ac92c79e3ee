import { basename, join } from 'node:path';
import {
  dialects,
  entriesIn,
  type HostEnvironment,
  parseFrontMatter,
  projectRoot,
  readsFilesOf,
  userFolder,
} from '@robota-sdk/agent-config';
import { isMissing, type Problem, sentence, warning } from '@robota-sdk/agent-core';
import type { InstructionReader } from './instruction-reader.ts';

export interface OutputStyleContext {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly reader: InstructionReader;
  readonly problems: Problem[];
}

/** The text of an output style, by the name of its file or in its front matter; undefined if there is none. */
export async function readOutputStyle(
  wanted: string | undefined,
  { cwd, host, reader, problems }: OutputStyleContext,
): Promise<string | undefined> {
  const name = wanted?.trim().toLowerCase() ?? 'default';
  if (name === 'default' || name === '') return undefined;
  const folders = dialects.flatMap((dialect) => {
    const { outputStyles } = dialect;
    if (outputStyles === undefined) return [];
    const ofProject = { path: join(cwd, dialect.projectFolder, outputStyles), root: projectRoot(cwd) };
    const ofUser = { path: join(userFolder(dialect, host), outputStyles), root: undefined };
    return [
      ...(readsFilesOf(host, 'project') ? [ofProject] : []),
      ...(readsFilesOf(host, 'user') ? [ofUser] : []),
    ];
  });
  const known: string[] = [];
  for (const { path, root } of folders.filter((folder) => !isMissing(folder.path)))
    for (const { path: file } of entriesIn(path, { root }).filter((entry) => entry.name.endsWith('.md'))) {
      const { data, body } = await parseFrontMatter(reader.readText(file, root) ?? '');
      const names = [basename(file, '.md'), ...(typeof data.name === 'string' ? [data.name] : [])];
      if (names.some((each) => each.toLowerCase() === name)) return body.trim();
      known.push(basename(file, '.md'));
    }
  const hint =
    known.length === 0
      ? 'Robota has no styles of its own. Put one into ~/.claude/output-styles/NAME.md.'
      : `Available: ${known.join(', ')}.`;
  const message = sentence`Unknown output style "${{ style: wanted ?? '' }}".`;
  problems.push(warning('style.unknown', message, { subject: 'outputStyle', hint }));
  return undefined;
}
