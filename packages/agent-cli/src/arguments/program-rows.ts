import type { CommandRow } from '@robota-sdk/agent-sdk/front-end';

const json = { name: 'json', description: 'Print JSON' } as const;
const shell: Pick<CommandRow, 'needs' | 'during' | 'where'> = { needs: [], during: 'idle', where: ['shell'] };

/** The commands about the program itself. */
export const programRows: readonly CommandRow[] = [
  {
    ...shell,
    name: 'version',
    description: 'Print the version; --json adds Node, system and installation',
    options: [json],
  },
  {
    ...shell,
    name: 'update',
    description: 'Update to the latest or another version (docs/update.md)',
    options: [
      { name: 'check', description: 'Check for a newer version without installing it' },
      { name: 'to', value: 'VERSION', description: 'Install this version or tag, such as next' },
      { name: 'yes', description: 'Skip confirmation' },
      json,
    ],
    notes: `Runs the command of the package manager that installed Robota, after asking, and checks the new version.
Fails while a session is in use. There are no automatic updates. Update plugins with: robota plugin update`,
  },
  {
    ...shell,
    name: 'uninstall',
    description: 'Remove the program, completions and caches; keep settings, keys and sessions',
    options: [
      { name: 'all', description: 'Also remove settings, keys and sessions' },
      { name: 'dry-run', description: 'Print what would be removed, with sizes' },
      { name: 'yes', description: 'Skip confirmation' },
      json,
    ],
    notes: 'Remove plugins with robota plugin uninstall. Symbolic links are removed, never their targets.',
  },
];
