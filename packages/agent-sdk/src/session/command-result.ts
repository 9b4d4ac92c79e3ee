import type { CommandOutcome, SessionTarget } from '@robota-sdk/agent-core';
import type { IExecutionResult } from '../contract/run-result.ts';

/** The result of a command. */
export interface CommandResult {
  readonly success: boolean;
  readonly message: string;
  readonly data?: unknown;
  /** The session should end. */
  readonly exit?: boolean;
  /** A text for the editor. */
  readonly edit?: string;
  /** The session to switch to. */
  readonly switchTo?: SessionTarget;
  /** How the prompt ended that the command stood for. */
  readonly execution?: IExecutionResult;
}

/** The prompt that a command sends. */
export type CommandPrompt = Extract<CommandOutcome, { kind: 'prompt' }>;

/** Carries out what can be done without a front end, and tells the rest. `submit` runs a prompt in the command's place. */
export async function commandResult(
  outcome: CommandOutcome,
  submit: (prompt: CommandPrompt) => Promise<IExecutionResult | undefined>,
): Promise<CommandResult> {
  switch (outcome.kind) {
    case 'done':
      return { success: true, message: '', data: outcome.data };
    case 'notice':
      return { success: true, message: outcome.text, data: outcome.data };
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
