import { dirname, join, resolve } from 'node:path';
import {
  type Config,
  dialects,
  type HostEnvironment,
  ignoredFilesOf,
  processHost,
  projectRoot,
  readsFilesOf,
  userFolder,
} from '@robota-sdk/agent-config';
import { type Problem, sentence, warning } from '@robota-sdk/agent-core';
import { ignoreFileNames } from '@robota-sdk/agent-tools';
import { withoutExcluded } from './excluded-files.ts';
import { type FoundInstructions, instructionsIn, userInstructions } from './find-instructions.ts';
import { foreignness, isAboveProject } from './foreign-file.ts';
import { type InstructionFile, InstructionReader } from './instruction-reader.ts';
import { readOutputStyle } from './output-style.ts';
import { type RuleFile, readRules } from './read-rules.ts';
import { visibleInstructions } from './visible-instructions.ts';

/** Instructions from the files of a project and its user. */
export interface ProjectContext {
  /** Global ones first, then from the root of the file system down to the working directory. */
  readonly instructions: readonly InstructionFile[];
  /** Rules for certain files, which join when one of those is touched. */
  readonly rules?: readonly RuleFile[];
  /** Globs of files that are never read as instructions. */
  readonly excludes?: readonly string[];
  /** Replaces the built-in system prompt. */
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** The section "Compact Instructions" of the instruction files. */
  readonly compactInstructions?: string;
  /** Files that were not read, and those with hidden text. */
  readonly problems?: readonly Problem[];
}

export interface LoadContextOptions {
  readonly host?: HostEnvironment;
  /** The settings that select ignore files. Default: the default settings. */
  readonly config?: Promise<Pick<Config, 'settings'>>;
}

/** Finds the instruction files that apply in a directory. */
export async function loadContext(
  directory: string,
  options: LoadContextOptions = {},
): Promise<ProjectContext> {
  const host = options.host ?? (await processHost());
  const cwd = resolve(directory);
  const problems: Problem[] = [];
  const reader = new InstructionReader({ home: host.home, problems });
  const own = (path: string) => (readsFilesOf(host, 'user') ? reader.readText(path, undefined) : undefined);
  const supplied = (path: string) =>
    readsFilesOf(host, 'project') ? reader.readText(path, projectRoot(cwd)) : undefined;
  const read = await loadInstructions(cwd, host, { reader, problems });
  const settings = (await options.config)?.settings ?? { ignoreFiles: ignoreFileNames };
  const workspace = { cwd, additional: [], home: host.home };
  const visible = visibleInstructions(ignoredFilesOf({ settings, host }, workspace), projectRoot(cwd));
  const excludes = 'claudeMdExcludes' in settings ? settings.claudeMdExcludes : [];
  const instructions = withoutExcluded(visible.of(read.instructions, problems), excludes);
  const rules = withoutExcluded(visible.of(read.rules, problems), excludes);
  const prompts = dialects.filter((dialect) => dialect.prompts);
  const ofProject = (name: string) =>
    prompts.map(({ projectFolder }) => supplied(join(cwd, projectFolder, name))).find(Boolean);
  const ofUser = (name: string) =>
    prompts.map((dialect) => own(join(userFolder(dialect, host), name))).find(Boolean);
  const systemPrompt = ofProject('SYSTEM.md') ?? ofUser('SYSTEM.md');
  const wantedStyle = 'outputStyle' in settings ? settings.outputStyle : undefined;
  const style = await readOutputStyle(wantedStyle, { cwd, host, reader, problems });
  const appendSystemPrompt = joinTexts([ofUser('APPEND_SYSTEM.md'), ofProject('APPEND_SYSTEM.md'), style]);
  const compactInstructions = joinTexts(instructions.map(({ text }) => compactSection(text)));
  return {
    instructions,
    ...(rules.length === 0 ? {} : { rules }),
    ...(excludes.length === 0 ? {} : { excludes }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(appendSystemPrompt === '' ? {} : { appendSystemPrompt }),
    ...(compactInstructions === '' ? {} : { compactInstructions }),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

function joinTexts(texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join('\n\n');
}

interface Reading {
  readonly reader: InstructionReader;
  readonly problems: Problem[];
}

async function loadInstructions(
  cwd: string,
  host: HostEnvironment,
  { reader, problems }: Reading,
): Promise<{ instructions: InstructionFile[]; rules: RuleFile[] }> {
  const instructions: InstructionFile[] = [];
  const rules: RuleFile[] = [];
  const take = async (found: FoundInstructions, directory: string, root: string | undefined) => {
    const accepts = (path: string) => root !== undefined || directory === cwd || isOwn(path, problems);
    // One after the other, so that a file named twice is included at its first position.
    for (const path of found.files) if (accepts(path)) instructions.push(...(await reader.read(path, root)));
    for (const folder of found.rules) {
      const { always, sometimes } = await readRules(folder, { directory, root, reader, accepts });
      instructions.push(...always);
      rules.push(...sometimes);
    }
  };
  // The user's own rules have no directory: their globs start in the working directory.
  if (readsFilesOf(host, 'user')) await take(userInstructions(host), cwd, undefined);
  if (!readsFilesOf(host, 'project')) return { instructions: distinct(instructions), rules };
  const repository = projectRoot(cwd);
  for (const directory of ancestors(cwd))
    await take(instructionsIn(directory), directory, isAboveProject(directory, cwd) ? undefined : repository);
  return { instructions: distinct(instructions), rules };
}

/** From the root down to the directory itself. */
function ancestors(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [...ancestors(parent), directory];
}

/** CLAUDE.md is often a link to AGENTS.md or a copy of it: equal texts are included once. */
function distinct(files: readonly InstructionFile[]): InstructionFile[] {
  return files.filter(
    (file, index) =>
      !files
        .slice(0, index)
        .some((other) => other.text === file.text && dirname(other.path) === dirname(file.path)),
  );
}

/** Above the project, as in /tmp, other users may have left a file. */
function isOwn(path: string, problems: Problem[]): boolean {
  const why = foreignness(path);
  if (why !== undefined) {
    const message = sentence`The file was not read: ${{ reason: why }}, and it is above the project.`;
    problems.push(warning('instructions.unread', message, { source: { file: path }, isInactive: true }));
  }
  return why === undefined;
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
