import type { CommandRow } from '@robota-sdk/agent-sdk/front-end';

/** `robota web`. */
export const webRow: CommandRow = {
  needs: [],
  during: 'idle',
  where: ['shell'],
  name: 'web',
  description: 'Use sessions in a browser (docs/web.md)',
  subcommands: [
    { name: 'serve', description: 'Start the server and print its URL; the default' },
    {
      name: 'devices',
      description: 'List the browsers with access',
      variants: [{ argumentHint: 'revoke ID…', description: 'Revoke access of browsers' }],
    },
  ],
  options: [
    { name: 'port', value: 'N', description: 'Listen on port N (default: a free one)', of: ['serve'] },
    { name: 'open', description: 'Open the URL in the default browser', of: ['serve'] },
    {
      name: 'socket',
      value: 'PATH',
      description: 'Listen on a Unix socket, for ssh -L or a proxy; --port is the port in the browser',
      of: ['serve'],
    },
    {
      name: 'lan',
      description: 'Listen on all network interfaces; requires --cert and --key',
      of: ['serve'],
    },
    {
      name: 'cert',
      value: 'FILE',
      description: 'TLS certificate for the names of this machine',
      of: ['serve'],
    },
    { name: 'key', value: 'FILE', description: 'Private key of the certificate', of: ['serve'] },
    { name: 'shell', description: 'Allow !command in prompts; not with --lan', of: ['serve'] },
    { name: 'json', description: 'Print JSON', of: ['devices'] },
  ],
  notes:
    'The URL works once, for one minute; press Enter to print a new one. The server listens on 127.0.0.1; stop it with Ctrl+C.',
};
