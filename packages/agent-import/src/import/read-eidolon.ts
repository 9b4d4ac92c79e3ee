import { basename, dirname } from 'node:path';
import {
  AgentError,
  type AssistantContent,
  eidolonTools,
  isJsonObject,
  type JsonObject,
  noUsage,
  toolEnd,
  type UserContent,
} from '@robota-sdk/agent-core';
import { DataElement, parseSingle } from '@robota-sdk/xnl';
import {
  type EntryPiece,
  type ForeignSession,
  type MessageBody,
  ownCall,
  type SourceFormat,
  type SourceNode,
  stringOf,
  timeOf,
} from '../source/foreign-session.ts';
import { jsonItems } from '../source/json-items.ts';
import { parseObject } from '../source/read-json-lines.ts';
import { SkipCounts, skipReasons } from '../source/skip-counts.ts';
import type { SourceFile } from '../source/source-file.ts';

/** Reads the `history.json` of a session of eidolon. */
export function readEidolonJson(file: SourceFile): ForeignSession {
  const reader = new EidolonReader(file, 'eidolon-json');
  reader.readJson();
  return reader;
}

/** Reads the `history.xnl` of a session of eidolon. */
export function readEidolonXnl(file: SourceFile): ForeignSession {
  const reader = new EidolonReader(file, 'eidolon-xnl');
  reader.readXnl();
  return reader;
}

/** An array has to be in memory as a whole. */
const longestArray = 256 * 1024 * 1024;
const elementStart = /^<(system|user|assistant|tool)[\s{>]/;

/** eidolon keeps a row of messages and nothing about them: neither ids nor times nor models. */
class EidolonReader implements ForeignSession {
  readonly format: SourceFormat;
  readonly cwd = undefined;
  readonly name = undefined;
  readonly labels = new Map<string, string>();
  readonly leafId = undefined;
  readonly skipped = new SkipCounts();
  readonly started: string | undefined;
  readonly #file: SourceFile;
  readonly #messages: JsonObject[] = [];
  readonly #toolNames = new Map<string, string>();

  constructor(file: SourceFile, format: SourceFormat) {
    this.#file = file;
    this.format = format;
    this.started = startOf(basename(dirname(file.path))) ?? file.modified.toISOString();
  }

  get nodes(): readonly SourceNode[] {
    return this.#messages.map((_, index) => ({
      id: idAt(index),
      parentId: index === 0 ? null : idAt(index - 1),
    }));
  }

  readJson(): void {
    const { items, isCutOff } = jsonItems(wholeText(this.#file, this.skipped));
    for (const item of items) this.#take(parseObject(item));
    if (isCutOff) this.skipped.add(skipReasons.notJson);
  }

  /** Each message begins at the start of a line, so that a damaged one costs nothing but itself. */
  readXnl(): void {
    let element = '';
    for (const { text } of this.#file.lines()) {
      if (text === undefined) this.skipped.add(skipReasons.notUtf8);
      else if (elementStart.test(text)) {
        this.#takeElement(element);
        element = text;
      } else element += `\n${text}`;
    }
    this.#takeElement(element);
  }

  pieces(id: string): readonly EntryPiece[] {
    const index = Number.parseInt(id, 16);
    const message = this.#messages[index];
    if (!message) return [];
    const timestamp = new Date(Date.parse(this.started ?? '') + index).toISOString();
    return this.#bodies(message, Date.parse(timestamp)).map((body) => ({
      timestamp,
      body: { type: 'message', message: body },
    }));
  }

  #takeElement(text: string): void {
    if (text.trim() === '') return;
    try {
      const element = parseSingle(text);
      const attributes = element instanceof DataElement ? (element.attributes ?? {}) : {};
      this.#take({ ...(attributes as JsonObject), role: element.tag });
    } catch {
      this.skipped.add(skipReasons.notJson);
    }
  }

  #take(message: JsonObject | undefined): void {
    if (!message) return this.skipped.add(skipReasons.notJson);
    if (typeof message.role !== 'string') return this.skipped.add(skipReasons.noMessage);
    this.#messages.push(message);
  }

  #bodies(message: JsonObject, timestamp: number): MessageBody[] {
    switch (message.role) {
      case 'user':
        return this.#said(message, timestamp);
      case 'assistant':
        return this.#answer(message, timestamp);
      case 'tool':
        return this.#result(message, timestamp);
      default:
        return this.#instruction(message, timestamp);
    }
  }

  /** Results of calls written as text come back as user messages. */
  #said(message: JsonObject, timestamp: number): MessageBody[] {
    const responses = message.name === 'tool_results' ? toolResponses(stringOf(message.content) ?? '') : [];
    if (responses.length > 0)
      return responses.map(({ id, text }) => this.#resultBody({ id, content: textContent(text), timestamp }));
    const content = textContent(message.content);
    if (content.length > 0) return [{ role: 'user', content, timestamp }];
    this.skipped.add(skipReasons.noMessage);
    return [];
  }

  #answer(message: JsonObject, timestamp: number): MessageBody[] {
    const calls = callsOf(message);
    for (const call of calls) if (call.type === 'tool-call') this.#toolNames.set(call.id, call.name);
    const text = stringOf(message.content) ?? '';
    const content: AssistantContent[] = [
      ...thinkingOf(message),
      ...textContent(calls.length > 0 ? withoutCalls(text) : text).filter((block) => block.type === 'text'),
      ...calls,
    ];
    if (content.length === 0) {
      this.skipped.add(skipReasons.noMessage);
      return [];
    }
    const model = { vendor: '', id: '', api: 'openai' } as const;
    const stopReason = calls.length > 0 ? 'tool-calls' : 'end';
    return [{ role: 'assistant', content, model, usage: noUsage, cost: 0, stopReason, timestamp }];
  }

  #result(message: JsonObject, timestamp: number): MessageBody[] {
    const id = stringOf(message.toolCallId) ?? stringOf(message.tool_call_id);
    if (id !== undefined) return [this.#resultBody({ id, content: textContent(message.content), timestamp })];
    this.skipped.add('with a result of no call');
    return [];
  }

  #resultBody({
    id,
    content,
    timestamp,
  }: {
    id: string;
    content: UserContent[];
    timestamp: number;
  }): MessageBody {
    const toolName = this.#toolNames.get(id) ?? '';
    return { role: 'tool', toolCallId: id, toolName, content, ...toolEnd('success'), timestamp };
  }

  /** Files that were mentioned are worth keeping; the instructions are ours from now on. */
  #instruction(message: JsonObject, timestamp: number): MessageBody[] {
    const content = textContent(message.content);
    const [first] = content;
    if (first?.type === 'text' && first.text.startsWith('@file:'))
      return [{ role: 'user', content, origin: 'reminder', timestamp }];
    this.skipped.add("with instructions of eidolon's own");
    return [];
  }
}

