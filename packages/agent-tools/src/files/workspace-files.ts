import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  AgentError,
  atomicWrite,
  bashAdvice,
  bashWords,
  checkArguments,
  decide,
  homeDirectory,
  hostFiles,
  isWithin,
  numberWithin,
  object,
  optional,
  ownShells,
  pathShape,
  readRegularFile,
  realPathOf,
  text as textShape,
} from '@robota-sdk/agent-core';
import { keylessEnvironment } from '../tool/standalone-tool.ts';
import { type ProgramResult, runProgram } from './run-program.ts';

const defaultTimeoutMs = 120_000;
const commandOptions = object({}, { timeoutMs: optional(numberWithin({ exclusiveMinimum: 0 })) });

/**
 * Files and commands of one directory, for programs. Paths are relative to it; paths that lead out of it, even by
 * links, throw an `AgentError` with the code `outside-workspace`.
 */
export class WorkspaceFiles {
  readonly root: string;

  constructor(root: string) {
    checkArguments('new WorkspaceFiles', { root: [root, pathShape] });
    this.root = realPathOf(resolve(root));
  }

  async readFile(path: string): Promise<string> {
    checkArguments('WorkspaceFiles.readFile', { path: [path, pathShape] });
    return (await readRegularFile(this.#inside(path))).toString();
  }

  /** Replaces the file in one step, and creates its directories. */
  async writeFile(path: string, text: string): Promise<void> {
    checkArguments('WorkspaceFiles.writeFile', { path: [path, pathShape], text: [text, textShape] });
    await atomicWrite(this.#inside(path), Buffer.from(text));
  }

  /** Names in a directory, sorted; directories end with a slash. */
  async listDirectory(path = '.'): Promise<readonly string[]> {
    checkArguments('WorkspaceFiles.listDirectory', { path: [path, pathShape] });
    const entries = await readdir(this.#inside(path), { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  }

  /** Runs a bash command in the directory, without model keys; one that would destroy the machine is refused. */
  async runCommand(command: string, options: { readonly timeoutMs?: number } = {}): Promise<ProgramResult> {
    checkArguments('WorkspaceFiles.runCommand', {
      command: [command, pathShape],
      options: [options, commandOptions],
    });
    const { timeoutMs = defaultTimeoutMs } = options;
    const workspace = { cwd: this.root, additional: [], home: homeDirectory() };
    const rules = { allow: [], ask: [], deny: [] };
    const decision = await decide(
      { mode: 'bypassPermissions', rules, workspace, files: hostFiles },
      { tool: 'Bash', access: [{ kind: 'run', command, cwd: this.root }] },
    );
    if (decision.verdict !== 'allow') throw new AgentError('blocked', decision.reason);
    const [bash, ...args] = bashWords(command, { ...ownShells, cwd: this.root }) ?? [];
    if (bash === undefined) throw new AgentError('config', `bash not found. ${bashAdvice()}`);
    return runProgram(bash, args, { cwd: this.root, env: keylessEnvironment(), timeoutMs });
  }

  #inside(path: string): string {
    const real = realPathOf(resolve(this.root, path));
    if (isWithin(this.root, real)) return real;
    throw new AgentError(
      'outside-workspace',
      `${JSON.stringify(path)} leads to ${real}, outside the workspace ${this.root}. Use a path inside it.`,
    );
  }
}
