import { appActions } from '../../packages/agent-screen/dist/keys/app-actions.js';

const groups = { app: 'In a conversation', tui: 'In the editor, lists and the pager' };

/** Every action that keys can be bound to. */
export function keysPage() {
  const actions = Object.entries(appActions);
  const parts = Object.entries(groups).map(([prefix, heading]) => {
    const lines = actions
      .filter(([id]) => id.startsWith(`${prefix}.`))
      .map(
        ([id, { keys, description }]) =>
          `| ${keys.map((key) => `<kbd>${key}</kbd>`).join(' ') || 'none'} | ${description} | \`${id}\` |`,
      );
    return `## ${heading}\n\n| keys | | action |\n|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `# Keys\n\nWritten from the table of the program. [The terminal](../terminal.md) says how to bind other keys to an action.\n\n${parts.join('\n')}`;
}
