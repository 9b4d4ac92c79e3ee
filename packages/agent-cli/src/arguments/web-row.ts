import type { CommandRow } from '@robota-sdk/agent-sdk/front-end';

/** `robota web`. */
export const webRow: CommandRow = {
  needs: [],
  during: 'idle',
  where: ['shell'],
  name: 'web',
  description: 'Use sessions in a browser: watch, answer, review, usage (docs/web.md)',
  subcommands: [
    { name: 'serve', description: 'Start the server and print its address; plain robota web does the same' },
    {
      name: 'devices',
      description: 'List the browsers that were let in',
      variants: [{ argumentHint: 'revoke ID…', description: 'Lock some of them out, at once' }],
    },
  ],
  options: [
    { name: 'port', value: 'N', description: 'Listen on port N (default: a free one)', of: ['serve'] },
    { name: 'open', description: 'Open the address in the default browser', of: ['serve'] },
    {
      name: 'socket',
      value: 'PATH',
      description: 'Listen on a Unix socket, for ssh -L or a proxy; --port is the port of the browser',
      of: ['serve'],
    },
    { name: 'lan', description: 'Listen on every network; needs --cert and --key', of: ['serve'] },
    {
      name: 'cert',
      value: 'FILE',
      description: 'The certificate, with the names of this machine',
      of: ['serve'],
    },
    { name: 'key', value: 'FILE', description: 'The key of the certificate', of: ['serve'] },
    { name: 'shell', description: 'Let !command lines of the page run; never with --lan', of: ['serve'] },
    { name: 'json', description: 'Print JSON', of: ['devices'] },
  ],
  notes: `The address works once and for a minute; Enter prints a new one. The server listens on 127.0.0.1 and ends with Ctrl+C.`,
};
