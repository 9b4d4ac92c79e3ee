import { GrowingFold, type Message } from '@robota-sdk/agent-core';
import { localDate } from './system-prompt.ts';

/**
 * Appends the date to a prompt when it differs from what the conversation knows: the system prompt keeps its date, so
 * that the cached beginning stays valid.
 */
export function dateReminder(start: Date): (messages: readonly Message[], now?: Date) => string | undefined {
  const day = localDate(start);
  return (messages, now = new Date()) => {
    const today = localDate(now);
    return today === knownDay(messages, day)
      ? undefined
      : `${opening}${today}. This is not from the user.</reminder>`;
  };
}

const opening = '<reminder>The date is now ';

/** The last known day; for an earlier conversation, its day, because its text refers to it. */
function knownDay(messages: readonly Message[], started: string): string {
  const said = saidDays.of(messages);
  if (said !== undefined) return said;
  const newest = messages.at(-1);
  const day = newest && localDate(new Date(newest.timestamp));
  return day !== undefined && day < started ? day : started;
}

const saidDays = new GrowingFold<Message, string | undefined>(
  () => undefined,
  (day, message) =>
    (message.role === 'user' && message.origin === 'reminder' ? saidDay(message.content) : undefined) ?? day,
);

function saidDay(content: readonly { readonly type: string; readonly text?: string }[]): string | undefined {
  const text = content[0]?.text;
  return text?.startsWith(opening) ? text.slice(opening.length, opening.length + 10) : undefined;
}
