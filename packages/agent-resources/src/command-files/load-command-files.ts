import type { HostEnvironment, ResourceFolder, TrustGate } from '@robota-sdk/agent-config';
import type { Command, Extension, Problem } from '@robota-sdk/agent-core';
import { isProblem } from '@robota-sdk/agent-core';
import { folderTitle } from '../files/folder-title.ts';
import type { NamesInFile } from '../files/names-in-file.ts';
import { ActiveSkills } from '../skills/active-skills.ts';
import type { ResourceHost } from '../source/resource-host.ts';
import { type FileCommandServices, fileCommand } from './file-command.ts';
import { type FoundCommand, findCommandFiles } from './find-command-files.ts';
import { readCommandFile } from './read-command-file.ts';

export interface CommandFilesOptions {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly trust?: TrustGate | undefined;
}

/** The commands of files by folder, and problems of some of them. */
export interface LoadedCommands {
  readonly extensions: readonly Extension<ResourceHost>[];
  /** The names that the files refer to. */
  readonly names: readonly NamesInFile[];
  readonly problems: readonly Problem[];
}

/** Reads the front matter of command files, the strongest folder first. */
export async function loadCommandFiles(
  folders: readonly ResourceFolder[],
  options: CommandFilesOptions,
): Promise<LoadedCommands> {
  const found = folders.map(findCommandFiles).filter((files) => files.length > 0);
  if (found.length === 0) return { extensions: [], names: [], problems: [] };
  const { cwd, host, trust } = options;
  const workspace = { cwd, additional: [], home: host.home };
  const parts = { trust, active: new ActiveSkills({ workspace, trust }) };
  const read = await Promise.all(
    found.map((files) => Promise.all(files.map((file) => readOne(file, parts)))),
  );
  const isNew = notSeenBefore();
  const extensions = read.flatMap((files, index): Extension<ResourceHost>[] => {
    const commands = files.flatMap((file) => (file.command && isNew(file) ? [file.command] : []));
    const folder = found[index]?.[0]?.folder;
    return folder && commands.length > 0 ? [extensionOf(commands, folderTitle(folder, workspace))] : [];
  });
  return {
    extensions: [limitsOf(parts), ...extensions],
    names: read.flat().flatMap(({ names }) => names ?? []),
    problems: read.flat().flatMap(({ problems }) => problems),
  };
}

interface ReadCommand {
  readonly command?: Command<ResourceHost>;
  readonly body: string;
  readonly names?: NamesInFile;
  readonly problems: readonly Problem[];
}

async function readOne(found: FoundCommand, parts: FileCommandServices): Promise<ReadCommand> {
  const file = await readCommandFile(found);
  if (isProblem(file)) return { body: '', problems: [file] };
  const { body, problems, allowedTools = [], model } = file;
  const names = { path: found.path, tools: allowedTools, model };
  return { command: fileCommand(found, file, parts), body, names, problems };
}

/** The same text under the same name in two folders is one command, as with folders that link to each other. */
function notSeenBefore(): (file: ReadCommand) => boolean {
  const seen = new Map<string, string>();
  return ({ command, body }) => {
    const name = command?.name ?? '';
    const before = seen.get(name);
    if (before === undefined) seen.set(name, body);
    return before !== body;
  };
}

function limitsOf({ active }: FileCommandServices): Extension<ResourceHost> {
  return { name: 'command files', setup: (host) => host.hook('tool-before', active.toolBefore) };
}

function extensionOf(commands: readonly Command<ResourceHost>[], name: string): Extension<ResourceHost> {
  return {
    name,
    setup: (host) => {
      for (const command of commands) host.command(command);
    },
  };
}
