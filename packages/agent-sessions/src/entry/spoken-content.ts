import { textOf, type UserContent, type UserMessage } from '@robota-sdk/agent-core';

const reminder = /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/;

/** The user's input: of a command its name and arguments, not the text it stands for. */
export function typedText({ shown, content }: UserMessage): string {
  return shown ?? textOf(spokenContent(content));
}

/** The user's own part of a prompt, without the reminders the program appended for the model. */
export function spokenContent(content: readonly UserContent[]): readonly UserContent[] {
  return content.filter((block, at) => !isReminder(block, at));
}

/** The reminders after the user's part of a prompt. */
export function remindersIn(content: readonly UserContent[]): readonly UserContent[] {
  return content.filter(isReminder);
}

/** The first block is always the user's, even if it looks like a reminder. */
function isReminder(block: UserContent, at: number): boolean {
  return at > 0 && block.type === 'text' && reminder.test(block.text);
}
