import type { Command, CommandOutcome } from '@robota-sdk/agent-core';
import type { Pin } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../interactive-session.ts';

/** The beginning of an id, never a word of a language. */
const messageId = /^(?=.*\d)[0-9a-f]{6,8}(-[0-9a-f-]*)?$/i;

export const pinCommand: Command<InteractiveSession> = {
  name: 'pin',
  description: 'Keep a text or a message word for word through every compaction; without one, list them',
  argumentHint: '[TEXT | last | ID]',
  run: async (args, { session }) => {
    const { context } = session.getSession();
    if (args === '') return listed(context.pins);
    const isReference = args === 'last' || messageId.test(args);
    const pin = isReference ? await context.pinMessage(args) : await context.pinText(args);
    const number = context.pins.findIndex(({ id }) => id === pin.id) + 1;
    return { kind: 'notice', text: `Pinned as ${number}: ${beginning(pin)}`, data: { number, pin } };
  },
};

export const unpinCommand: Command<InteractiveSession> = {
  name: 'unpin',
  description: 'Take a pin back, by its number in /pin',
  argumentHint: 'N',
  run: async (args, { session }) => {
    if (!/^\d+$/.test(args)) return { kind: 'error', text: 'Say which one: /unpin N. /pin lists them.' };
    const pin = await session.getSession().context.unpin(Number(args));
    return { kind: 'notice', text: `No longer pinned: ${beginning(pin)}`, data: { pin } };
  },
};

function listed(pins: readonly Pin[]): CommandOutcome {
  const lines = pins.map((pin, index) => `${index + 1}. ${beginning(pin)}`);
  const text = lines.length === 0 ? 'Nothing is pinned. /pin TEXT pins a text.' : lines.join('\n');
  return { kind: 'notice', text, data: { pins } };
}

function beginning({ text }: Pin): string {
  const line = text.slice(0, 400).replace(/\s+/g, ' ').trim();
  return line.length <= 100 ? line : `${line.slice(0, 99).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
