import type { Extension } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../session/interactive-session.ts';
import { agentCommand } from './agent-command.ts';
import { clearCommand } from './clear-command.ts';
import { compactCommand } from './compact-command.ts';
import { configCommand } from './config-command.ts';
import { contextCommand } from './context-command.ts';
import { costCommand } from './cost-command.ts';
import { exitCommand } from './exit-command.ts';
import { exportCommand } from './export-command.ts';
import { forkCommand } from './fork-command.ts';
import { helpCommand } from './help-command.ts';
import { initCommand } from './init-command.ts';
import { languageCommand } from './language-command.ts';
import { mcpCommand } from './mcp-command.ts';
import { modeCommand } from './mode-command.ts';
import { modelCommand } from './model-command.ts';
import { nameCommand } from './name-command.ts';
import { newCommand } from './new-command.ts';
import { permissionsCommand } from './permissions-command.ts';
import { pinCommand, unpinCommand } from './pin-command.ts';
import { pluginCommand } from './plugin-command.ts';
import { recallCommand } from './recall-command.ts';
import { reloadCommand } from './reload-command.ts';
import { resumeCommand } from './resume-command.ts';
import { rewindCommand } from './rewind-command.ts';
import { tasksCommand } from './tasks-command.ts';
import { treeCommand } from './tree-command.ts';

/** The commands that come with the product, as the extension they are. */
export const builtInCommands: Extension<InteractiveSession> = {
  name: 'built-in',
  setup: (host) => {
    host.command(helpCommand);
    host.command(clearCommand);
    host.command(compactCommand);
    host.command(contextCommand);
    host.command(pinCommand);
    host.command(unpinCommand);
    host.command(recallCommand);
    host.command(costCommand);
    host.command(modeCommand);
    host.command(modelCommand);
    host.command(permissionsCommand);
    host.command(languageCommand);
    host.command(initCommand);
    host.command(configCommand);
    host.command(pluginCommand);
    host.command(mcpCommand);
    host.command(reloadCommand);
    host.command(rewindCommand);
    host.command(resumeCommand);
    host.command(newCommand);
    host.command(forkCommand);
    host.command(treeCommand);
    host.command(nameCommand);
    host.command(exportCommand);
    host.command(agentCommand);
    host.command(tasksCommand);
    host.command(exitCommand);
  },
};
