import type { AnyTool } from '@robota-sdk/agent-core';
import type { Conversation, SessionOptions } from '@robota-sdk/agent-sessions';
import { dateReminder } from './date-reminder.ts';
import { planReminder } from './plan-reminder.ts';
import { todoReminder } from './todo-reminder.ts';

export interface ReminderOptions {
  readonly start: Date;
  session(): Conversation;
  isPlanning(): boolean;
  readonly planInstructions?: string | undefined;
  /** Said with the first prompt. */
  readonly environment?: string | undefined;
}

/** Reminders for the model after a prompt: a new date, plan mode, and to keep todos where a tool keeps them. */
export function reminders(
  tools: readonly AnyTool[],
  { start, session, isPlanning, planInstructions, environment }: ReminderOptions,
): NonNullable<SessionOptions['reminder']> {
  const [date, todo] = [dateReminder(start), todoReminder(tools)];
  const plan = planReminder(tools, isPlanning, planInstructions);
  return (promptsBefore) => {
    const first = promptsBefore === 0 ? environment : undefined;
    const said = [first, date(session().messages), plan(), todo(promptsBefore)].filter(
      (text) => text !== undefined,
    );
    return said.length === 0 ? undefined : said.join('\n');
  };
}
