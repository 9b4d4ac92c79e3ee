import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { orElse } from '@robota-sdk/agent-core';
import { isVersion } from '@robota-sdk/agent-resources';

/** A hidden file next to a single executable that belongs to its updates. */
export interface FileBeside {
  readonly path: string;
  /** `former` and `next` can be started; `leftover` is a part of an interrupted update; `lock` is its lock. */
  readonly kind: 'former' | 'next' | 'leftover' | 'lock';
  /** The version of a file that can be started. */
  readonly version?: string;
}

/**
 * Lists the files of updates next to an executable: `.robota-0.1.0.former` for `robota`. A program named `robota-dev` in
 * the same folder has its own, so a name counts only if a version follows.
 */
export function filesBeside(executable: string): readonly FileBeside[] {
  const folder = dirname(executable);
  const start = `.${basename(executable, '.exe')}-`;
  return orElse(() => readdirSync(folder).sort(), [])
    .filter((name) => name.startsWith(start))
    .flatMap((name) => {
      const described = describe(name.slice(start.length).replace(/\.exe(?=\.|$)/, ''));
      return described === undefined ? [] : [{ path: join(folder, name), ...described }];
    });
}

function describe(name: string): Omit<FileBeside, 'path'> | undefined {
  if (name === 'update.lock') return { kind: 'lock' };
  if (/^partial-\d+$/.test(name)) return { kind: 'leftover' };
  const [, version = '', kind, draft] = /^(.+)\.(former|next)(\.\d+)?$/.exec(name) ?? [];
  if (!isVersion(version)) return undefined;
  if (draft !== undefined) return { kind: 'leftover' };
  return { kind: kind === 'former' ? 'former' : 'next', version };
}
