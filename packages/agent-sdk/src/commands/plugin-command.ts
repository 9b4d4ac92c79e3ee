import { AgentError, type Command, errorMessage } from '@robota-sdk/agent-core';
import { splitArguments } from '@robota-sdk/agent-resources';
import type { InteractiveSession } from '../session/interactive-session.ts';

export const pluginCommand: Command<InteractiveSession> = {
  name: 'plugin',
  aliases: ['plugins'],
  description: 'Install, list, enable, disable, update and remove plugins, and browse marketplaces',
  argumentHint: '[install|uninstall|enable|disable|update|list|search|marketplace …]',
  complete: async (prefix) => {
    const { pluginVerbs } = await import('@robota-sdk/agent-admin');
    return pluginVerbs.filter((verb) => verb.startsWith(prefix));
  },
  run: async (args, { session, ui, signal }) => {
    const { runPluginRequest } = await import('@robota-sdk/agent-admin');
    const { cwd, host } = session.place;
    const onProgress = (text: string) => ui.notify({ level: 'info', text: `${text} …` });
    try {
      const { text, isOk, data } = await runPluginRequest(splitArguments(args), {
        cwd,
        host,
        ui,
        signal,
        onProgress,
      });
      return isOk ? { kind: 'notice', text, data } : { kind: 'error', text };
    } catch (thrown) {
      signal.throwIfAborted();
      if (!AgentError.is(thrown)) throw thrown;
      return { kind: 'error', text: errorMessage(thrown) };
    }
  },
};
