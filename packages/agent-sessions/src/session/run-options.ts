import type { AgentRun } from '@robota-sdk/agent-core';
import { GrowingFold, type Message } from '@robota-sdk/agent-core';
import type { PromptOptions, SessionOptions } from '../compaction/session-options.ts';

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
export function limitsOf(own: SessionOptions, prompt: PromptOptions, outputDir: string): Limits {
  const { webSearch, retry, execution, beforeExecute, resolvePending, hideSecrets, limitOutput } = own;
  const { maxLimitWaitMs } = own;
  const maxTurns = prompt.maxTurns ?? own.maxTurns;
  return {
    ...(hideSecrets ? { hideSecrets } : {}),
    ...(limitOutput ? { limitOutput: (output, call) => limitOutput(output, call, outputDir) } : {}),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(prompt.answerSchema === undefined ? {} : { answerSchema: prompt.answerSchema }),
    ...(webSearch === undefined ? {} : { webSearch }),
    ...(retry === undefined ? {} : { retry }),
    ...(maxLimitWaitMs === undefined ? {} : { maxLimitWaitMs }),
    ...(execution === undefined ? {} : { execution }),
    ...(beforeExecute === undefined ? {} : { beforeExecute }),
    ...(resolvePending === undefined ? {} : { resolvePending }),
  };
}

/** The origin of a prompt, and its attachments. */
export function mannerOf({
  origin,
  shown,
  attachments,
}: PromptOptions): Pick<NonNullable<AgentRun['prompt']>, 'origin' | 'shown' | 'attachments'> {
  return {
    ...(origin === undefined ? {} : { origin }),
    ...(shown === undefined ? {} : { shown }),
    ...(attachments === undefined ? {} : { attachments }),
  };
}

const prompts = new GrowingFold<Message, number>(
  () => 0,
  (count, message) => (message.role === 'user' && !('origin' in message) ? count + 1 : count),
);

/** The reminder after a prompt, by how many messages of the conversation the user typed. */
export function reminderOf(own: SessionOptions, messages: readonly Message[]): Pick<AgentRun, 'reminder'> {
  const reminder = own.reminder?.(prompts.of(messages));
  return reminder === undefined ? {} : { reminder };
}
