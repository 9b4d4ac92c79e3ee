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
    return `## ${heading}\n\n| keys | meaning | action |\n|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `# Keys\n\nGenerated from the key table of this version. See [the terminal](../terminal.md) to bind other keys.\n\n${parts.join('\n')}`;
}
