import type { Extension } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';
import { clearCommand } from './clear-command.ts';
import { compactCommand } from './compact-command.ts';
import { contextCommand } from './context-command.ts';
import { costCommand } from './cost-command.ts';
import { exitCommand } from './exit-command.ts';
import { helpCommand } from './help-command.ts';
import { modeCommand } from './mode-command.ts';
import { modelCommand } from './model-command.ts';
import { permissionsCommand } from './permissions-command.ts';

/** The commands that come with the product, as the extension they are. */
export const builtInCommands: Extension<InteractiveSession> = {
  name: 'built-in',
  setup: (host) => {
    host.command(helpCommand);
    host.command(clearCommand);
    host.command(compactCommand);
    host.command(contextCommand);
    host.command(costCommand);
    host.command(modeCommand);
    host.command(modelCommand);
    host.command(permissionsCommand);
    host.command(exitCommand);
  },
};
