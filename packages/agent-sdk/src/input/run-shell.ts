import { AgentError, decide, errorMessage, hostFiles, type ToolOutput, textOf } from '@robota-sdk/agent-core';
import { shellText } from '@robota-sdk/agent-sessions';
import { bashTool, runUserCommand } from '@robota-sdk/agent-tools';
import type { CommandResult } from '../session/command-result.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { toolContextOf } from './tool-context.ts';

export interface ShellRequest {
  readonly command: string;
  /** The model is not told. */
  readonly isPrivate: boolean;
  readonly signal: AbortSignal;
  /** Gets what the command prints while it runs. */
  onOutput?(text: string): void;
}

/** A person's command may take its time: installing, building, testing. */
const longest = 600_000;

/**
 * Runs a command that a person typed. It needs no question, but deny rules and the ban on what destroys a system hold
 * for everybody. The model hears of it with the next prompt.
 */
export async function runShell(session: InteractiveSession, request: ShellRequest): Promise<CommandResult> {
  const { command, isPrivate, signal } = request;
  if (command === '') return { success: false, message: 'Say which command to run: !ls, or @!ls.' };
  if (session.replay) return { success: false, message: 'A replay runs no commands.' };
  const refusal = await whyNot(session, command);
  if (refusal !== undefined) return { success: false, message: `Not run: ${refusal}` };
  const progress = (text: string) => request.onOutput?.(text);
  const context = toolContextOf(session.getSession(), { signal, progress });
  try {
    const { output } = await runUserCommand({ command, timeoutMs: longest }, context);
    const text = textOf(output.content);
    if (!isPrivate) await session.getSession().context.tell(shellText(command, text, endOf(output)));
    return { success: output.isError !== true, message: text, data: { command, output: text } };
  } catch (thrown) {
    const message = AgentError.is(thrown) ? thrown.message : errorMessage(thrown);
    return { success: false, message };
  }
}

/** How it ended stands in brackets below the output already, unless the command was silent about it. */
function endOf({ isError }: ToolOutput): string {
  return isError ? 'It did not succeed.' : '';
}

async function whyNot(session: InteractiveSession, command: string): Promise<string | undefined> {
  const { cwd } = session.kept;
  const { deny } = session.permissions.rules;
  const decision = await decide(
    {
      mode: 'bypassPermissions',
      rules: { allow: [], ask: [], deny },
      workspace: {
        ...toolContextOf(session.getSession(), { signal: new AbortController().signal }).workspace,
        cwd,
      },
      files: hostFiles,
    },
    { tool: bashTool.name, access: [{ kind: 'run', command, cwd }] },
  );
  return decision.verdict === 'deny' ? decision.reason : undefined;
}
