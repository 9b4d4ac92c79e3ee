/** The default decision if no rule matches. */
export const permissionModes = ['plan', 'default', 'acceptEdits', 'bypassPermissions'] as const;
export type PermissionMode = (typeof permissionModes)[number];

export function isPermissionMode(value: unknown): value is PermissionMode {
  return permissionModes.includes(value as PermissionMode);
}
