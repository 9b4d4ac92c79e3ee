import { type AnyTool, GrowingFold, type Message } from '@robota-sdk/agent-core';
import type { Conversation, ConversationOptions } from '@robota-sdk/agent-sessions';
import { exitPlanTool } from '@robota-sdk/agent-tools';
import { localDate } from './system-prompt.ts';
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

/** `instructions` say how the plan is to be made. */
const on = (instructions: string) =>
  `<reminder>Plan mode is on: read and search, but change nothing.${instructions === '' ? '' : `\n${instructions}\n`} When the plan is complete, present it with ${exitPlanTool.name}; do not ask for approval in text. This is not from the user; do not mention it.</reminder>`;
const off =
  '<reminder>The user turned plan mode off: files may be changed now. This is not from the user; do not mention it.</reminder>';

/** Reminds the model of plan mode with every prompt, and once of its end. */
function planReminder(
  tools: readonly AnyTool[],
  isPlanning: () => boolean,
  instructions = '',
): () => string | undefined {
  const canPresent = tools.some(({ name }) => name === exitPlanTool.name);
  let wasPlanning = false;
  return () => {
    if (!canPresent) return undefined;
    const before = wasPlanning;
    wasPlanning = isPlanning();
    if (wasPlanning) return on(instructions);
    return before ? off : undefined;
  };
}

/**
 * Appends the date to a prompt when it differs from what the conversation knows: the system prompt keeps its date, so
 * that the cached beginning stays valid.
 */
function dateReminder(start: Date): (messages: readonly Message[], now?: Date) => string | undefined {
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
