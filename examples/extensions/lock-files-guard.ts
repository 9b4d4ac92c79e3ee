// A guard: refuses edits of lock files.
import { basename } from 'node:path';
import type { Extension } from '@robota-sdk/agent-sdk';

const lockFiles = new Set(['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'Cargo.lock', 'uv.lock']);

const extension: Extension = {
  name: 'lock-files-guard',
  setup: (host) => {
    host.hook('tool-before', ({ access }) => {
      const touched = access.find((each) => each.kind === 'write' && lockFiles.has(basename(each.path)));
      if (touched?.kind !== 'write') return undefined;
      return { block: `${basename(touched.path)} is written by its package manager; run that instead.` };
    });
  },
};

export default extension;
