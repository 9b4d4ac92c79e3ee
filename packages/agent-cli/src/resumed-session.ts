import { type InteractiveSession, localTime, textOf } from '@robota-sdk/agent-sdk';

/** What to say when `--continue` found nothing. */
export const nothingToResume = 'there is no earlier session of this directory; this is a new one';

/** Whether nothing was said in a session yet, in this process or before. */
export function isNew(session: InteractiveSession): boolean {
  const { totals, branches } = session.getSession();
  return session.getMessages().length === 0 && totals.modelCalls === 0 && branches.name === undefined;
}

/** Tells a resumed session by what it began with and when it was last used. */
export function describeResumed(session: InteractiveSession): string {
  const messages = session.getMessages();
  const id = session.getSession().getSessionId();
  const last = messages.at(-1);
  if (!last) return `going on with session ${id}, whose conversation was cleared`;
  const first = messages.find((message) => message.role === 'user' && message.origin === undefined);
  const prompt = first ? ` "${firstLine(textOf(first.content))}"` : '';
  return `going on with${prompt}, last used ${localTime(last.timestamp)}, session ${id}`;
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
