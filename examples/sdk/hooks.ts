// Hooks are functions by name. A `tool-before` hook that throws blocks the call.
import { query } from '@robota-sdk/agent-sdk';

await query('Upgrade the dependencies', {
  cwd: 'app',
  permissionMode: 'bypassPermissions',
  hooks: {
    'tool-before': ({ call }) =>
      /npm publish/.test(String(call.input.command)) ? { block: 'Publishing is not allowed.' } : undefined,
    'tool-after': ({ call }) => console.log('audit', call.name),
    'run-stop': ({ text, repeated }) =>
      repeated || /tests pass/i.test(text) ? undefined : { continueWith: 'Run the tests first.' },
  },
});
