import type { Command } from '@robota-sdk/agent-core';
import { describeDecision } from '../permissions/describe-decision.ts';
import { describePermissions } from '../permissions/permission-report.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

export const permissionsCommand: Command<InteractiveSession> = {
  name: 'permissions',
  description: 'Show the permission mode and every rule with its origin, or check a command',
  argumentHint: '[check COMMAND]',
  subcommands: [
    { name: 'list', description: 'Show mode and rules' },
    { name: 'check', description: 'Say what would be decided about a command' },
  ],
  run: async (args, { session }) => {
    const [, verb = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(args) ?? [];
    if (verb === '' || verb === 'list')
      return { kind: 'notice', text: describePermissions(await session.permissions.report()) };
    if (verb !== 'check' || rest === '')
      return { kind: 'error', text: 'Use /permissions, or /permissions check COMMAND.' };
    return {
      kind: 'notice',
      text: describeDecision(rest, await session.permissions.check({ command: rest })),
    };
  },
};
