import type { Command, CommandOutcome } from '@robota-sdk/agent-core';
import type { RecallItem } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { fateTexts } from './receipt-text.ts';

export const recallCommand: Command<InteractiveSession> = {
  name: 'recall',
  needsConversation: true,
  description: 'Bring back what a compaction took out of the conversation; without a number, list it',
  argumentHint: '[N | text]',
  run: async (args, { session }) => {
    const { context } = session.getSession();
    if (args === '') return listed(context.recallable);
    const found = context.findRecallable(args);
    const [item, ...others] = found;
    if (!item) return { kind: 'error', text: `Nothing that was taken out fits "${args}". /recall lists it.` };
    if (others.length > 0) return listed(found, `${found.length} messages fit; say which one by its number:`);
    await context.recall(item);
    const text = `Brought back for the next prompt: ${item.title} (~${item.tokens} tokens)`;
    return { kind: 'notice', text, data: { item } };
  },
};

function listed(items: readonly RecallItem[], heading?: string): CommandOutcome {
  const width = String(items.length === 0 ? 0 : items.at(-1)?.number).length;
  const lines = items.map(
    ({ number, fate, tokens, title }) =>
      `${String(number).padStart(width)}. ${title} (${fateTexts[fate]}, ~${tokens} tokens)`,
  );
  const nothing = 'Nothing has been taken out of this conversation.';
  const text = [...(heading === undefined ? [] : [heading]), ...(lines.length === 0 ? [nothing] : lines)];
  return { kind: 'notice', text: text.join('\n'), data: { items } };
}
