import type { AnyTool } from '@robota-sdk/agent-core';
import type { Conversation, ConversationOptions } from '@robota-sdk/agent-sessions';
import { dateReminder } from './date-reminder.ts';
import { planReminder } from './plan-reminder.ts';
import { todoReminder } from './todo-reminder.ts';

export interface ReminderOptions {
  readonly start: Date;
  session(): Conversation;
  isPlanning(): boolean;
  /** The tools in plan mode, which the model is not reminded of without its tool. */
  readonly planTools: readonly AnyTool[];
  readonly planInstructions?: string | undefined;
  /** Sent with the first prompt. */
  readonly environment?: string | undefined;
}

/** Reminders for the model after a prompt: a new date, plan mode, and the todo list if there is a tool for it. */
export function reminders(
  tools: readonly AnyTool[],
  { start, session, isPlanning, planTools, planInstructions, environment }: ReminderOptions,
): NonNullable<ConversationOptions['reminder']> {
  const [date, todo] = [dateReminder(start), todoReminder(tools)];
  const plan = planReminder(planTools, isPlanning, planInstructions);
  return (promptsBefore) => {
    const first = promptsBefore === 0 ? environment : undefined;
    const said = [first, date(session().messages), plan(), todo(promptsBefore)].filter(
      (text) => text !== undefined,
    );
    return said.length === 0 ? undefined : said.join('\n');
  };
}
