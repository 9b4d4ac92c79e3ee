import type { AssistantContent, ModelRef, StopReason, Usage, UserContent } from '@robota-sdk/agent-core';
import { noUsage, toolEnd, type UserMessage } from '@robota-sdk/agent-core';
import type {
  EntryBody,
  EntryPiece,
  ForeignSession,
  SourceFormat,
  SourceNode,
} from '../source/foreign-session.ts';
import { SkipCounts } from '../source/skip-counts.ts';

/** A place of a row, whose content is read when it is asked for. */
interface Row extends SourceNode {
  readonly timestamp: string;
  read(): readonly EntryBody[];
}

/**
 * A session that is told as a row of steps. Each step is put below the one before; where the user went back, the row
 * continues from an earlier step, and the steps behind that stay as a branch.
 */
export class RowSession implements ForeignSession {
  readonly format: SourceFormat;
  readonly labels = new Map<string, string>();
  readonly skipped = new SkipCounts();
  cwd: string | undefined;
  started: string | undefined;
  name: string | undefined;
  #leafId: string | null = null;
  readonly #rows = new Map<string, Row>();

  constructor(format: SourceFormat) {
    this.format = format;
  }

  get nodes(): readonly SourceNode[] {
    return [...this.#rows.values()];
  }

  get leafId(): string | null {
    return this.#leafId;
  }

  pieces(id: string): readonly EntryPiece[] {
    const row = this.#rows.get(id);
    return (row?.read() ?? []).map((body) => ({ timestamp: row?.timestamp ?? '', body }));
  }

  /** Adds a step below the last one, and returns its id. */
  add(timestamp: string | undefined, read: Row['read'], id = idAt(this.#rows.size)): string {
    this.#rows.set(id, { id, parentId: this.#leafId, timestamp: timestamp ?? '', read });
    this.#leafId = id;
    return id;
  }

  /** Continues before a step; at the beginning where there is no such step. */
  goBefore(id: string): void {
    this.#leafId = this.#rows.get(id)?.parentId ?? null;
  }

  has(id: string): boolean {
    return this.#rows.has(id);
  }
}

function idAt(index: number): string {
  return index.toString(16).padStart(8, '0');
}

/** A message of the user; nothing where it says nothing. */
export function userBody(
  content: readonly UserContent[],
  { timestamp, origin }: { timestamp: number; origin?: UserMessage['origin'] },
): EntryBody[] {
  if (content.length === 0) return [];
  const message = { role: 'user', content, timestamp, ...(origin === undefined ? {} : { origin }) } as const;
  return [{ type: 'message', message }];
}

/** Facts about an answer. */
export interface AnswerFacts {
  readonly timestamp: number;
  readonly model: ModelRef;
  readonly usage?: Usage | undefined;
  readonly cost?: number | undefined;
  /** Told by the content where it is absent. */
  readonly stopReason?: StopReason | undefined;
  /** Why the vendor gave no whole answer. */
  readonly error?: string | undefined;
}

/** An answer of the model; nothing where it is empty and did not fail. */
export function answerBody(content: readonly AssistantContent[], facts: AnswerFacts): EntryBody[] {
  const { timestamp, model, usage = noUsage, cost = 0, error } = facts;
  if (content.length === 0 && error === undefined) return [];
  const hasCalls = content.some(({ type }) => type === 'tool-call');
  const stopReason = facts.stopReason ?? (error ? 'error' : hasCalls ? 'tool-calls' : 'end');
  const failure = error === undefined ? {} : { error: { code: 'server', message: error } as const };
  const message = {
    role: 'assistant',
    content,
    model,
    usage,
    cost,
    stopReason,
    timestamp,
    ...failure,
  } as const;
  return [{ type: 'message', message }];
}

/** The result of a call. */
export function resultBody(result: {
  readonly id: string;
  readonly name: string;
  readonly content: readonly UserContent[];
  readonly timestamp: number;
  readonly isError?: boolean;
  readonly exitCode?: number | undefined;
}): EntryBody {
  const { id, name, content, timestamp, isError = false, exitCode } = result;
  const message = {
    role: 'tool',
    toolCallId: id,
    toolName: name,
    content,
    ...toolEnd(isError ? 'error' : 'success'),
    ...(exitCode === undefined ? {} : { exitCode }),
    timestamp,
  } as const;
  return { type: 'message', message };
}

/** Text as content; nothing where there is none. */
export function textContent(text: string | undefined): { type: 'text'; text: string }[] {
  return text === undefined || text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** An image out of a `data:` URL; a line that names it where it lies elsewhere. */
export function imageContent(url: string): UserContent[] {
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (mimeType === undefined || data === undefined) return textContent(`[an image at ${url.slice(0, 200)}]`);
  return [{ type: 'image', mimeType, data }];
}
