import type { Command } from '@robota-sdk/agent-core';
import { liveSettings } from '../assembly/follow-settings.ts';
import type { InteractiveSession } from '../session/interactive-session.ts';

const help =
  'Use /config, /config get KEY, set KEY VALUE, unset KEY, explain KEY, path, edit, schema or warnings.';

export const configCommand: Command<InteractiveSession> = {
  name: 'config',
  description: 'Show and change settings, and tell where they come from',
  argumentHint: '[get|set|unset|explain KEY | path | edit | schema | warnings]',
  complete: async (prefix) => {
    const [verb = '', key] = prefix.split(/\s+/);
    const { configVerbs } = await import('@robota-sdk/agent-admin');
    if (key === undefined) return configVerbs.filter((each) => each.startsWith(verb));
    const { settingKeys } = await import('@robota-sdk/agent-config');
    return settingKeys()
      .filter((each) => each.startsWith(key))
      .map((each) => `${verb} ${each}`);
  },
  run: async (args, { session }) => {
    const live = session.getSession().state.get(liveSettings).current;
    if (!live)
      return { kind: 'error', text: 'This session has its settings from a program, not from files.' };
    const words = args.match(/\S+/g) ?? [];
    if (words[0] === 'help') return { kind: 'notice', text: help };
    if (words[0] === 'warnings') return { kind: 'notice', text: warningsOf(session) };
    const { parseConfigWords } = await import('@robota-sdk/agent-admin');
    const { runConfigRequest } = await import('@robota-sdk/agent-admin');
    const answer = await runConfigRequest(parseConfigWords(words), live.place);
    const notes = answer.changed === undefined ? [] : await live.reload();
    return { kind: 'notice', text: [answer.text, ...notes].join('\n'), data: answer.data };
  },
};

/** All of them: where a session begins, those told before are left out. */
function warningsOf({ warnings }: InteractiveSession): string {
  if (warnings.length === 0) return 'Nothing in the settings of this session is doubtful.';
  return warnings.map((warning) => `warning: ${warning}`).join('\n');
}
