import { AgentError } from '@robota-sdk/agent-core';
import {
  type AppendOptions,
  type Entry,
  EntryTree,
  formatVersion,
  type LinePosition,
  type LineSink,
  type ReadSessionOptions,
  readSessionFile,
  rescueLines,
  type SessionContent,
  SessionHandle,
  type SessionHeader,
  type SessionProblem,
} from '@robota-sdk/agent-sessions';
import { SpoolFile } from './spool-file.ts';

/** A session whose lines are kept elsewhere than in a file of this machine, such as in a database. */
export interface SpooledSession {
  readonly id: string;
  /** Names the place of the lines in messages. */
  readonly target: string;
  /** Takes the lines; undefined for a session that is only read. What waits after its end is saved to a file. */
  readonly sink: LineSink | undefined;
  readonly directory: string | undefined;
  readonly problems?: readonly SessionProblem[];
  readonly onProblem: (problem: SessionProblem) => void;
}

/** A new session; nothing is stored before its first entry. */
export function createSpooled(header: SessionHeader, session: SpooledSession): SessionHandle {
  const { directory, problems = [] } = session;
  const sink = session.sink && new SpoolingSink(session, { sink: session.sink, spool: undefined });
  return new SessionHandle({ header, tree: new EntryTree(), sink, isNew: true, directory, problems });
}

/**
 * Opens a session out of pages of its lines, without line feeds. They are copied to a temporary file, because entries
 * are read again from there: a long session is not held in memory.
 */
export async function openSpooled(
  pages: AsyncIterable<readonly string[]>,
  session: SpooledSession,
  reading: ReadSessionOptions = {},
): Promise<SessionHandle> {
  const spool = SpoolFile.create();
  let content: SessionContent | undefined;
  try {
    for await (const lines of pages) spool.append(lines.map((line) => `${line}\n`).join(''));
    content = await readSessionFile(spool.path, reading);
    const { tree, foreignLines, release } = content;
    const sink = session.sink && new SpoolingSink(session, { sink: session.sink, spool });
    const handle = new SessionHandle({
      header: headerOf(content, session),
      tree,
      sink,
      isNew: false,
      directory: session.directory,
      foreignLines,
      problems: [...(session.problems ?? []), ...content.problems],
      release: sink ? release : () => [release, () => spool.close()].forEach((end) => void end()),
    });
    spool.unlink();
    return handle;
  } catch (thrown) {
    content?.release();
    spool.close();
    throw thrown;
  }
}

function headerOf({ header, isEmpty }: SessionContent, { id, target, sink }: SpooledSession): SessionHeader {
  const name = `Session ${id} in ${target}`;
  if (isEmpty || !header) throw new AgentError('session', `${name} has no first line.`);
  if (header.version > formatVersion) {
    const versions = `it has format ${header.version}, and ${formatVersion} is the newest that can be opened`;
    throw new AgentError(
      'session',
      `${name} was made by a newer version of Robota: ${versions}. Update Robota to open it.`,
    );
  }
  if (header.version < formatVersion && sink) {
    const why = `has format ${header.version} of old, which is only read`;
    throw new AgentError('session', `${name} ${why}. Continue in a copy with --fork.`);
  }
  return header;
}

/** Passes lines on, and keeps them in the temporary file for the entries that are read again. */
class SpoolingSink implements LineSink {
  readonly #session: SpooledSession;
  readonly #sink: LineSink;
  #spool: SpoolFile | undefined;
  /** Lines since the temporary file could not be written. */
  #unspooled: string[] | undefined;

  constructor(
    session: SpooledSession,
    { sink, spool }: { readonly sink: LineSink; readonly spool: SpoolFile | undefined },
  ) {
    this.#session = session;
    this.#sink = sink;
    this.#spool = spool;
  }

  write(lines: string, options: AppendOptions): Promise<void> {
    if (lines !== '') this.#keep(lines);
    return this.#sink.write(lines, options);
  }

  /** Undefined makes the session hold its entries in memory. */
  get end(): number | undefined {
    return this.#unspooled ? undefined : this.#spool?.size;
  }

  get isWaiting(): boolean {
    return this.#sink.isWaiting === true;
  }

  read(place: LinePosition): Entry | undefined {
    return this.#spool?.read(place);
  }

  async close(): Promise<void> {
    await this.#sink.close();
    if (this.isWaiting) {
      const { id, target, onProblem } = this.#session;
      const rest = this.#unspooled?.join('') ?? '';
      const pieces = [...(this.#spool?.pieces() ?? []), () => rest];
      onProblem({ code: 'unsaved', count: 1, message: rescueLines({ name: id, target, pieces }) });
    }
    this.#spool?.close();
  }

  #keep(lines: string): void {
    if (this.#unspooled) {
      this.#unspooled.push(lines);
      return;
    }
    try {
      if (!this.#spool) {
        this.#spool = SpoolFile.create();
        this.#spool.unlink();
      }
      this.#spool.append(lines);
    } catch {
      this.#unspooled = [lines];
    }
  }
}
