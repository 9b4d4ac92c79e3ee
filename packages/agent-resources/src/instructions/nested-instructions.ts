import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Access,
  describeProblem,
  type Hook,
  type IgnoredFiles,
  isInWorkspace,
  isWithin,
  type Message,
  orElse,
  type Problem,
  realPathOf,
  relativePath,
  repositoryOf,
  type Workspace,
} from '@robota-sdk/agent-core';
import { withoutExcluded } from './excluded-files.ts';
import { instructionsIn } from './find-instructions.ts';
import { instructionElement, instructionPathsIn } from './instruction-element.ts';
import { type InstructionFile, InstructionReader } from './instruction-reader.ts';
import type { ProjectContext } from './load-context.ts';
import { type RuleFile, readRules } from './read-rules.ts';
import { visibleInstructions } from './visible-instructions.ts';

/** A conversation that nested instructions join. */
export interface InstructionTarget {
  readonly id: string;
  /** Replaced by another array whenever messages may have left the conversation. */
  readonly messages: readonly Message[];
}

export interface NestedInstructionsOptions {
  readonly workspace: Workspace;
  readonly ignored: IgnoredFiles;
  /** The instructions that are in the system prompt already. */
  context(): ProjectContext;
  warn(problem: Problem): void;
}

/** The instructions that a conversation already contains. */
interface Told {
  readonly conversation: InstructionTarget;
  messages: readonly Message[] | undefined;
  readonly paths: Set<string>;
}

/**
 * Adds a folder's instructions when something in it is touched: with the result of that call, so that the prompt stays
 * unchanged, once, and again after they have left the conversation.
 */
export class NestedInstructions {
  readonly #options: NestedInstructionsOptions;
  readonly #told = new Map<string, Told>();
  readonly #warned = new Set<string>();

  constructor(options: NestedInstructionsOptions) {
    this.#options = options;
  }

  /** Follows a conversation; calls of other conversations are ignored. */
  follow(conversation: InstructionTarget): void {
    this.#told.set(conversation.id, { conversation, messages: undefined, paths: new Set() });
  }

  /** Releases a conversation that is over. */
  forget(id: string): void {
    this.#told.delete(id);
  }

  /** The hook that does it. */
  readonly hook: Hook<'tool-after'> = async ({ output, access = [], sessionId }) => {
    const told = sessionId === undefined ? undefined : this.#told.get(sessionId);
    const touched = output.isError ? [] : access.flatMap((each) => pathOf(each));
    if (!told || touched.length === 0) return undefined;
    this.#recall(told);
    const files: InstructionFile[] = [];
    for (const path of new Set(touched)) files.push(...(await this.#newFor(path, told)));
    return files.length === 0 ? undefined : { context: files.map(instructionElement).join('\n') };
  };

  /** After a compaction, a move to another branch or a resume, only instructions still in the conversation count. */
  #recall(told: Told): void {
    const { messages } = told.conversation;
    if (messages === told.messages) return;
    told.messages = messages;
    told.paths.clear();
    for (const message of messages)
      if (message.role === 'tool')
        for (const path of instructionPathsIn(message.content)) told.paths.add(path);
  }

  async #newFor(path: string, { paths }: Told): Promise<readonly InstructionFile[]> {
    const { workspace, context, ignored } = this.#options;
    const { instructions, rules = [], excludes = [] } = context();
    const given = new Set(instructions.map((file) => file.path));
    const isNew = (file: InstructionFile) => !given.has(file.path) && !paths.has(file.path);
    const problems: Problem[] = [];
    const reader = new InstructionReader({ home: workspace.home, problems });
    const found: InstructionFile[] = [...matching(rules, path)];
    for (const directory of foldersAround(path, workspace)) {
      const here = await this.#in(directory, reader);
      found.push(...here.always, ...matching(here.sometimes, path));
    }
    const root = repositoryOf(workspace.cwd) ?? workspace.cwd;
    const visible = visibleInstructions(ignored, root).of(found.filter(isNew), problems);
    const fresh = withoutExcluded(visible, excludes);
    this.#tell(problems);
    for (const file of fresh) paths.add(file.path);
    return fresh;
  }

  async #in(directory: string, reader: InstructionReader) {
    const { files, rules } = instructionsIn(directory);
    const { cwd } = this.#options.workspace;
    const root = repositoryOf(directory) ?? (isWithin(cwd, directory) ? cwd : directory);
    // A link out of the workspace could include files that the model may not read.
    const accepts = (path: string) => isInWorkspace(realPathOf(path), this.#options.workspace);
    const always: InstructionFile[] = [];
    const sometimes: RuleFile[] = [];
    for (const path of files) if (accepts(path)) always.push(...(await reader.read(path, root)));
    for (const folder of rules) {
      const read = await readRules(folder, { directory, root, reader, accepts });
      always.push(...read.always);
      sometimes.push(...read.sometimes);
    }
    return { always, sometimes };
  }

  #tell(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const text = describeProblem(problem);
      if (!this.#warned.has(text)) this.#options.warn(problem);
      this.#warned.add(text);
    }
  }
}

function pathOf(access: Access): string[] {
  if (!('real' in access) || access.problem !== undefined) return [];
  return [access.real];
}

/** The folders around a path, below the working directory or in an added directory, outermost first. */
function foldersAround(path: string, { cwd, additional }: Workspace): string[] {
  const root = [cwd, ...additional].find((directory) => isWithin(directory, path));
  if (root === undefined) return [];
  const names = relativePath(root, path).split('/');
  // Instructions of installed packages are not about this project.
  if (names.includes('node_modules') || names.includes('.git')) return [];
  const below = names.map((_, index) => join(root, ...names.slice(0, index + 1)));
  // The path may be a searched folder; a file contains no instructions.
  const folders = isFolder(path) ? below : below.slice(0, -1);
  return root === cwd ? folders : [root, ...folders];
}

function isFolder(path: string): boolean {
  return orElse(() => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true, false);
}

function* matching(rules: readonly RuleFile[], path: string): Generator<RuleFile> {
  for (const rule of rules)
    if (isWithin(rule.directory, path) && rule.matches(relativePath(rule.directory, path))) yield rule;
}
