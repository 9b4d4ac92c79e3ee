import type { UserContent } from '@robota-sdk/agent-core';

const reminder = /^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/;

/** What a person said in a message: without the reminders that the program put behind it for the model alone. */
export function spokenContent(content: readonly UserContent[]): readonly UserContent[] {
  return content.filter((block, at) => at === 0 || block.type !== 'text' || !reminder.test(block.text));
}
