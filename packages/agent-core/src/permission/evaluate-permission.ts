import path from 'node:path';
import { realPathOf } from '../file/walk-path.ts';
import { AgentError } from '../problem/agent-error.ts';
import { homeDirectory } from '../process/home-directory.ts';
import { checkArguments, objectInstance } from '../shape/check-arguments.ts';
import { nonEmptyText } from '../shape/combine.ts';
import type { JsonObject } from '../shape/json.ts';
import { list, object, words as oneOf, text } from '../shape/shape.ts';
import type { Access } from '../tool/access.ts';
import { decide } from './decide.ts';
import { hostFiles } from './host-files.ts';
import { isLostGuard, parseRules } from './parse-rule.ts';
import { type PermissionMode, permissionModes } from './policy/mode.ts';

const words = { allow: 'auto', ask: 'approve', deny: 'deny' } as const;

/** The decision in the SDK's terms: run it, ask first, or refuse. */
export type PermissionAnswer = (typeof words)[keyof typeof words];

/**
 * Judges a call by its arguments alone, in the current directory: deny list, then allow list, then the mode. An
 * unreadable rule is an error, because a deny rule must not get lost.
 */
export async function evaluatePermission(
  toolName: string,
  toolArgs: JsonObject,
  mode: PermissionMode,
  lists: { readonly allow?: readonly string[]; readonly deny?: readonly string[] } = {},
): Promise<PermissionAnswer> {
  checkArguments('evaluatePermission', {
    toolName: [toolName, nonEmptyText],
    toolArgs: [toolArgs, objectInstance],
    mode: [mode, oneOf(...permissionModes)],
    lists: [lists, object({}, { allow: list(text), deny: list(text) })],
  });
  const origin = { source: 'evaluatePermission' };
  const { rules, problems } = parseRules(lists, origin);
  const guards = parseRules({ deny: lists.deny ?? [] }, origin).problems;
  const malformed =
    problems.find(({ code }) => !doubts.includes(code)) ??
    guards.find((problem) => isLostGuard(problem, 'deny') && problem.subject !== toolName);
  if (malformed !== undefined) throw new AgentError('config', malformed.message, { hint: malformed.hint });
  const workspace = { cwd: realPathOf(process.cwd()), additional: [], home: homeDirectory() };
  const request = { tool: toolName, access: accessOf(toolName, toolArgs, workspace.cwd) };
  const decision = await decide({ mode, rules, workspace, files: hostFiles }, request);
  return words[decision.verdict];
}

/** Warnings about allow rules that could be read. */
const doubts: readonly string[] = [
  'rule.unanchored',
  'rule.unfamiliar-tool',
  'rule.unknown-tool',
  'rule.unmatchable',
];

function accessOf(tool: string, given: JsonObject, cwd: string): Access[] {
  const text = (...names: string[]): string | undefined =>
    names.map((name) => given[name]).find((value) => typeof value === 'string');
  const place = (kind: 'read' | 'search' | 'write', file: string): Access => {
    const full = path.resolve(cwd, file);
    return { kind, path: full, real: realPathOf(full) };
  };
  if (tool === 'Bash') return [{ kind: 'run', command: text('command') ?? '', cwd }];
  if (tool === 'WebFetch') return [{ kind: 'fetch', url: text('url') ?? '' }];
  if (tool === 'Glob' || tool === 'Grep') return [place('search', text('path') ?? '.')];
  if (tool === 'Agent') return [{ kind: 'use', name: text('subagent_type') ?? 'general-purpose' }];
  if (tool === 'Skill') return [{ kind: 'use', name: text('skill') ?? '' }];
  const file = text('file_path', 'filePath', 'path') ?? '.';
  if (tool === 'Read') return [place('read', file)];
  return tool === 'Write' || tool === 'Edit' ? [place('write', file)] : [];
}
