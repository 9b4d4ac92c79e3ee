import { AgentError, type Command, type CommandOutcome, errorMessage } from '@robota-sdk/agent-core';
import type { Pin, SessionTree } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { entryNames, findEntry } from './find-entry.ts';

export const pinCommand: Command<InteractiveSession> = {
  name: 'pin',
  needsConversation: true,
  description: 'Keep a text or a message word for word through every compaction; without one, list them',
  argumentHint: '[TEXT | last | PLACE]',
  run: async (args, { session }) => {
    const { context } = session.getSession();
    if (args === '') return listed(context.pins);
    const reference = referenceOf(args, session.getSession().branches.tree());
    const pin =
      reference === undefined ? await context.pinText(unquoted(args)) : await context.pinMessage(reference);
    const number = context.pins.findIndex(({ id }) => id === pin.id) + 1;
    return { kind: 'notice', text: `Pinned as ${number}: ${beginning(pin)}`, data: { number, pin } };
  },
};

export const unpinCommand: Command<InteractiveSession> = {
  name: 'unpin',
  needsConversation: true,
  description: 'Take a pin back, by its number in /pin',
  argumentHint: 'N',
  run: async (args, { session }) => {
    if (!/^\d+$/.test(args)) return { kind: 'error', text: 'Say which one: /unpin N. /pin lists them.' };
    const pin = await session.getSession().context.unpin(Number(args));
    return { kind: 'notice', text: `No longer pinned: ${beginning(pin)}`, data: { pin } };
  },
};

/** What names a message; a single word with a digit can be nothing else, and must not become a text when it is mistyped. */
function referenceOf(args: string, tree: SessionTree): string | undefined {
  if (args === 'last') return args;
  const isMeant = (/^[\w-]+$/.test(args) && /\d/.test(args)) || entryNames(tree).includes(args);
  if (!isMeant) return undefined;
  try {
    return findEntry(tree, args) ?? undefined;
  } catch (thrown) {
    throw new AgentError(
      'usage',
      `${errorMessage(thrown)} To pin it as a text, put it in quotes: /pin "${args}".`,
    );
  }
}

function unquoted(text: string): string {
  return /^"([\s\S]+)"$/.exec(text)?.[1] ?? text;
}

function listed(pins: readonly Pin[]): CommandOutcome {
  const lines = pins.map((pin, index) => `${index + 1}. ${beginning(pin)}`);
  const text = lines.length === 0 ? 'Nothing is pinned. /pin TEXT pins a text.' : lines.join('\n');
  return { kind: 'notice', text, data: { pins } };
}

function beginning({ text }: Pin): string {
  const line = text.slice(0, 400).replace(/\s+/g, ' ').trim();
  return line.length <= 100 ? line : `${line.slice(0, 99).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
