import {
  type AssistantContent,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelRef,
  toOwnCall,
  type Usage,
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
import { readJsonLines } from '../source/read-json-lines.ts';
import type { SourceFile } from '../source/source-file.ts';
import { opencodeTools } from './foreign-calls.ts';
import { modelOf } from './model-of.ts';
import {
  type AnswerFacts,
  answerBody,
  imageContent,
  RowSession,
  resultBody,
  textContent,
  userBody,
} from './row-session.ts';

/** Reads a session of opencode, as the lines that `opencode-source.ts` makes of every form it is kept in. */
export function readOpencode(file: SourceFile): ForeignSession {
  const session = new RowSession('opencode');
  let tail: string | undefined;
  let reverted: string | undefined;
  for (const { value } of readJsonLines(file, session.skipped)) {
    if (isJsonObject(value.opencode)) reverted = begin(session, value.opencode);
    const info = isJsonObject(value.info) ? value.info : undefined;
    const id = stringOf(info?.id);
    if (!info || id === undefined) continue;
    const parts = Array.isArray(value.parts) ? value.parts.filter(isJsonObject) : [];
    const marker = parts.find(({ type }) => type === 'compaction');
    if (marker) tail = stringOf(marker.tail_start_id);
    const kept = tail ?? '';
    const created = timeOf(isJsonObject(info.time) ? info.time.created : undefined);
    session.add(created, () => bodiesOf(info, parts, kept), id);
  }
  if (reverted !== undefined && session.has(reverted)) session.goBefore(reverted);
  return session;
}

/** Takes the facts of a session; returns the message that the user went back to. */
function begin(session: RowSession, info: JsonObject): string | undefined {
  session.cwd = stringOf(info.directory);
  session.name = stringOf(info.title);
  session.started = timeOf(isJsonObject(info.time) ? info.time.created : undefined);
  return isJsonObject(info.revert) ? stringOf(info.revert.messageID) : undefined;
}

function bodiesOf(info: JsonObject, parts: readonly JsonObject[], kept: string): EntryBody[] {
  const time = isJsonObject(info.time) ? readCount(info.time.created) : undefined;
  const timestamp = time ?? 0;
  if (info.role === 'user') return userBody(parts.flatMap(userContent), { timestamp });
  if (info.summary === true) return compaction(parts, kept);
  const model = modelOf(vendorOf(info.providerID), stringOf(info.modelID) ?? '');
  const steps = stepsOf(parts);
  const error = isJsonObject(info.error) ? info.error : undefined;
  return steps.flatMap((step, index) => {
    const isLast = index === steps.length - 1;
    const facts = { timestamp, model, ...spentOf(step, steps.length === 1 ? info : undefined) };
    return stepBodies(step, isLast && error ? { ...facts, ...failureOf(error) } : facts);
  });
}

/** A model is asked once per step; older versions keep several steps in one message. */
function stepsOf(parts: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const steps: JsonObject[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start' && steps.at(-1)?.some(isSaid)) steps.push([]);
    steps.at(-1)?.push(part);
  }
  return steps;
}

function isSaid({ type }: JsonObject): boolean {
  return type === 'text' || type === 'tool' || type === 'reasoning';
}

function stepBodies(step: readonly JsonObject[], facts: AnswerFacts): EntryBody[] {
  const content = step.flatMap((part) => answerContent(part, facts.model));
  return [...answerBody(content, facts), ...step.flatMap((part) => resultOf(part, facts.timestamp))];
}

function compaction(parts: readonly JsonObject[], kept: string): EntryBody[] {
  const summary = parts
    .flatMap(({ type, text }) => (type === 'text' ? (stringOf(text) ?? []) : []))
    .join('\n');
  if (summary.trim() === '') return [];
  return [{ type: 'compaction', summary, firstKeptEntryId: kept, tokensBefore: 0 }];
}

function userContent(part: JsonObject): UserContent[] {
  const { type, text, ignored, mime, url, filename, prompt } = part;
  if (type === 'text' && ignored !== true) return textContent(stringOf(text));
  if (type === 'subtask') return textContent(stringOf(prompt));
  if (type !== 'file') return [];
  return fileContent(stringOf(mime) ?? '', stringOf(url) ?? '', stringOf(filename));
}

/** Text files are left out: opencode puts their content into a text of its own. */
function fileContent(mime: string, url: string, name: string | undefined): UserContent[] {
  if (mime.startsWith('image/')) return imageContent(url);
  if (mime.startsWith('text/') || mime === 'application/x-directory') return [];
  return textContent(`[a document that was not taken over: ${name ?? mime}]`);
}

function answerContent(part: JsonObject, model: ModelRef): AssistantContent[] {
  if (part.type === 'text') return textContent(stringOf(part.text));
  if (part.type === 'reasoning') return thinking(part, model);
  const { type, callID: id, tool: name, state } = part;
  const input = isJsonObject(state) ? state.input : undefined;
  return type === 'tool' ? ownCall(opencodeTools, { id, name, input }) : [];
}

function thinking({ text, metadata }: JsonObject, { vendor }: ModelRef): AssistantContent[] {
  const ofVendor = isJsonObject(metadata) ? metadata[vendor] : undefined;
  const signature = isJsonObject(ofVendor) ? stringOf(ofVendor.signature) : undefined;
  const said = stringOf(text) ?? '';
  if (said === '' && signature === undefined) return [];
  return [{ type: 'thinking', text: said, ...(signature ? { vendorData: { signature } } : {}) }];
}

function resultOf({ type, callID: id, tool, state }: JsonObject, timestamp: number): EntryBody[] {
  if (type !== 'tool' || typeof id !== 'string' || typeof tool !== 'string' || !isJsonObject(state))
    return [];
  const isError = state.status === 'error';
  if (!isError && state.status !== 'completed') return [];
  const files = Array.isArray(state.attachments) ? state.attachments.filter(isJsonObject) : [];
  const content = [
    ...textContent(stringOf(isError ? state.error : state.output)),
    ...files.flatMap(userContent),
  ];
  const name = toOwnCall(opencodeTools, tool, {}).name;
  return [resultBody({ id, name, content, timestamp, isError })];
}

/** Tokens and cost of a step: told by its own end, else by the message where it is the only one. */
function spentOf(step: readonly JsonObject[], info: JsonObject | undefined) {
  const end = step.findLast(({ type }) => type === 'step-finish') ?? info ?? {};
  return { usage: usageOf(end.tokens), cost: readCount(end.cost) ?? 0 };
}

function usageOf(tokens: JsonValue | undefined): Usage {
  const stored = isJsonObject(tokens) ? tokens : {};
  const cache = isJsonObject(stored.cache) ? stored.cache : {};
  return {
    input: readCount(stored.input) ?? 0,
    output: (readCount(stored.output) ?? 0) + (readCount(stored.reasoning) ?? 0),
    cacheRead: readCount(cache.read) ?? 0,
    cacheWrite: readCount(cache.write) ?? 0,
  };
}

function failureOf({ name, data }: JsonObject): Pick<AnswerFacts, 'stopReason' | 'error'> {
  if (name === 'MessageAbortedError') return { stopReason: 'aborted' };
  const message = isJsonObject(data) ? stringOf(data.message) : undefined;
  return { error: message ?? stringOf(name) ?? 'The answer failed.' };
}

/** Vendors that opencode calls otherwise. */
const vendors: Readonly<Record<string, string>> = {
  'google-vertex': 'google',
  'amazon-bedrock': 'anthropic',
};

function vendorOf(provider: JsonValue | undefined): string {
  const name = stringOf(provider) ?? '';
  return vendors[name] ?? name;
}
