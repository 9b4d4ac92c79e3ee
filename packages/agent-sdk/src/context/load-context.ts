import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorMessage } from '@robota-sdk/agent-core';
import { isMissing } from '../config/is-missing.ts';
import { processHost } from '../config/load-config.ts';
import { dialects, type HostEnvironment, userFolder } from '../dialects.ts';
import { projectPaths, userPaths } from '../paths.ts';
import { foreignness, isAboveProject } from './foreign-file.ts';
import { revealText } from './hidden-text.ts';

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
  /** Files that were left out, and those with hidden text; one line each. */
  readonly warnings?: readonly string[];
}

const instructionNames = ['AGENTS.md', 'CLAUDE.md'];

/** A file this long would eat the window; the rest is left out and named. */
const maxInstructionCharacters = 40_000;

/** Finds the instruction files that apply in a directory. */
export async function loadContext(
  directory: string,
  options: { host?: HostEnvironment } = {},
): Promise<ProjectContext> {
  const host = options.host ?? (await processHost());
  const cwd = resolve(directory);
  const warnings: string[] = [];
  const read = (path: string) => readText(path, warnings);
  const [project, user] = [projectPaths(cwd), userPaths(host)];
  const [instructions, systemPrompt, appended] = await Promise.all([
    loadInstructions(instructionPaths(cwd, host), (path) =>
      isForeign(path, cwd, warnings) ? undefined : read(path),
    ),
    firstOf(read(project.systemPrompt), read(user.systemPrompt)),
    Promise.all([read(user.appendSystemPrompt), read(project.appendSystemPrompt)]),
  ]);
  const appendSystemPrompt = joinTexts(appended);
  const compactInstructions = joinTexts(instructions.map(({ text }) => compactSection(text)));
  return {
    instructions,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(appendSystemPrompt === '' ? {} : { appendSystemPrompt }),
    ...(compactInstructions === '' ? {} : { compactInstructions }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

type ReadText = (path: string) => Promise<string | undefined> | undefined;

async function firstOf(
  strong: Promise<string | undefined>,
  weak: Promise<string | undefined>,
): Promise<string | undefined> {
  const [first, second] = await Promise.all([strong, weak]);
  return first ?? second;
}

function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join('\n\n');
}

function instructionPaths(cwd: string, host: HostEnvironment): string[] {
  const global = dialects.flatMap((dialect) =>
    dialect.userInstructions.map((name) => join(userFolder(dialect, host), name)),
  );
  const local = ancestors(cwd).flatMap((directory) => instructionNames.map((name) => join(directory, name)));
  return [...new Set([...global, ...local])];
}

async function loadInstructions(paths: readonly string[], read: ReadText): Promise<InstructionFile[]> {
  const files = await Promise.all(paths.map((path) => readInstruction(path, read)));
  return distinct(files.filter((file) => file !== undefined));
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

async function readInstruction(path: string, read: ReadText): Promise<InstructionFile | undefined> {
  const text = await read(path);
  if (text === undefined) return undefined;
  if (text.length <= maxInstructionCharacters) return { path, text };
  // Half a character at the end would make the request invalid for some vendors.
  const start = text.slice(0, maxInstructionCharacters).replace(/[\ud800-\udbff]$/, '');
  return { path, text: `${start}\n[${text.length - start.length} more characters; read the file for them]` };
}

const missing: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

async function readText(path: string, warnings: string[]): Promise<string | undefined> {
  if (isMissing(path)) return undefined;
  const text = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (!missing.has(thrown.code)) warnings.push(`${path} can not be read: ${errorMessage(thrown)}`);
    return undefined;
  });
  const trimmed = text?.replace(/^\ufeff/, '').trim();
  return trimmed ? revealed(path, trimmed, warnings) : undefined;
}

/** What a person can't see in a file, a model must not be told by it. */
function revealed(path: string, written: string, warnings: string[]): string {
  const { text, removed, escaped } = revealText(written);
  const taken = removed === 0 ? [] : [`${removed} invisible tag characters were taken out`];
  const spelt = escaped === 0 ? [] : [`${escaped} controls of the text direction are spelt out`];
  const found = [...taken, ...spelt].join(', ');
  if (found !== '')
    warnings.push(`${path} holds hidden text: ${found}. Look at the file before you rely on it.`);
  return text;
}

/** Above the project somebody else may have left a file for everybody who works below, as in /tmp. */
function isForeign(path: string, cwd: string, warnings: string[]): boolean {
  if (isMissing(path) || !isAboveProject(dirname(path), cwd)) return false;
  const why = foreignness(path);
  if (why !== undefined) warnings.push(`${path} was not read: ${why}, and it is above the project.`);
  return why !== undefined;
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