function idAt(index: number): string {
  return index.toString(16).padStart(8, '0');
}

/** Sessions are called by the time of their start, its colons and dots turned to dashes. */
function startOf(name: string): string | undefined {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)(?:-(\d+))?Z$/.exec(name);
  if (!match) return undefined;
  const [, date, hours, minutes, seconds, fraction = '0'] = match;
  return timeOf(`${date}T${hours}:${minutes}:${seconds}.${fraction}Z`);
}

function wholeText(file: SourceFile, skipped: SkipCounts): string {
  if (file.size > longestArray)
    throw new AgentError('session', `${file.path} is too large: an array of up to 256 MiB can be read.`);
  const lines: string[] = [];
  for (const { text } of file.lines()) {
    if (text === undefined) skipped.add(skipReasons.notUtf8);
    else lines.push(text);
  }
  return lines.join('\n');
}

function textContent(content: unknown): UserContent[] {
  const text = typeof content === 'string' ? content : content == null ? '' : JSON.stringify(content);
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function thinkingOf({ reasoning_content: thought }: JsonObject): AssistantContent[] {
  return typeof thought === 'string' && thought.trim() !== '' ? [{ type: 'thinking', text: thought }] : [];
}

function callsOf({ toolCalls }: JsonObject): AssistantContent[] {
  if (!Array.isArray(toolCalls)) return [];
  return toolCalls
    .filter(isJsonObject)
    .flatMap(({ id, name, input }) => ownCall(eidolonTools, { id, name, input }));
}

/** The result of a tool, in the protocol in which calls are text. */
interface ToolResponse {
  readonly id: string;
  readonly text: string;
}

/** The results in a message; eidolon marks each with the id of its call. */
function toolResponses(text: string): ToolResponse[] {
  const responses: ToolResponse[] = [];
  let open: { readonly id: string; readonly mark: string; readonly start: number } | undefined;
  for (const { 0: all, 1: id, 2: mark = '', 3: closing, index } of text.matchAll(marks)) {
    if (open === undefined && id !== undefined) open = { id, mark, start: index + all.length };
    else if (open !== undefined && closing === open.mark) {
      responses.push({ id: open.id, text: text.slice(open.start, index) });
      open = undefined;
    }
  }
  return responses;
}

/** The beginning of a result with its id and mark, or the mark that ends one. */
const marks = /<tool_resp\s+id="([^"]*)"\s*#([\w-]*)>|<\/?#([\w-]*)>/g;

/** An answer without the calls that are written in it; they are kept as calls. */
function withoutCalls(text: string): string {
  return text.replace(/!unquote_start\b[\s\S]*?(?:!unquote_end\b|$)/g, '').trim();
}
