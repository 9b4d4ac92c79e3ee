import {
  decide,
  hostFiles,
  type IgnoredFiles,
  type PermissionRules,
  type Workspace,
} from '@robota-sdk/agent-core';
import { bashTool } from './bash-tool.ts';

/** A command that the user wrote, and the rules that may still deny it. */
interface UserCommand {
  readonly command: string;
  readonly deny: PermissionRules['deny'];
  readonly ignored: IgnoredFiles | undefined;
  readonly workspace: Workspace;
}

/**
 * Why a command of the user must not run; undefined if it may. The user is not asked, but deny rules and the built-in
 * refusals apply.
 */
export async function denialOf({
  command,
  deny,
  ignored,
  workspace,
}: UserCommand): Promise<string | undefined> {
  const rules = { allow: [], ask: [], deny };
  const decision = await decide(
    { mode: 'bypassPermissions', rules, ignored, workspace, files: hostFiles },
    { tool: bashTool.name, access: [{ kind: 'run', command, cwd: workspace.cwd }] },
  );
  return decision.verdict === 'deny' ? decision.reason : undefined;
}
