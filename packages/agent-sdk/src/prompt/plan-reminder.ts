import type { AnyTool } from '@robota-sdk/agent-core';
import { exitPlanTool } from '@robota-sdk/agent-tools';

/** `instructions` say how the plan is to be made. */
const on = (instructions: string) =>
  `<reminder>Plan mode is on: read and search, but change nothing.${instructions === '' ? '' : `\n${instructions}\n`} When the plan is complete, present it with ${exitPlanTool.name}; do not ask for approval in text. This is not from the user; do not mention it.</reminder>`;
const off =
  '<reminder>The user turned plan mode off: files may be changed now. This is not from the user; do not mention it.</reminder>';

/** Reminds the model of plan mode with every prompt, and once of its end. */
export function planReminder(
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
