import type { Command, Rule } from '@robota-sdk/agent-core';
import type { InteractiveSession } from '../interactive-session.ts';

export const permissionsCommand: Command<InteractiveSession> = {
  name: 'permissions',
  description: 'Show the permission mode and every rule with its origin',
  run: async (_args, { session }) => {
    const { mode, rules, authorizer } = session.permissions;
    const sections = (['deny', 'ask', 'allow'] as const).map((list) => {
      const listed = list === 'allow' ? [...rules.allow, ...authorizer.sessionRules] : rules[list];
      return `${list}:\n${listed.map(describe).join('\n') || '  (none)'}`;
    });
    return { kind: 'notice', text: [`mode: ${mode}`, ...sections].join('\n') };
  },
};

function describe({ text, origin }: Rule): string {
  const place = origin.line === undefined ? origin.source : `${origin.source}:${origin.line}`;
  return `  ${text}  (${place})`;
}
