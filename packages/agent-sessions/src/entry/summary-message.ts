import type { Message, UserMessage } from '@robota-sdk/agent-core';

const opening =
  'The earlier part of this conversation was replaced by the summary below. Treat it as what happened so far and continue from there.';

/** Identifies a summary in the conversation. */
export interface SummaryIdentity {
  readonly id: string;
  /** Unix milliseconds. */
  readonly timestamp: number;
}

/** The message that replaces the summarized part; the same text when created and when read back. */
export function summaryMessage(summary: string, { id, timestamp }: SummaryIdentity): UserMessage {
  const text = `${opening}\n\n<summary>\n${summary}\n</summary>`;
  return {
    id,
    parentId: null,
    timestamp,
    role: 'user',
    content: [{ type: 'text', text }],
    origin: 'summary',
  };
}

/** The summary in such a message. */
export function summaryOf(message: Message): string | undefined {
  if (message.role !== 'user' || message.origin !== 'summary') return undefined;
  const block = message.content[0];
  if (block?.type !== 'text') return undefined;
  const start = block.text.indexOf('<summary>\n') + '<summary>\n'.length;
  const end = block.text.length - '\n</summary>'.length;
  const isWhole = start >= '<summary>\n'.length && start <= end && block.text.endsWith('\n</summary>');
  return isWhole ? block.text.slice(start, end) : block.text;
}
