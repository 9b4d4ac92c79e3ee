import type { SessionStorePort } from '@robota-sdk/agent-sessions';
import type { SourceHead } from './detect-format.ts';
import type { FindOptions, FoundSources } from './find-sources.ts';
import type { ImportHistory } from './import-history.ts';

export interface ImportOptions {
  readonly store: SessionStorePort;
  /** The directory of a session that does not say where it was held. */
  readonly cwd: string;
  /** Import also what was imported before. */
  readonly again?: boolean;
  /** Only tell what would be done. */
  readonly dryRun?: boolean;
  /** Asked after every write, so that a disk that fails is noticed. */
  readonly problem?: () => string | undefined;
}

/** A reason with how many lines it concerns. */
export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

/** How much of a source was taken over. */
export interface ImportCounts {
  readonly messages: number;
  /** Leaves of the tree: 1 if the user never moved back. */
  readonly branches: number;
  readonly toolCalls: number;
  readonly compactions: number;
}

/** The result for one file. */
export interface ImportReport extends ImportCounts {
  readonly path: string;
  readonly format: SourceHead['format'];
  /** `already`: the same content was imported before, as `sessionId`. `empty`: nothing was said in it. */
  readonly status: 'imported' | 'already' | 'would-import' | 'empty';
  readonly sessionId?: string;
  /** A session that an earlier state of the file was imported as. */
  readonly earlierId?: string;
  readonly name?: string;
  readonly cwd: string;
  /** Lines that were not taken over, by reason. */
  readonly skipped: readonly ReasonCount[];
  /** Lines that were taken over otherwise than they stood there. */
  readonly repaired: readonly ReasonCount[];
}

/**
 * Makes ordinary sessions of other programs' files. A file is only ever read, and never held in memory as a whole where
 * it consists of lines.
 */
export class SessionImporter {
  readonly #options: ImportOptions;
  #history: Promise<ImportHistory> | undefined;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  /** The session files at a path: the file itself, whatever it is, or all that a directory holds at any depth. */
  async find(path: string, options: FindOptions = {}): Promise<FoundSources> {
    const { findSources } = await import('./find-sources.ts');
    return findSources(path, options);
  }

  /** Imports one file; what can't be imported is an AgentError that says why. */
  async import(path: string): Promise<ImportReport> {
    const { importSession } = await import('./import-session.ts');
    this.#history ??= this.#readHistory();
    return importSession(path, this.#options, await this.#history);
  }

  async #readHistory(): Promise<ImportHistory> {
    const { ImportHistory } = await import('./import-history.ts');
    return ImportHistory.of(this.#options.store);
  }
}
