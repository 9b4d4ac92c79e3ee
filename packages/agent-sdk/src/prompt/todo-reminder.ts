import type { AnyTool } from '@robota-sdk/agent-core';

/** The model hears it with the first prompt and with every tenth after it. */
const everyPrompts = 10;

const text =
  '<reminder>Work of two or more steps gets a plan: keep it with TodoWrite and complete each item as you finish it. This is not from the user; do not mention it.</reminder>';

/** Reminds a model with a todo tool to use it, at first and from time to time. */
export function todoReminder(tools: readonly AnyTool[]): (promptsBefore: number) => string | undefined {
  const canPlan = tools.some((tool) => tool.name === 'TodoWrite');
  return (promptsBefore) => (canPlan && promptsBefore % everyPrompts === 0 ? text : undefined);
}
