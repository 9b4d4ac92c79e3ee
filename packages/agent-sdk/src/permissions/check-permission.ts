import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Access,
  decide,
  hostFiles,
  type PathProblem,
  type PermissionDecision,
  type PermissionPolicy,
  realPathOf,
  SessionState,
  type ToolScope,
} from '@robota-sdk/agent-core';
import {
  describePathProblem,
  editTool,
  globTool,
  grepTool,
  readTool,
  resolvePath,
  writeTool,
} from '@robota-sdk/agent-tools';

/** The subject of a check: a command line, or a tool with its input. */
export type PermissionSubject =
  | { readonly command: string }
  | {
      readonly tool: string;
      readonly path?: string;
      readonly url?: string;
      /** Of an agent or a skill. */
      readonly name?: string;
    };

/** Problems of a path itself; others depend on the file system. */
const lexicalProblems: ReadonlySet<PathProblem> = new Set(['InvalidPath', 'NameTooLong', 'OutsideWorkspace']);

/**
 * Decides about a call without running it. If the working directory does not exist, paths are judged by their
 * text alone; an unusable path is refused with the code of its problem.
 */
export async function checkPermission(
  { mode, rules, ignored, workspace: given }: PermissionPolicy,
  subject: PermissionSubject,
): Promise<PermissionDecision> {
  const exists = existsSync(given.cwd);
  const workspace = exists ? { ...given, cwd: realPathOf(given.cwd) } : given;
  const known = exists ? { ignored, files: hostFiles } : {};
  const policy: PermissionPolicy = { mode, rules, workspace, ...known };
  if ('command' in subject) {
    const run: Access = { kind: 'run', command: subject.command, cwd: workspace.cwd };
    return decide(policy, { tool: 'Bash', access: [run] });
  }
  const access = exists ? await accessOf(subject, workspace) : await lexicalAccess(subject, workspace);
  const decision = await decide(policy, { tool: subject.tool, access });
  const problem = access.flatMap((one) => ('problem' in one && one.problem ? [one.problem] : []))[0];
  if (problem === undefined || decision.verdict === 'deny') return withCode(decision, problem);
  return { verdict: 'deny', reason: describePathProblem(problem, subject.path ?? '') };
}

function withCode(decision: PermissionDecision, problem: PathProblem | undefined): PermissionDecision {
  if (problem === undefined || decision.rule !== undefined) return decision;
  return { ...decision, reason: `${problem}: ${decision.reason}` };
}

/** The accesses our tools declare for a path or URL; those of other tools are unknown here. */
async function accessOf(
  { tool, path, url, name }: Extract<PermissionSubject, { tool: string }>,
  workspace: ToolScope['workspace'],
): Promise<readonly Access[]> {
  const scope: ToolScope = { workspace, state: new SessionState() };
  if (url !== undefined) return [{ kind: 'fetch', url }];
  if (name !== undefined) return [{ kind: 'use', name }];
  if (path === undefined) return [];
  switch (tool) {
    case 'Read':
      return readTool.access({ file_path: path }, scope);
    case 'Write':
      return writeTool.access({ file_path: path, content: '' }, scope);
    case 'Edit':
      return editTool.access({ file_path: path, old_string: '', new_string: '' }, scope);
    case 'Glob':
      return globTool.access({ pattern: path }, scope);
    case 'Grep':
      return grepTool.access({ pattern: '.', path }, scope);
    default:
      return [];
  }
}

async function lexicalAccess(
  subject: Extract<PermissionSubject, { tool: string }>,
  workspace: ToolScope['workspace'],
): Promise<readonly Access[]> {
  if (subject.path === undefined || subject.url !== undefined) return accessOf(subject, workspace);
  const { tool, path: asked } = subject;
  const [declared] = await accessOf(subject, workspace);
  const kind = declared?.kind === 'write' || declared?.kind === 'search' ? declared.kind : 'read';
  // A search starts in the directory at the start of its pattern.
  const start = tool === 'Glob' ? asked.replace(/(?:^|\/)[^/]*[*?[{].*$/s, '') || '.' : asked;
  const { problem } = await resolvePath(start, workspace, kind);
  const path = resolve(workspace.cwd, start.replaceAll('\0', '\uFFFD'));
  const isKept = problem !== undefined && lexicalProblems.has(problem);
  return [{ kind, path, real: path, ...(isKept ? { problem } : {}) }];
}
