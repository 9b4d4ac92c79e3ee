import type { UserInterface } from '@robota-sdk/agent-core';
import { describeChange } from './describe-change.ts';
import type { ChangedServer } from './server-memory.ts';

/** Shows a server's current description and asks whether to use it. Anything but a clear yes is a no. */
export async function askAboutChange(changed: ChangedServer, ui: UserInterface): Promise<boolean> {
  const answer = await ui.ask({
    kind: 'confirm',
    title: `The MCP server ${changed.config.name} has changed its description since you started using it. Use it anyway?`,
    detail: describeChange(changed),
  });
  return answer.kind === 'confirmed' && answer.yes;
}
