import { EntryTree } from '../entry/tree.ts';
import { createHeader } from './create-header.ts';
import { SessionHandle } from './session-handle.ts';

/** A session that lives as long as the process and is found by nobody else; nothing of it is lost to itself. */
export function unkeptHandle(cwd: string): SessionHandle {
  return new SessionHandle({
    header: createHeader({ cwd }),
    tree: new EntryTree(),
    sink: { write: async () => {}, close: async () => {} },
    isNew: true,
    directory: undefined,
    problems: [],
  });
}
