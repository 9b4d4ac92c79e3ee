import type { CommandRow } from '@robota-sdk/agent-sdk/front-end';

const json = { name: 'json', description: 'Print JSON' } as const;
const shell: Pick<CommandRow, 'needs' | 'during' | 'where'> = { needs: [], during: 'idle', where: ['shell'] };

/** The commands about the program itself. */
export const programRows: readonly CommandRow[] = [
  {
    ...shell,
    name: 'version',
    description: 'Print the version; with --json also Node, the system and the installation',
    options: [json],
  },
  {
    ...shell,
    name: 'update',
    description: 'Install another version beside this one, try it, and switch to it (docs/update.md)',
    options: [
      { name: 'check', description: 'Only ask the registry whether there is a newer version' },
      { name: 'to', value: 'VERSION', description: 'Install this version, or the one of a tag such as next' },
      { name: 'back', description: 'Return to the version in use before' },
      json,
    ],
    notes: `The registry is that of npm's configuration. Nothing is switched while Robota runs elsewhere, and nothing is
asked or installed unless you call this command. Plugins are updated by robota plugin update.`,
  },
  {
    ...shell,
    name: 'uninstall',
    description: 'Remove the program, completions and caches; settings, keys and sessions stay',
    options: [
      { name: 'all', description: 'Also remove settings, keys and sessions' },
      { name: 'dry-run', description: 'Only print what would be removed, with sizes' },
      { name: 'yes', description: 'Do not ask' },
      json,
    ],
    notes: 'Plugins are removed by robota plugin uninstall. What a link leads to is never removed.',
  },
];
