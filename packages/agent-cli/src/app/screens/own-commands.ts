/** Commands that only the terminal UI has, for completion and help. */
export const ownCommands: readonly { readonly name: string; readonly description: string }[] = [
  { name: 'theme', description: 'Choose the colours' },
  { name: 'settings', description: 'Show and change settings' },
  { name: 'keys', description: 'Show every key' },
];
