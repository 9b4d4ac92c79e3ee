import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guard, list, makeDirectories, parseJson, text } from '@robota-sdk/agent-core';
import { copyEntries } from './copy-files.ts';

const areEntries = guard<readonly string[]>(() => list(text));

/** The files that set-ups made, by key. An entry appears whole or not at all. */
export class SetUpCache {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The lock of set-ups with a key: the first one works while the others wait for its files. */
  lockFile(key: string): string {
    return join(this.#directory, `${key}.setup`);
  }

  /** True if set-ups with this key are known to be of no use elsewhere, so that none waits for another. */
  isUseless(key: string): boolean {
    return existsSync(join(this.#directory, `${key}.useless`));
  }

  async markUseless(key: string): Promise<void> {
    makeDirectories(this.#directory);
    await writeFile(join(this.#directory, `${key}.useless`), '');
  }

  /** Puts the files of a key into a worktree; false if there are none. */
  async restore(key: string, to: string, signal: AbortSignal): Promise<boolean> {
    const kept = join(this.#directory, key);
    const written = await readFile(join(kept, 'entries.json'), 'utf8').catch(() => '');
    const entries = parseJson(written);
    if (!areEntries(entries)) return false;
    // Before it is used: a collection of old ones looks at the time.
    const now = new Date();
    await utimes(kept, now, now).catch(() => {});
    await copyEntries({ from: join(kept, 'files'), to, entries, parents: 'require', signal });
    return true;
  }

  async keep(
    key: string,
    from: string,
    { entries, signal }: { entries: readonly string[]; signal: AbortSignal },
  ): Promise<void> {
    const draft = join(this.#directory, `.new-${randomUUID()}`);
    makeDirectories(join(draft, 'files'));
    try {
      await copyEntries({ from, to: join(draft, 'files'), entries, parents: 'make', signal });
      await writeFile(join(draft, 'entries.json'), JSON.stringify(entries));
      await rename(draft, join(this.#directory, key));
    } catch (thrown) {
      await rm(draft, { recursive: true, force: true });
      // Another process kept the same meanwhile.
      if (!existsSync(join(this.#directory, key, 'entries.json'))) throw thrown;
    }
  }
}
