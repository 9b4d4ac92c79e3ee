import { EntryTree } from '../entry/tree.ts';
import { copyInto } from './copy-into.ts';
import { createHeader } from './create-header.ts';
import { SessionHandle } from './session-handle.ts';

/** A session that exists only in this process and in no list. */
export function unkeptHandle(cwd: string, id?: string): SessionHandle {
  return new SessionHandle({
    header: createHeader({ cwd, ...(id === undefined ? {} : { id }) }),
    tree: new EntryTree(),
    sink: { write: async () => {}, close: async () => {} },
    isNew: true,
    directory: undefined,
    isKept: false,
    problems: [],
  });
}

/** A copy of a session that lives as long as the process; the session itself is only read. */
export async function unkeptCopy(source: SessionHandle, cwd: string): Promise<SessionHandle> {
  const copy = unkeptHandle(cwd);
  await copyInto(copy, source, source.leafId);
  return copy;
}
