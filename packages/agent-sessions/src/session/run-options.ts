import {
  type AgentRun,
  GrowingFold,
  givenFields,
  type Message,
  type UserContent,
} from '@robota-sdk/agent-core';
import type { ConversationOptions, PromptOptions } from '../compaction/session-options.ts';

type Limits = Pick<
  AgentRun,
  | 'maxTurns'
  | 'answerSchema'
  | 'webSearch'
  | 'retry'
  | 'maxLimitWaitMs'
  | 'execution'
  | 'beforeExecute'
  | 'resolvePending'
  | 'hideSecrets'
  | 'limitOutput'
>;

/** The limits of a run: those of the prompt, otherwise those of its session. */
export function limitsOf(own: ConversationOptions, prompt: PromptOptions, outputDir: string): Limits {
  const { webSearch, retry, execution, beforeExecute, resolvePending, hideSecrets, limitOutput } = own;
  const { maxLimitWaitMs } = own;
  const { answerSchema, maxTurns = own.maxTurns } = prompt;
  return {
    ...(limitOutput ? { limitOutput: (output, call) => limitOutput(output, call, outputDir) } : {}),
    ...givenFields({ maxTurns, answerSchema, webSearch, retry, maxLimitWaitMs, execution }),
    ...givenFields({ beforeExecute, resolvePending, hideSecrets }),
  };
}

/** The message that starts a run. */
export function promptOf(
  content: readonly UserContent[],
  { origin, shown, attachments }: PromptOptions,
): NonNullable<AgentRun['prompt']> {
  return { content, ...givenFields({ origin, shown, attachments }) };
}

const prompts = new GrowingFold<Message, number>(
  () => 0,
  (count, message) => (message.role === 'user' && !('origin' in message) ? count + 1 : count),
);

/** The reminder after a prompt, by how many messages of the conversation the user typed. */
export function reminderOf(
  own: ConversationOptions,
  messages: readonly Message[],
): Pick<AgentRun, 'reminder'> {
  const reminder = own.reminder?.(prompts.of(messages));
  return reminder === undefined ? {} : { reminder };
}
