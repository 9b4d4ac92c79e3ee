import type { AnyTool } from '@robota-sdk/agent-core';
import type { Conversation, SessionOptions } from '@robota-sdk/agent-sessions';
import { dateReminder } from './date-reminder.ts';
import { planReminder } from './plan-reminder.ts';
import { todoReminder } from './todo-reminder.ts';

export interface ReminderOptions {
  readonly start: Date;
  session(): Conversation;
  isPlanning(): boolean;
}

/** Reminders for the model after a prompt: a new date, plan mode, and to keep todos where a tool keeps them. */
export function reminders(
  tools: readonly AnyTool[],
  { start, session, isPlanning }: ReminderOptions,
): NonNullable<SessionOptions['reminder']> {
  const [date, todo, plan] = [dateReminder(start), todoReminder(tools), planReminder(tools, isPlanning)];
  return (promptsBefore) => {
    const said = [date(session().messages), plan(), todo(promptsBefore)].filter((text) => text !== undefined);
    return said.length === 0 ? undefined : said.join('\n');
  };
}
