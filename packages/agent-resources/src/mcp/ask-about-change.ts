import type { UserInterface } from '@robota-sdk/agent-core';
import { describeChange } from './describe-change.ts';
import type { ChangedServer } from './server-memory.ts';

/** Shows what a server says now and asks whether it may be used like that. Whatever is no clear yes is a no. */
export async function askAboutChange(changed: ChangedServer, ui: UserInterface): Promise<boolean> {
  const answer = await ui.ask({
    kind: 'confirm',
    title: `The MCP server ${changed.config.name} describes itself in other words than when you began to use it. Use it as it is now?`,
    detail: describeChange(changed),
  });
  return answer.kind === 'confirmed' && answer.yes;
}
