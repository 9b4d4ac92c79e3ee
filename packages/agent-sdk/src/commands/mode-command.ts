import { type Command, isPermissionMode, nearest, permissionModes } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';

export const modeCommand: Command<InteractiveSession> = {
  name: 'mode',
  description: 'Show or change the permission mode',
  argumentHint: '[plan|default|acceptEdits|bypassPermissions]',
  subcommands: [
    { name: 'plan', description: 'Only read' },
    { name: 'default', description: 'Ask before files are changed and commands run' },
    { name: 'acceptEdits', description: 'Change files of the workspace without asking' },
    { name: 'bypassPermissions', description: 'Ask nothing' },
  ],
  run: async (args, { session }) => {
    if (args === '') return { kind: 'notice', text: `Permission mode: ${session.permissions.mode}` };
    if (!isPermissionMode(args)) {
      const [near] = nearest(args, permissionModes);
      const hint = near === undefined ? '' : ` Did you mean ${near}?`;
      return {
        kind: 'error',
        text: `Unknown mode "${args}". Available: ${permissionModes.join(', ')}.${hint}`,
      };
    }
    session.permissions.mode = args;
    return { kind: 'notice', text: `Permission mode: ${args} (this session only).` };
  },
};
