import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atExit, type StateKey, sandboxFolder, temporaryGone } from '@robota-sdk/agent-core';

/** Files that the sandboxes of a session share; removed when the process ends. */
export class SandboxDirectory {
  /** The `/tmp` of commands: private, and kept between commands. */
  readonly temporary: string;
  /** A file without any permission. */
  readonly unreadable: string;
  readonly #root: string;
  readonly #remove = () => {
    rmSync(this.#root, { recursive: true, force: true });
    temporaryGone(this.#root);
  };
  readonly #forgetExit: () => void;
  readonly #copies = new Map<string, string>();
  #sockets = 0;

  constructor() {
    this.#root = sandboxFolder();
    this.temporary = join(this.#root, 'tmp');
    this.unreadable = join(this.#root, 'unreadable');
    mkdirSync(this.temporary, { mode: 0o700 });
    writeFileSync(this.unreadable, '');
    chmodSync(this.unreadable, 0);
    this.#forgetExit = atExit(this.#remove);
  }

  /** Returns a socket name that no other command of the session uses. */
  nextSocket(): string {
    this.#sockets += 1;
    return join(this.#root, `proxy-${this.#sockets}`);
  }

  /** A file with replacement text. */
  copyOf(text: string): string {
    const known = this.#copies.get(text);
    if (known !== undefined) return known;
    const path = join(this.#root, `copy-${this.#copies.size + 1}`);
    writeFileSync(path, text, { mode: 0o600 });
    this.#copies.set(text, path);
    return path;
  }

  /** Removes everything; call it when the session ends. */
  dispose(): void {
    this.#forgetExit();
    this.#remove();
  }
}

/** The directory of a session. */
export const sandboxDirectory: StateKey<SandboxDirectory> = {
  name: 'sandboxDirectory',
  create: () => new SandboxDirectory(),
  dispose: (value) => value.dispose(),
};
