import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { processHost } from '../config/load-config.ts';
import { dialects, type HostEnvironment, userFolder } from '../dialects.ts';
import { projectPaths, userPaths } from '../paths.ts';

/** A file whose text tells the model how to work here. */
export interface InstructionFile {
  readonly path: string;
  readonly text: string;
}

/** What the files of a project and its user say to the model. */
export interface ProjectContext {
  /** Global ones first, then from the root of the file system down to the working directory. */
  readonly instructions: readonly InstructionFile[];
  /** Replaces the built-in system prompt. */
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** The section "Compact Instructions" of the instruction files. */
  readonly compactInstructions?: string;
}

const instructionNames = ['AGENTS.md', 'CLAUDE.md'];

/** A file this long would eat the window; the rest is left out and named. */
const maxInstructionCharacters = 40_000;

/** Finds the instruction files that apply in a directory. */
export async function loadContext(
  cwd: string,
  options: { host?: HostEnvironment } = {},
): Promise<ProjectContext> {
  const host = options.host ?? (await processHost());
  const globalPaths = dialects.flatMap((dialect) =>
    dialect.userInstructions.map((name) => join(userFolder(dialect, host), name)),
  );
  const ancestorPaths = ancestors(cwd).flatMap((directory) =>
    instructionNames.map((name) => join(directory, name)),
  );
  const paths = [...new Set([...globalPaths, ...ancestorPaths])];
  const files = await Promise.all(paths.map(readInstruction));
  const instructions = distinct(files.filter((file) => file !== undefined));
  const project = projectPaths(cwd);
  const user = userPaths(host);
  const systemPrompt = (await readText(project.systemPrompt)) ?? (await readText(user.systemPrompt));
  const append = [await readText(user.appendSystemPrompt), await readText(project.appendSystemPrompt)];
  const appendSystemPrompt = append.filter((text) => text !== undefined).join('\n\n');
  const compactInstructions = instructions
    .map(({ text }) => compactSection(text))
    .filter(Boolean)
    .join('\n\n');
  return {
    instructions,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(appendSystemPrompt === '' ? {} : { appendSystemPrompt }),
    ...(compactInstructions === '' ? {} : { compactInstructions }),
  };
}

/** From the root down to the directory itself. */
function ancestors(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [...ancestors(parent), directory];
}

/** CLAUDE.md is often a link to AGENTS.md or a copy of it: the same text beside itself says nothing new. */
function distinct(files: readonly InstructionFile[]): InstructionFile[] {
  return files.filter(
    (file, index) =>
      !files
        .slice(0, index)
        .some((other) => other.text === file.text && dirname(other.path) === dirname(file.path)),
  );
}

async function readInstruction(path: string): Promise<InstructionFile | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  if (text.length <= maxInstructionCharacters) return { path, text };
  const rest = text.length - maxInstructionCharacters;
  return {
    path,
    text: `${text.slice(0, maxInstructionCharacters)}\n[${rest} more characters; read the file for them]`,
  };
}

async function readText(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** The body of a Markdown section headed "Compact Instructions", up to the next heading of its level. */
function compactSection(markdown: string): string {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => /^#{1,6}\s+compact instructions\s*$/i.test(line));
  if (start < 0) return '';
  const level = lines[start]?.match(/^#+/)?.[0].length ?? 1;
  const length = lines
    .slice(start + 1)
    .findIndex((line) => (line.match(/^(#{1,6})\s/)?.[1]?.length ?? 7) <= level);
  return lines
    .slice(start + 1, length < 0 ? undefined : start + 1 + length)
    .join('\n')
    .trim();
}
