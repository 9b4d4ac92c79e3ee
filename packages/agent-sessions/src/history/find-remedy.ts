import type { Message, ModelFailure } from '@robota-sdk/agent-core';
import { type Omission, withoutOmitted } from '../entry/omit.ts';

/** A fix after a refusal: the content to omit, and the conversation without it. */
export interface Remedy {
  readonly omission: Omission;
  readonly messages: readonly Message[];
  /** The notice for the user. */
  readonly notice: string;
}

/**
 * Finds content to omit from a conversation that a vendor refuses as invalid, so that one bad message never
 * makes the session unusable. Messages since the last answer are suspected first, since all before it were
 * accepted once.
 */
export function findRemedy(
  messages: readonly Message[],
  { message: said }: ModelFailure,
): Remedy | undefined {
  const fresh = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  if (/image|media.?type|base64|pixel|pdf|document/i.test(said)) {
    const suspects = withImages(fresh).length > 0 ? withImages(fresh) : withImages(messages);
    if (suspects.length > 0) return remedy(messages, { what: 'images', messageIds: idsOf(suspects) });
  }
  if (/thinking|signature|reasoning|encrypted/i.test(said)) {
    const suspects = messages.filter(({ content }) => content.some(({ type }) => type === 'thinking'));
    if (suspects.length > 0) return remedy(messages, { what: 'thinking', messageIds: idsOf(suspects) });
  }
  const unanswered = beforePrompt(fresh);
  if (unanswered.length === 0) return undefined;
  return remedy(messages, { what: 'content', messageIds: idsOf(unanswered) });
}

/** The conversation with an omission made. */
function applyOmission(messages: readonly Message[], { what, messageIds }: Omission): Message[] {
  const concerned = new Set(messageIds);
  return messages.map((message) => (concerned.has(message.id) ? withoutOmitted(message, what) : message));
}

const notices: Readonly<Record<Omission['what'], (count: number) => string>> = {
  images: (count) =>
    `The images and documents of ${messagesIn(count)} were left out, because the service refused them.`,
  thinking: (count) => `The thinking of ${messagesIn(count)} was left out, because the service refused it.`,
  content: (count) => `The content of ${messagesIn(count)} was left out, because the service refused it.`,
};

function remedy(messages: readonly Message[], omission: Omission): Remedy {
  const notice = `${notices[omission.what](omission.messageIds.length)} It stays in the session's file.`;
  return { omission, messages: applyOmission(messages, omission), notice };
}

/** Unanswered messages before the present prompt: a refused prompt, or results of tools. */
function beforePrompt(fresh: readonly Message[]): readonly Message[] {
  const suspects = fresh.filter((message) => message.role !== 'user' || message.origin !== 'reminder');
  const isPrompted = suspects.at(-1)?.role === 'user';
  return (isPrompted ? suspects.slice(0, -1) : suspects).filter((message) => !isOmitted(message));
}

function isOmitted({ content }: Message): boolean {
  return content.every(
    (block) => block.type === 'text' && block.text.startsWith('[The content was left out:'),
  );
}

function withImages(messages: readonly Message[]): readonly Message[] {
  return messages.filter(({ content }) => content.some(({ type }) => type === 'image'));
}

function idsOf(messages: readonly Message[]): string[] {
  return messages.map(({ id }) => id);
}

function messagesIn(count: number): string {
  return count === 1 ? 'one message' : `${count} messages`;
}
