import type { CommandOutcome, SessionTarget } from '@robota-sdk/agent-core';
import type { IExecutionResult } from '../contract/run-result.ts';

/** The result of a command. */
export interface CommandResult {
  readonly success: boolean;
  readonly message: string;
  /** The message is Markdown. */
  readonly isMarkdown?: true;
  readonly data?: unknown;
  /** The session should end. */
  readonly exit?: boolean;
  /** A text for the editor. */
  readonly edit?: string;
  /** The session to switch to. */
  readonly switchTo?: SessionTarget;
  /** How the command's prompt ended. */
  readonly execution?: IExecutionResult;
}

/** The prompt that a command sends. */
export type CommandPrompt = Extract<CommandOutcome, { kind: 'prompt' }>;

/** Handles outcomes that need no front end, and returns the rest. `submit` runs a prompt for the command. */
export async function commandResult(
  outcome: CommandOutcome,
  submit: (prompt: CommandPrompt) => Promise<IExecutionResult | undefined>,
): Promise<CommandResult> {
  switch (outcome.kind) {
    case 'done':
      return { success: true, message: '', data: outcome.data };
    case 'notice': {
      const { text, isMarkdown, data } = outcome;
      return { success: true, message: text, ...(isMarkdown && { isMarkdown }), data };
    }
    case 'error':
      return { success: false, message: outcome.text };
    case 'exit':
      return { success: true, message: '', exit: true };
    case 'prompt': {
      const result = await submit(outcome).finally(() => outcome.after?.());
      const message = result?.error?.message ?? result?.response ?? '';
      return { success: !result?.error, message, data: result, ...(result ? { execution: result } : {}) };
    }
    case 'edit': {
      const { text, notice, data } = outcome;
      return { success: true, message: notice, edit: text, data: { edit: text, ...data } };
    }
    case 'switch': {
      const { to, notice, edit } = outcome;
      const extra = edit === undefined ? {} : { edit };
      return { success: true, message: notice, switchTo: to, ...extra, data: { session: to, ...extra } };
    }
  }
}
