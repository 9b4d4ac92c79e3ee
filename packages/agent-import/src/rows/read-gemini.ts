import {
  type AssistantContent,
  givenFields,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  toOwnCall,
  type UserContent,
} from '@robota-sdk/agent-core';
import {
  type EntryBody,
  type ForeignSession,
  ownCall,
  readCount,
  stringOf,
  timeOf,
} from '../source/foreign-session.ts';
import { jsonItems } from '../source/json-items.ts';
import { parseObject } from '../source/read-json-lines.ts';
import { skipReasons } from '../source/skip-counts.ts';
import type { SourceFile } from '../source/source-file.ts';
import { geminiTools } from './foreign-calls.ts';
import { geminiDirectory } from './gemini-directory.ts';
import { modelOf, priceOf } from './model-of.ts';
import { answerBody, RowSession, resultBody, textContent, userBody } from './row-session.ts';

/** Reads a chat of Gemini CLI: lines of JSON, or the single object of older versions. */
export function readGemini(file: SourceFile): ForeignSession {
  return new GeminiReader(file).session;
}

class GeminiReader {
  readonly session = new RowSession('gemini');
  /** The messages of the conversation, in its order; a later line of the same id replaces an earlier one. */
  readonly #messages = new Map<string, JsonObject>();
  /** Rewinds leave branches, so what was added to the session stays there. */
  readonly #added = new Set<string>();
  /** Calls in parts that no part has answered yet. */
  #open: { readonly id: string; readonly name: JsonValue | undefined }[] = [];
  /** Calls whose result is stored beside them. */
  readonly #answered = new Set<JsonValue | undefined>();

  constructor(file: SourceFile) {
    this.#readAll(file);
    this.#place();
  }

  #readAll(file: SourceFile): void {
    const broken: string[] = [];
    for (const { text } of file.lines()) {
      if (text === undefined) this.session.skipped.add(skipReasons.notUtf8);
      const line = parseObject(text);
      if (line) this.#take(line, file);
      else if (text?.trim()) broken.push(text);
    }
    if (broken.length > 1 || this.#messages.size === 0) this.#readWhole(broken.join('\n'), file);
    else for (const _ of broken) this.session.skipped.add(skipReasons.notJson);
  }

  /** An object over many lines, perhaps cut off: the messages in it are whole or missing. */
  #readWhole(text: string, file: SourceFile): void {
    const whole = parseObject(text);
    if (whole) return this.#take(whole, file);
    const at = /"messages"\s*:\s*\[/.exec(text)?.index ?? text.length;
    const head = parseObject(`${text.slice(0, at).trim().replace(/,$/, '')}}`);
    if (head) this.#take(head, file);
    for (const item of jsonItems(text.slice(at)).items) {
      const message = parseObject(item);
      if (message) this.#take(message, file);
    }
    this.session.skipped.add(skipReasons.notJson);
  }

