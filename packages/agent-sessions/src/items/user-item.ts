import { textOf, type UserMessage } from '@robota-sdk/agent-core';
import { isShownToUser } from '../entry/is-shown-to-user.ts';
import { spokenContent } from '../entry/spoken-content.ts';
import { withoutHeading } from '../entry/without-heading.ts';
import type { Item } from './item.ts';

/** The item of what the user said or added; undefined for what only the model reads. */
export function userItem(message: UserMessage): Item | undefined {
  const { origin, content, shown } = message;
  if (origin === 'summary') return undefined;
  const note = noteOf(message);
  if (note !== undefined) return { kind: 'note', text: note };
  if (origin === 'reminder') return undefined;
  const images = content.filter(({ type }) => type === 'image').map(() => '[image]');
  const said = [textOf(spokenContent(content)), ...images].filter((part) => part !== '').join(' ');
  return said.trim() === '' ? undefined : { kind: 'user', text: said, shown };
}

/** A pin, a restored message, or the summary of an abandoned branch. */
function noteOf(message: UserMessage): string | undefined {
  if (message.origin === 'pin') return `Pinned: ${withoutHeading(message).trim()}`;
  if (message.origin === 'recall') return `Brought back: ${withoutHeading(message).trim()}`;
  return message.origin === 'reminder' && isShownToUser(message) ? textOf(message.content) : undefined;
}
