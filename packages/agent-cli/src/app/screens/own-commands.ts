/** Commands that only the terminal UI has, for completion and help. */
export const ownCommands: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'theme', description: 'Choose the colours' },
  { name: 'settings', description: 'Show and change settings' },
  { name: 'keys', description: 'Show every key' },
];

/** Commands that open a screen where nothing is said behind them. */
export const commandsWithScreens: ReadonlySet<string> = new Set([
  'model',
  'resume',
  'tree',
  'rewind',
  'context',
  'recall',
  'config',
  'help',
]);
