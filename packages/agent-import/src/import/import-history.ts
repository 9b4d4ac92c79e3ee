import { AgentError } from '@robota-sdk/agent-core';
import type { EntryDraft, ImportOrigin, SessionStorePort, SessionSummary } from '@robota-sdk/agent-sessions';
import { SourceFile } from '../source/source-file.ts';
import type { ImportCounts, ReasonCount } from './session-importer.ts';

/** The custom entry that ends an import. A session that lacks it was cut off while it was being made. */
const receiptType = 'robota.import';

/** The entry that says what came over and what did not. */
export function importReceipt(counts: ImportCounts, skipped: readonly ReasonCount[]): EntryDraft {
  return {
    type: 'custom',
    customType: receiptType,
    data: { ...counts, skipped: skipped.map((each) => ({ ...each })) },
  };
}

/** Records earlier imports. */
export class ImportHistory {
  /** The latest first. */
  readonly #imports: {
    readonly origin: Omit<ImportOrigin, 'format'>;
    readonly id: string;
    readonly path?: string;
  }[];

  private constructor(summaries: readonly SessionSummary[]) {
    this.#imports = summaries.flatMap(({ id, path, importedFrom }) =>
      importedFrom ? [{ origin: importedFrom, id, ...(path === undefined ? {} : { path }) }] : [],
    );
  }

  static async of(store: SessionStorePort): Promise<ImportHistory> {
    return new ImportHistory(await store.list());
  }

  /** The sessions that were made of the same content, and of the same file in an earlier state. */
  find({ path, hash }: Omit<ImportOrigin, 'format'>): {
    readonly same: string | undefined;
    readonly earlier: string | undefined;
  } {
    const same = this.#imports.find((each) => each.origin.hash === hash && isWhole(each.path));
    const earlier = this.#imports.find(({ origin }) => origin.path === path && origin.hash !== hash);
    return { same: same?.id, earlier: earlier?.id };
  }

  add(origin: Omit<ImportOrigin, 'format'>, id: string): void {
    this.#imports.unshift({ origin, id });
  }
}

function isWhole(path: string | undefined): boolean {
  if (path === undefined) return true;
  try {
    const file = new SourceFile(path);
    try {
      for (const { text } of file.lines()) if (text?.includes(`"customType":"${receiptType}"`)) return true;
    } finally {
      file.close();
    }
  } catch (error) {
    if (!AgentError.is(error)) throw error;
  }
  return false;
}