  #take(line: JsonObject, file: SourceFile): void {
    const { $rewindTo: rewound, $set: changed, projectHash, id, messages } = line;
    if (typeof rewound === 'string') return this.#rewind(rewound);
    if (isJsonObject(changed)) return this.#change(changed);
    if (typeof projectHash === 'string') {
      this.session.cwd ??= geminiDirectory(file.path, projectHash);
      this.session.started ??= timeOf(line.startTime);
      this.session.name = stringOf(line.summary) ?? this.session.name;
    }
    if (Array.isArray(messages)) for (const each of messages.filter(isJsonObject)) this.#keep(each);
    if (typeof id === 'string' && typeof line.type === 'string') this.#keep(line);
  }

  #keep(message: JsonObject): void {
    // The oldest chats have messages without ids.
    const id = typeof message.id === 'string' ? message.id : `message-${this.#messages.size}`;
    this.#messages.set(id, { ...message, id });
  }

  #change(changed: JsonObject): void {
    this.session.name = stringOf(changed.summary) ?? this.session.name;
    if (!Array.isArray(changed.messages)) return;
    const before = new Map(this.#messages);
    this.#messages.clear();
    // Messages that are written again after a resume lack the model and its tokens.
    for (const each of changed.messages.filter(isJsonObject)) {
      const { model, tokens } = before.get(stringOf(each.id) ?? '') ?? {};
      this.#keep({ ...givenFields({ model, tokens }), ...each });
    }
  }

  /** Continues before a message; those behind it stay as a branch. */
  #rewind(id: string): void {
    this.#place();
    const ids = [...this.#messages.keys()];
    const at = Math.max(ids.indexOf(id), 0);
    const first = ids.slice(at).find((each) => this.session.has(each));
    if (first !== undefined) this.session.goBefore(first);
    for (const each of ids.slice(at)) this.#messages.delete(each);
  }

  #place(): void {
    for (const [id, written] of this.#messages) {
      if (this.#added.has(id)) continue;
      this.#added.add(id);
      const message = this.#paired(written);
      const timestamp = timeOf(message.timestamp);
      this.session.add(timestamp, () => this.#bodies(message, Date.parse(timestamp ?? '') || 0), id);
    }
  }

  /** A resumed session holds calls and results as parts, perhaps without ids; a result answers the call of its name. */
  #paired(message: JsonObject): JsonObject {
    for (const { id, result } of listOf(message.toolCalls)) if (result) this.#answered.add(id);
    if (!Array.isArray(message.content)) return message;
    const content = message.content.flatMap((part: JsonValue, index): JsonValue[] => {
      if (!isJsonObject(part)) return [part];
      const { functionCall: call, functionResponse: response } = part;
      if (isJsonObject(call)) {
        const id = stringOf(call.id) ?? `${message.id}-part-${index}`;
        this.#open.push({ id, name: call.name });
        return [{ ...part, functionCall: { ...call, id } }];
      }
      if (!isJsonObject(response)) return [part];
      const isAnswered = ({ id, name }: { id: string; name: JsonValue | undefined }) =>
        response.id === undefined ? name === response.name : id === response.id;
      const id = stringOf(response.id) ?? this.#open.find(isAnswered)?.id;
      this.#open = this.#open.filter((open) => open.id !== id);
      if (id === undefined || this.#answered.has(id)) return [];
      this.#answered.add(id);
      return [{ ...part, functionResponse: { ...response, id } }];
    });
    return { ...message, content };
  }

  #bodies(message: JsonObject, timestamp: number): EntryBody[] {
    if (message.type === 'gemini' || message.type === 'model') return answered(message, timestamp);
    const results = message.type === 'user' ? resultsIn(message.content, timestamp) : [];
    const content = contentOf(message.content);
    if (message.type !== 'user' || (content.length === 0 && results.length === 0)) {
      this.session.skipped.add('with notices of Gemini CLI');
      return [];
    }
    const [first] = content;
    const text = first?.type === 'text' ? first.text.trim() : '';
    if (!/^(?:[/?]|<session_context>)/.test(text)) return [...results, ...userBody(content, { timestamp })];
    this.session.skipped.add('with commands and instructions of Gemini CLI');
    return results;
  }
}

function answered(message: JsonObject, timestamp: number): EntryBody[] {
  const model = modelOf('google', stringOf(message.model) ?? '');
  const usage = usageOf(message.tokens);
  const parts = partsOf(message.content).flatMap(saidIn);
  const inParts = new Set(parts.map((block) => (block.type === 'tool-call' ? block.id : '')));
  const calls = listOf(message.toolCalls).map((call, index) => ({
    ...call,
    id: call.id ?? `${message.id}-${index}`,
  }));
  const content: AssistantContent[] = [
    ...(parts.some(({ type }) => type === 'thinking') ? [] : thoughtsOf(message.thoughts)),
    ...parts,
    ...calls.filter(({ id }) => !inParts.has(String(id))).flatMap(callOf),
  ];
  const cost = priceOf(model, usage);
  return [...answerBody(content, { timestamp, model, usage, cost }), ...calls.flatMap(resultOf)];
}

