// Context: tells the model the current branch whenever it changed since the last prompt.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExtensionModule } from '@robota-sdk/agent-sdk';

// A function is called once for each session, so that every session has its own `told`.
const extension: ExtensionModule = ({ cwd }) => {
  let told: string | undefined;
  return {
    name: 'branch-context',
    setup: (host) => {
      host.hook('input', async () => {
        const head = await readFile(join(cwd, '.git', 'HEAD'), 'utf8').catch(() => '');
        const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1];
        if (branch === undefined || branch === told) return undefined;
        told = branch;
        return { context: `The current git branch is ${branch}.` };
      });
    },
    dispose: () => {
      told = undefined;
    },
  };
};

export default extension;
