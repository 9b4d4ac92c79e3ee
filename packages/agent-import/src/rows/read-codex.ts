import { isJsonObject, type JsonObject, type JsonValue, type Usage } from '@robota-sdk/agent-core';
import {
  type EntryBody,
  type ForeignSession,
  readCount,
  stringOf,
  timeOf,
} from '../source/foreign-session.ts';
import { parseObject, readJsonLines } from '../source/read-json-lines.ts';
import { skipReasons } from '../source/skip-counts.ts';
import type { LineSpan, SourceFile } from '../source/source-file.ts';
import { answerContent, codexContent, codexResult, isContext, nameOfCall } from './codex-items.ts';
import { modelOf, priceOf } from './model-of.ts';
import { answerBody, RowSession, resultBody, userBody } from './row-session.ts';

/** Reads a rollout of Codex, also of versions whose lines have no envelope. */
export function readCodex(file: SourceFile): ForeignSession {
  return new CodexReader(file).session;
}

/** The payload of a line, whether it stands in an envelope or not. */
export function codexPayload(line: JsonObject): JsonObject {
  return isJsonObject(line.payload) ? line.payload : line;
}

/** Pieces of one answer, until a result or a message of the user comes. */
interface OpenAnswer {
  readonly spans: LineSpan[];
  readonly model: string;
  readonly vendor: string;
  usage?: Usage;
}

const parts: ReadonlySet<unknown> = new Set([
  'reasoning',
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'web_search_call',
]);
const results: ReadonlySet<unknown> = new Set(['function_call_output', 'custom_tool_call_output']);

class CodexReader {
  readonly session = new RowSession('codex');
  readonly #file: SourceFile;
  readonly #toolNames = new Map<string, string>();
  /** The prompts of the branch, so that a rollback finds them. */
  readonly #prompts: string[] = [];
  #vendor = 'openai';
  #model = '';
  #answer: OpenAnswer | undefined;
  #lastAnswer: OpenAnswer | undefined;

  constructor(file: SourceFile) {
    this.#file = file;
    for (const { value, span } of readJsonLines(file, this.session.skipped)) this.#take(value, span);
  }

  #take(line: JsonObject, span: LineSpan): void {
    const payload = codexPayload(line);
    switch (payload === line ? 'response_item' : line.type) {
      case 'session_meta':
        return this.#begin(payload);
      case 'turn_context':
        this.#model = stringOf(payload.model) ?? this.#model;
        this.session.cwd ??= stringOf(payload.cwd);
        return;
      case 'response_item':
        return this.#item(line, span);
      case 'compacted':
        return this.#compaction(line);
      case 'event_msg':
        return this.#event(payload);
    }
  }

  /** A fork repeats the beginning of the session that it was made of; the first one counts. */
  #begin({ cwd, timestamp, model_provider: vendor }: JsonObject): void {
    this.session.cwd ??= stringOf(cwd);
    this.session.started ??= timeOf(timestamp);
    this.#vendor = stringOf(vendor) ?? this.#vendor;
  }

  #item(line: JsonObject, span: LineSpan): void {
    const item = codexPayload(line);
    const { type, role } = item;
    if (type === undefined) return item === line ? this.#begin(item) : undefined;
    if (parts.has(type) || (type === 'message' && role === 'assistant')) return this.#part(line, span);
    if (results.has(type)) return this.#result(line, span);
    if (type !== 'message') return this.session.skipped.add('of a kind that has no counterpart');
    if (role !== 'user' || isContext(item))
      return this.session.skipped.add("with instructions of Codex's own");
    this.#answer = undefined;
    const timestamp = timeOf(line.timestamp);
    const id = this.session.add(timestamp, () => this.#said(span, timestamp));
    this.#prompts.push(id);
  }

  #part(line: JsonObject, span: LineSpan): void {
    const item = codexPayload(line);
    const id = stringOf(item.call_id);
    if (id !== undefined) this.#toolNames.set(id, nameOfCall(item));
    if (this.#answer) return void this.#answer.spans.push(span);
    const answer: OpenAnswer = { spans: [span], model: this.#model, vendor: this.#vendor };
    this.#answer = answer;
    this.#lastAnswer = answer;
    const timestamp = timeOf(line.timestamp);
    this.session.add(timestamp, () => this.#answered(answer, timestamp));
  }

  #result(line: JsonObject, span: LineSpan): void {
    this.#answer = undefined;
    const id = stringOf(codexPayload(line).call_id);
    const name = id === undefined ? undefined : this.#toolNames.get(id);
    if (id === undefined || name === undefined) return this.session.skipped.add('with a result of no call');
    const timestamp = timeOf(line.timestamp);
    this.session.add(timestamp, () => {
      const item = this.#read(span);
      const result = codexResult(item?.output);
      return item ? [resultBody({ id, name, ...result, timestamp: msOf(timestamp) })] : [];
    });
  }

  #compaction(line: JsonObject): void {
    const payload = codexPayload(line);
    const summary = stringOf(payload.message)?.trim() || summaryIn(payload.replacement_history);
    if (!summary) return this.session.skipped.add('with a summary that only its vendor can read');
    this.#answer = undefined;
    const body: EntryBody = { type: 'compaction', summary, firstKeptEntryId: '', tokensBefore: 0 };
    this.session.add(timeOf(line.timestamp), () => [body]);
  }

  /** Events repeat what items say, but for the tokens and for what the user took back. */
  #event(event: JsonObject): void {
    if (event.type === 'token_count' && this.#lastAnswer) {
      const usage = usageIn(event.info);
      if (usage) this.#lastAnswer.usage = usage;
    }
    if (event.type !== 'thread_rolled_back') return;
    const count = Math.min(readCount(event.num_turns) ?? 0, this.#prompts.length);
    const first = count === 0 ? undefined : this.#prompts.splice(-count)[0];
    if (first === undefined) return;
    this.#answer = undefined;
    this.session.goBefore(first);
  }

  #said(span: LineSpan, timestamp: string | undefined): EntryBody[] {
    return userBody(codexContent(this.#read(span)?.content), { timestamp: msOf(timestamp) });
  }

  #answered({ spans, vendor, model, usage }: OpenAnswer, timestamp: string | undefined): EntryBody[] {
    const content = spans.flatMap((span) => answerContent(this.#read(span) ?? {}));
    const made = modelOf(vendor, model);
    const cost = usage && priceOf(made, usage);
    return answerBody(content, { timestamp: msOf(timestamp), model: made, usage, cost });
  }

  #read(span: LineSpan): JsonObject | undefined {
    const line = parseObject(this.#file.textAt(span));
    if (!line) this.session.skipped.add(skipReasons.notJson);
    return line && codexPayload(line);
  }
}

function msOf(timestamp: string | undefined): number {
  return Date.parse(timestamp ?? '') || 0;
}

/** The summary is the last message of the history that took the place of the old one. */
function summaryIn(history: JsonValue | undefined): string | undefined {
  const last = Array.isArray(history) ? history.filter(isJsonObject).at(-1) : undefined;
  const text = codexContent(last?.content).map((block) => (block.type === 'text' ? block.text : ''));
  return text.join('\n').trim() || undefined;
}

function usageIn(info: JsonValue | undefined): Usage | undefined {
  const last = isJsonObject(info) ? info.last_token_usage : undefined;
  if (!isJsonObject(last)) return undefined;
  const cached = readCount(last.cached_input_tokens) ?? 0;
  return {
    input: Math.max(0, (readCount(last.input_tokens) ?? 0) - cached),
    output: readCount(last.output_tokens) ?? 0,
    cacheRead: cached,
    cacheWrite: 0,
  };
}
