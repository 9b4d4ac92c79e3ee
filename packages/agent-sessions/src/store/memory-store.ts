import { resolve } from 'node:path';
import { AgentError, checkArguments, givenFields, pathShape, text } from '@robota-sdk/agent-core';
import { decodeLine } from '../entry/codec.ts';
import type { SessionHeader } from '../entry/entry.ts';
import { requestOf } from '../entry/request-of.ts';
import { typedText } from '../entry/spoken-content.ts';
import { EntryTree } from '../entry/tree.ts';
import { createHeader } from './create-header.ts';
import type { LineSink } from './line-sink.ts';
import { readSessionLines } from './read-session-file.ts';
import { SessionHandle } from './session-handle.ts';
import {
  directoryOption,
  type FollowedLine,
  type FollowOptions,
  followOptions,
  type NewSessionOptions,
  type OpenSessionOptions,
  openOptions,
  resolveReference,
  SessionStorePort,
  type SessionSummary,
} from './session-store.ts';
import { originOf } from './session-summary.ts';

interface Kept {
  readonly header: SessionHeader;
  readonly lines: string[];
  modified: number;
  inUse: boolean;
  isDeleted: boolean;
  /** Called after every write and when the session is deleted. */
  readonly followers: Set<() => void>;
}

/** Sessions that live as long as the process: for `--no-session` and for tests. */
export class MemorySessionStore extends SessionStorePort {
  readonly #kept = new Map<string, Kept>();
  #clock = 0;

  override async create(options: NewSessionOptions): Promise<SessionHandle> {
    const header = createHeader(options);
    if (this.#kept.has(header.id)) {
      throw new AgentError(
        'session',
        `There is a session ${header.id} already. Open it, or choose another id.`,
      );
    }
    const sink = this.#sink({
      header,
      lines: [],
      modified: 0,
      inUse: true,
      isDeleted: false,
      followers: new Set(),
    });
    return new SessionHandle({
      header,
      tree: new EntryTree(),
      sink,
      isNew: true,
      directory: undefined,
      problems: [],
    });
  }

  override async open(reference: string, options: OpenSessionOptions = {}): Promise<SessionHandle> {
    checkArguments('SessionStore.open', { reference: [reference, text], options: [options, openOptions] });
    const { mode = 'append' } = options;
    const kept = this.#find(reference);
    if (mode === 'append' && kept.inUse) {
      throw new AgentError('session-in-use', 'The session is in use by this process.', {
        hint: 'Close it there, continue in a copy with --fork, or follow it.',
      });
    }
    const { tree, problems, foreignLines } = readSessionLines(
      kept.lines.flatMap((lines) => lines.split('\n')),
    );
    if (mode === 'append') kept.inUse = true;
    const sink = mode === 'append' ? this.#sink(kept) : undefined;
    return new SessionHandle({
      header: kept.header,
      tree,
      sink,
      isNew: false,
      directory: undefined,
      foreignLines,
      problems,
    });
  }

  override async latest(cwd: string): Promise<SessionSummary | undefined> {
    checkArguments('SessionStore.latest', { cwd: [cwd, pathShape] });
    return (await this.list({ cwd }))[0];
  }

  override async list(options: { readonly cwd?: string } = {}): Promise<SessionSummary[]> {
    checkArguments('SessionStore.list', { options: [options, directoryOption] });
    const { cwd } = options;
    return [...this.#kept.values()]
      .filter(({ header }) => cwd === undefined || header.cwd === resolve(cwd))
      .sort((a, b) => b.modified - a.modified)
      .map(summarize);
  }

  override async *follow(reference: string, options: FollowOptions = {}): AsyncGenerator<FollowedLine> {
    checkArguments('SessionStore.follow', {
      reference: [reference, text],
      options: [options, followOptions],
    });
    const { signal } = options;
    const kept = this.#find(reference);
    for (let read = 0; !signal?.aborted; ) {
      while (read < kept.lines.length) {
        for (const line of (kept.lines[read++] ?? '').split('\n')) if (line !== '') yield decodeLine(line);
      }
      if (kept.isDeleted) return;
      await changeOf(kept, signal);
    }
  }

  override async delete(reference: string): Promise<void> {
    checkArguments('SessionStore.delete', { reference: [reference, text] });
    const kept = this.#find(reference);
    if (kept.inUse) {
      throw new AgentError(
        'session',
        'The session is in use by this process. Close it there before it is deleted.',
      );
    }
    this.#kept.delete(kept.header.id);
    kept.isDeleted = true;
    for (const wake of kept.followers) wake();
  }

  override async has(id: string): Promise<boolean> {
    checkArguments('SessionStore.has', { id: [id, text] });
    return this.#kept.has(id);
  }

  #find(reference: string): Kept {
    const kept = this.#kept.get(resolveReference(reference, [...this.#kept.keys()]));
    if (!kept) throw new AgentError('session', `Unknown session "${reference}".`);
    return kept;
  }

  #sink(kept: Kept): LineSink {
    return {
      write: async (lines) => {
        if (lines !== '') kept.lines.push(lines);
        kept.modified = ++this.#clock;
        this.#kept.set(kept.header.id, kept);
        for (const wake of kept.followers) wake();
      },
      close: async () => {
        kept.inUse = false;
      },
    };
  }
}

/** Resolves at the next change of a session, or when aborted. */
async function changeOf({ followers }: Kept, signal: AbortSignal | undefined): Promise<void> {
  let wake = () => {};
  const change = new Promise<void>((resolve) => {
    wake = resolve;
  });
  followers.add(wake);
  signal?.addEventListener('abort', wake, { once: true });
  if (!signal?.aborted) await change;
  followers.delete(wake);
  signal?.removeEventListener('abort', wake);
}

function summarize({ header, lines }: Kept): SessionSummary {
  const { tree } = readSessionLines(lines.flatMap((text) => text.split('\n')));
  const entries = [...tree.entries()];
  const created = header.timestamp;
  const request = entries.map(requestOf).find((found) => found !== undefined);
  const firstPrompt = request && typedText(request);
  return {
    id: header.id,
    cwd: header.cwd,
    created,
    modified: entries.at(-1)?.timestamp ?? created,
    messages: tree.messageCount,
    cost: tree.totals.cost,
    ...givenFields({ name: tree.name, firstPrompt, ...originOf(header) }),
  };
}
