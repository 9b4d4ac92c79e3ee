// A command with completion: /review asks the model to look at changes.
import type { Extension } from '@robota-sdk/agent-sdk';
import type { InteractiveSession } from '@robota-sdk/agent-sdk/compat';

const scopes: Readonly<Record<string, string>> = {
  staged: 'Look at `git diff --cached`.',
  unstaged: 'Look at `git diff`.',
  branch: 'Look at what this branch adds to the main one.',
};

const extension: Extension<InteractiveSession> = {
  name: 'review',
  setup: (host) => {
    host.command({
      name: 'review',
      description: 'Have changes reviewed',
      argumentHint: '[staged|unstaged|branch]',
      complete: async (prefix) => Object.keys(scopes).filter((scope) => scope.startsWith(prefix)),
      run: async (args) => {
        const scope = scopes[args === '' ? 'staged' : args];
        if (scope === undefined)
          return { kind: 'error', text: `/review knows ${Object.keys(scopes).join(', ')}.` };
        return {
          kind: 'prompt',
          text: `Review changes. ${scope} Name defects as path:line, the worst first.`,
        };
      },
    });
  },
};

export default extension;
