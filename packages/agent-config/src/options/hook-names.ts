/** The events of a session that hooks can be set for. */
export const hookEventNames = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'PreCompact',
  'PostCompact',
  'Stop',
  'SubagentStart',
  'SubagentStop',
  'Notification',
  'SessionEnd',
] as const;

export type HookEventName = (typeof hookEventNames)[number];

export function isHookEventName(name: string): name is HookEventName {
  return hookEventNames.some((known) => known === name);
}