function listOf(items: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

function partsOf(content: JsonValue | undefined): readonly (JsonValue | undefined)[] {
  return Array.isArray(content) ? content : [content];
}

/** The content of a part of an answer: a thought, a call, or text. */
function saidIn(part: JsonValue | undefined): AssistantContent[] {
  if (!isJsonObject(part)) return textContent(stringOf(part));
  const { functionCall, thought, thoughtSignature } = part;
  const signed = typeof thoughtSignature === 'string' ? { vendorData: { signature: thoughtSignature } } : {};
  if (isJsonObject(functionCall)) return callOf(functionCall).map((call) => ({ ...call, ...signed }));
  const text = textContent(stringOf(part.text));
  if (thought === true) return text.map((block) => ({ ...block, type: 'thinking', ...signed }));
  return text.map((block) => ({ ...block, ...signed }));
}

/** A part, a text, or a list of them. */
function contentOf(content: JsonValue | undefined): UserContent[] {
  if (typeof content === 'string') return textContent(content);
  if (Array.isArray(content)) return content.flatMap(contentOf);
  if (!isJsonObject(content)) return [];
  const { inlineData, thought } = content;
  if (thought === true) return [];
  if (isJsonObject(inlineData) && typeof inlineData.data === 'string') {
    const mimeType = stringOf(inlineData.mimeType) ?? '';
    if (mimeType.startsWith('image/')) return [{ type: 'image', mimeType, data: inlineData.data }];
    return textContent(`[a document that was not taken over: ${mimeType}]`);
  }
  return textContent(stringOf(content.text));
}

function thoughtsOf(thoughts: JsonValue | undefined): AssistantContent[] {
  return listOf(thoughts).flatMap(({ subject, description }): AssistantContent[] => {
    const text = [stringOf(subject), stringOf(description)].filter(Boolean).join('\n');
    return text === '' ? [] : [{ type: 'thinking', text }];
  });
}

function callOf({ id, name, args }: JsonObject): AssistantContent[] {
  return ownCall(geminiTools, { id, name, input: args });
}

function resultOf(call: JsonObject): EntryBody[] {
  const { id, name, result, status, resultDisplay, timestamp } = call;
  if (typeof id !== 'string' || typeof name !== 'string' || result === undefined || result === null)
    return [];
  const responses = (Array.isArray(result) ? result : [result]).flatMap(responseOf);
  const content = responses.length > 0 ? responses : textContent(stringOf(resultDisplay));
  const own = toOwnCall(geminiTools, name, {}).name;
  const time = Date.parse(timeOf(timestamp) ?? '') || 0;
  return [resultBody({ id, name: own, content, timestamp: time, isError: status !== 'success' })];
}

/** The results in the parts of a message. */
function resultsIn(content: JsonValue | undefined, timestamp: number): EntryBody[] {
  return partsOf(content).flatMap((part) => {
    const response = isJsonObject(part) ? part.functionResponse : undefined;
    if (!isJsonObject(part) || !isJsonObject(response)) return [];
    const { id, name, response: said } = response;
    if (typeof id !== 'string' || typeof name !== 'string') return [];
    const own = toOwnCall(geminiTools, name, {}).name;
    const isError = isJsonObject(said) && said.error !== undefined;
    return [resultBody({ id, name: own, content: responseOf(part), timestamp, isError })];
  });
}

function responseOf(part: JsonValue): UserContent[] {
  const response = isJsonObject(part) ? part.functionResponse : undefined;
  if (!isJsonObject(response)) return contentOf(part);
  const said = isJsonObject(response.response) ? response.response : {};
  const text = stringOf(said.output) ?? stringOf(said.error) ?? JSON.stringify(said);
  return [...textContent(text), ...contentOf(response.parts)];
}

function usageOf(tokens: JsonValue | undefined) {
  const stored = isJsonObject(tokens) ? tokens : {};
  const cached = readCount(stored.cached) ?? 0;
  return {
    input: Math.max(0, (readCount(stored.input) ?? 0) - cached),
    output: (readCount(stored.output) ?? 0) + (readCount(stored.thoughts) ?? 0),
    cacheRead: cached,
    cacheWrite: 0,
  };
}
