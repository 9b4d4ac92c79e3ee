import type { FileHandle } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import {
  type Access,
  AgentError,
  isReservedName,
  openRegularFile,
  type PathProblem,
  type StateKey,
  type ToolScope,
  type Walk,
  type Workspace,
  walkPath,
} from '@robota-sdk/agent-core';
import { sandboxAccess } from '../sandbox/sandbox-policy.ts';

/** The use of a path; decides which targets are a problem. */
export type PathKind = 'read' | 'write' | 'search';

/** The resolved target of a path. */
export interface ResolvedPath {
  /** Absolute and normalized, as requested. */
  readonly path: string;
  /** With symlinks resolved; for a missing path, those of its existing part. */
  readonly real: string;
  readonly problem?: PathProblem;
}

/** One path of one call; `input` identifies the call. */
export interface PathUse {
  readonly input: object;
  readonly path: string;
  readonly kind: PathKind;
}

/**
 * Resolves a path of a tool call: literally (no `~`, variables, escapes or trimming), relative to the working
 * directory, following symlinks like the kernel. Never opens anything.
 */
export async function resolvePath(
  asked: string,
  workspace: Workspace,
  kind: PathKind,
): Promise<ResolvedPath> {
  const path = resolve(workspace.cwd, asked.replaceAll('\0', '\uFFFD'));
  const invalid = problemOfText(asked, workspace);
  if (invalid) return { path, real: path, problem: invalid };
  const absolute = isAbsolute(asked) ? asked : workspace.cwd + sep + asked;
  const walk = walkPath(absolute);
  const problem =
    walk.problem ??
    problemOfTarget(walk, kind, { endsAsDirectory: (isWindows ? /[\\/]\.?$/ : /\/\.?$/).test(asked) });
  return problem ? { path, real: walk.real, problem } : { path, real: walk.real };
}

/** Looks ahead at the file that a call would write; undefined if the call itself will report an error. */
export async function foresee<T>(
  path: string,
  scope: ToolScope,
  look: (resolved: ResolvedPath) => Promise<T>,
): Promise<T | undefined> {
  try {
    const resolved = await resolvePath(path, scope.workspace, 'write');
    return resolved.problem ? undefined : await look(resolved);
  } catch {
    return undefined;
  }
}

/** Declares a call's access, and stores the path's target for `confirmAccess`. */
export async function declareAccess(use: PathUse, scope: ToolScope): Promise<Access> {
  const resolved = await withinSandbox(await resolvePath(use.path, scope.workspace, use.kind), use, scope);
  scope.state.get(declaredPaths).set(use.input, resolved);
  return { kind: use.kind, ...resolved };
}

/**
 * Resolves again when the call runs; throws if the path is unusable or its target has changed. `explain` may give more
 * details than the general description of a problem.
 */
export async function confirmAccess(
  use: PathUse,
  scope: ToolScope,
  explain?: (resolved: ResolvedPath) => Promise<string | undefined>,
): Promise<ResolvedPath> {
  const resolved = await withinSandbox(await resolvePath(use.path, scope.workspace, use.kind), use, scope);
  if (resolved.problem) {
    const message = (await explain?.(resolved)) ?? describePathProblem(resolved.problem, use.path);
    throw new AgentError('tool', message, { brief: briefs[resolved.problem] });
  }
  const declared = scope.state.get(declaredPaths).get(use.input);
  if (declared && declared.real !== resolved.real) {
    throw new AgentError(
      'tool',
      `${use.path} now points to ${resolved.real}, but pointed to ${declared.real} when it was checked. Call again to check it again.`,
    );
  }
  // A write that had to fail was not asked about, so it must not succeed now. A missing file to read may have appeared.
  if (declared?.problem && use.kind === 'write') {
    throw new AgentError(
      'tool',
      `${use.path} has changed since it was checked. Call again to have it checked again.`,
    );
  }
  return resolved;
}

/** Paths hidden from sandboxed commands are hidden from file tools too. */
async function withinSandbox(
  resolved: ResolvedPath,
  { kind }: PathUse,
  scope: ToolScope,
): Promise<ResolvedPath> {
  if (scope.state.get(sandboxAccess).mode === 'off') return resolved;
  const { sandboxedFiles } = await import('../sandbox/sandboxed-files.ts');
  const files = await sandboxedFiles(scope);
  const mayUse = kind === 'write' ? files?.mayWrite(resolved.real) : files?.mayRead(resolved.real);
  return mayUse === false ? { ...resolved, problem: 'Sandboxed' } : resolved;
}

