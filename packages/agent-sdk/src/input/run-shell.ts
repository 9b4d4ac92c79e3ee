import { errorMessage, type ShellRun, textOf } from '@robota-sdk/agent-core';
import { denialOf, runUserCommand } from '@robota-sdk/agent-tools';
import type { CommandResult } from '../session/command-result.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { toolContextOf } from '../state/tool-context.ts';

export interface ShellRequest {
  readonly command: string;
  /** True if the model does not see it. */
  readonly isPrivate: boolean;
  readonly signal: AbortSignal;
  /** Receives the output while the command runs. */
  onOutput?(text: string): void;
}

/** A user's command may take long: installing, building, testing. */
const longest = 600_000;
/** Characters kept at the end of an interrupted command's output. */
const keptOutput = 16_384;

/**
 * Runs a command that the user typed. It needs no question, but deny rules and the ban on destroying the
 * system apply. The model sees it with the next prompt.
 */
export async function runShell(session: InteractiveSession, request: ShellRequest): Promise<CommandResult> {
  const { command, isPrivate } = request;
  if (command === '')
    return {
      success: false,
      message: 'Missing command. Use !COMMAND, or !!COMMAND to keep it from the model.',
    };
  if (session.replay) return { success: false, message: 'A replay runs no commands.' };
  const refusal = await whyNot(session, command);
  const run =
    refusal === undefined
      ? await runToEnd(session, request)
      : { ...notRun, command, isPrivate, output: `Not run: ${refusal}`, message: `Not run: ${refusal}` };
  const { message, ...kept } = run;
  await session.getSession().context.keepShell(kept);
  return { success: kept.status === 'success', message, data: kept };
}

const notRun = { status: 'denied', exitCode: null } as const;

/** A run, and its text for the model. */
type EndedRun = ShellRun & { readonly message: string };

async function runToEnd(session: InteractiveSession, request: ShellRequest): Promise<EndedRun> {
  const { command, isPrivate, signal } = request;
  let printed = '';
  const progress = (text: string) => {
    printed = (printed + text).slice(-keptOutput);
    request.onOutput?.(text);
  };
  const context = toolContextOf(session.getSession(), { signal, progress });
  const startedAt = performance.now();
  type Ended = Pick<EndedRun, 'message' | 'output' | 'exitCode' | 'omitted'>;
  const ended = (run: Ended, isError: boolean): EndedRun => ({
    command,
    isPrivate,
    ...run,
    status: !isError ? 'success' : signal.aborted ? 'aborted' : 'error',
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    const result = await runUserCommand({ command, timeoutMs: longest }, context);
    const { content, isError = false, exitCode = null } = result.output;
    const { printed: output, omitted } = result;
    return ended({ message: textOf(content), output, exitCode, ...(omitted && { omitted }) }, isError);
  } catch (thrown) {
    const message = errorMessage(thrown);
    const output = printed.trim() === '' ? message : `${printed.trimEnd()}\n${message}`;
    return ended({ message, output, exitCode: null }, true);
  }
}

function whyNot(session: InteractiveSession, command: string): Promise<string | undefined> {
  const { signal } = new AbortController();
  const { workspace } = toolContextOf(session.getSession(), { signal });
  const { ignored, rules } = session.permissions;
  return denialOf({ command, deny: rules.deny, ignored, workspace: { ...workspace, cwd: session.kept.cwd } });
}
