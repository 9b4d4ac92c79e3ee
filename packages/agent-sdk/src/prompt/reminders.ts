import type { AnyTool } from '@robota-sdk/agent-core';
import type { Session, SessionOptions } from '@robota-sdk/agent-sessions';
import { dateReminder } from './date-reminder.ts';
import { todoReminder } from './todo-reminder.ts';

/** Reminders for the model after a prompt: a changed date, and to keep the plan in its tool. */
export function reminders(
  tools: readonly AnyTool[],
  start: Date,
  session: () => Session,
): NonNullable<SessionOptions['reminder']> {
  const [date, todo] = [dateReminder(start), todoReminder(tools)];
  return (promptsBefore) => {
    const said = [date(session().messages), todo(promptsBefore)].filter((text) => text !== undefined);
    return said.length === 0 ? undefined : said.join('\n');
  };
}