/** Opens a resolved file for reading; a link, pipe or device that replaced it is refused. */
export async function openResolved(real: string): Promise<FileHandle> {
  const handle = await openRegularFile(real, { noFollow: true }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'ENOTREG') throw thrown;
    throw new AgentError('tool', describePathProblem('NotARegularFile', real));
  });
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new AgentError('tool', describePathProblem('IsDirectory', real));
}

/** Describes a path problem, starting with the code, and the fix. */
export function describePathProblem(problem: PathProblem, path: string): string {
  return `${problem}: ${JSON.stringify(path)} ${explanations[problem]}`;
}

const declaredPaths: StateKey<WeakMap<object, ResolvedPath>> = {
  name: 'declared-paths',
  create: () => new WeakMap(),
};

const explanations: Readonly<Record<PathProblem, string>> = {
  InvalidPath: 'is not a usable file name (empty, or with control or unpaired characters). Use another name.',
  IsDirectory: 'is a directory, not a file. Use Glob to list it.',
  NameTooLong: 'is longer than the file system allows. Use a shorter path.',
  NotADirectory: 'uses a file as if it were a directory. Check the path.',
  NotARegularFile: 'is a pipe, socket or device, not a regular file, and is not opened.',
  NotFound: 'does not exist. Check the path, or use Glob to find it.',
  OutsideWorkspace: 'is a device, process or network path, which file tools never open.',
  Sandboxed: 'is closed to commands in the sandbox, and so to file tools.',
  SymlinkLoop: 'is a symbolic link that leads back to itself.',
  TooDeep: 'lies in more than 256 nested directories. Use a shorter path.',
};

/** Short descriptions for the user, shown after the path. */
export const briefs: Readonly<Partial<Record<PathProblem | 'Changed', string>>> = {
  Changed: 'changed since it was read',
  InvalidPath: 'not a usable file name',
  IsDirectory: 'a directory',
  NameTooLong: 'name too long',
  NotADirectory: 'not a directory',
  NotARegularFile: 'not a regular file',
  NotFound: 'not found',
  SymlinkLoop: 'a link to itself',
  TooDeep: 'too many nested directories',
};

const isWindows = process.platform === 'win32';
const unpaired = /\p{Surrogate}/u;
const maxPathBytes = 4096;
const maxNameBytes = 255;
/** Instructions, ignore files and rules are looked up in every directory on the way to a file. */
const maxDirectories = 256;

function problemOfText(asked: string, workspace: Workspace): PathProblem | undefined {
  if (asked === '' || asked.includes('\0') || unpaired.test(asked)) return 'InvalidPath';
  const isDeep = resolve(workspace.cwd, asked).split(sep).length - 1 > maxDirectories;
  const deep = isDeep ? 'TooDeep' : undefined;
  if (isWindows) return windowsProblem(asked) ?? deep;
  if (Buffer.byteLength(resolve(workspace.cwd, asked)) >= maxPathBytes) return 'NameTooLong';
  return asked.split('/').some((name) => Buffer.byteLength(name) > maxNameBytes) ? 'NameTooLong' : deep;
}

/** Windows paths with a special meaning: network and device paths, alternate streams, reserved names. */
export function windowsProblem(asked: string): PathProblem | undefined {
  if (/^[\\/]{2}/.test(asked)) return 'OutsideWorkspace';
  const names = asked.replace(/^[a-z]:(?=[\\/])/i, '').split(/[\\/]/);
  const isOdd = (name: string) => /[:*?"<>|]/.test(name) || (/[. ]$/.test(name) && !/^\.{1,2}$/.test(name));
  return names.some((name) => isReservedName(name) || isOdd(name)) ? 'InvalidPath' : undefined;
}

function problemOfTarget(
  walk: Walk,
  kind: PathKind,
  asked: { readonly endsAsDirectory: boolean },
): PathProblem | undefined {
  if (walk.type === 'other') return 'NotARegularFile';
  if (walk.type === 'directory') return kind === 'search' ? undefined : 'IsDirectory';
  if (walk.type === 'file') return asked.endsAsDirectory ? 'NotADirectory' : undefined;
  if (walk.type !== 'missing') return undefined;
  if (kind !== 'write') return 'NotFound';
  if (walk.hasControlCharacters) return 'InvalidPath';
  return asked.endsAsDirectory ? 'IsDirectory' : undefined;
}
