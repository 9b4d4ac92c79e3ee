import { decodeJson } from '@robota-sdk/agent-core';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type UserContent,
} from '@robota-sdk/agent-sdk/front-end';

/** A message on the input: a prompt, a request, or the answer to one of ours. */
export type InputMessage =
  | {
      readonly kind: 'prompt';
      readonly text: string;
      /** Images after the text. */
      readonly content: readonly UserContent[];
      /** True if it waits for the current run, and gets a separate result. */
      readonly waits: boolean;
      readonly uuid?: string;
      /** The program put it together from what no user typed: nothing in it is a command. */
      readonly isComposed?: boolean;
      /** As it came, to be given back. */
      readonly message: JsonObject;
    }
  | { readonly kind: 'request'; readonly id: string | undefined; readonly request: JsonObject }
  | { readonly kind: 'answer'; readonly id: string; readonly answer: ChannelAnswer }
  /** The program no longer wants the answer to a request of its own. */
  | { readonly kind: 'cancel'; readonly id: string }
  /** A prompt that cannot be used. */
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'nothing' };

/** How a program answers a request of ours. */
export type ChannelAnswer =
  | { readonly ok: true; readonly response: JsonObject }
  | { readonly ok: false; readonly error: string };

/** Deeper messages are invalid, and would exhaust the stack. */
const deepest = 200;

/** Reads one line; what can't be understood is a text that says why. */
export function parseInputMessage(line: string): InputMessage | string {
  const value = parseLine(line);
  if (typeof value === 'string') return value;
  switch (value.type) {
    case 'user':
      return orRefused(userMessage(value));
    case 'prompt':
      return orRefused(plainPrompt(value));
    case 'control_request':
      return controlRequest(value);
    case 'control_response':
      return controlResponse(value);
    case 'interrupt':
      return { kind: 'request', id: undefined, request: { subtype: 'interrupt' } };
    case 'permission':
      return plainAnswer(value);
    case 'control_cancel_request':
      return { kind: 'cancel', id: String(value.request_id ?? '') };
    case 'keep_alive':
      return { kind: 'nothing' };
    default:
      return `unknown message type ${JSON.stringify(value.type ?? null)}; expected user, prompt, interrupt, permission, control_request and control_response`;
  }
}

function orRefused(message: InputMessage | string): InputMessage {
  return typeof message === 'string' ? { kind: 'refused', error: message } : message;
}

function parseLine(line: string): JsonObject | string {
  const read = decodeJson(line);
  if (!read.ok) return `the line is not JSON: ${read.error}`;
  if (isDeep(read.value)) return `the line is nested more than ${deepest} levels deep`;
  return isJsonObject(read.value) ? read.value : 'a line must be a JSON object';
}

function isDeep(value: JsonValue, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth > deepest || Object.values(value).some((inner) => isDeep(inner, depth + 1));
}

function userMessage(value: JsonObject): InputMessage | string {
  const { message, uuid, priority, client_composed: isComposed } = value;
  if (!isJsonObject(message) || message.role !== 'user')
    return 'a user message needs "message": {"role": "user", "content": …}';
  const read = contentOf(message.content);
  if (typeof read === 'string') return read;
  return {
    kind: 'prompt',
    ...read,
    waits: priority === 'later',
    message,
    ...(typeof uuid === 'string' ? { uuid } : {}),
    ...(isComposed === true ? { isComposed } : {}),
  };
}

/** The short way to say it. */
function plainPrompt({ text, wait }: JsonObject): InputMessage | string {
  if (typeof text !== 'string' || text.trim() === '') return 'a prompt needs a "text"';
  const message = { role: 'user', content: text };
  return { kind: 'prompt', text, content: [], waits: wait === true, message };
}

function contentOf(
  content: JsonValue | undefined,
): { readonly text: string; readonly content: readonly UserContent[] } | string {
  if (typeof content === 'string')
    return content.trim() === '' ? 'the content is empty' : { text: content, content: [] };
  if (!Array.isArray(content) || content.length === 0)
    return 'the content must be a text or a list of blocks';
  const texts: string[] = [];
  const images: UserContent[] = [];
  for (const [index, block] of content.entries()) {
    const read = blockOf(block);
    if (typeof read === 'string') return `content[${index}]: ${read}`;
    if (read.type === 'text') texts.push(read.text);
    else images.push(read);
  }
  const text = texts.join('\n');
  return text.trim() === '' && images.length === 0 ? 'the content is empty' : { text, content: images };
}

function blockOf(block: JsonValue): UserContent | string {
  if (!isJsonObject(block)) return 'a block must be an object';
  if (block.type === 'text')
    return typeof block.text === 'string'
      ? { type: 'text', text: block.text }
      : 'a text block needs a "text"';
  if (block.type === 'document') return documentOf(block);
  if (block.type !== 'image')
    return `unsupported block type ${JSON.stringify(block.type ?? null)}; expected text, image or document`;
  const { source } = block;
  if (!isJsonObject(source) || source.type !== 'base64')
    return 'an image needs "source": {"type": "base64", "media_type": …, "data": …}';
  const { media_type: mimeType, data } = source;
  if (typeof mimeType !== 'string' || typeof data !== 'string')
    return 'an image needs "media_type" and "data"';
  return { type: 'image', mimeType, data };
}

/** A PDF is sent as it is; the text of any other document is part of the prompt, under its title. */
function documentOf({ source, title }: JsonObject): UserContent | string {
  const { type, media_type: mimeType, data } = isJsonObject(source) ? source : {};
  if (typeof data === 'string' && type === 'text') {
    const name = typeof title === 'string' ? ` title=${JSON.stringify(title)}` : '';
    return { type: 'text', text: `<document${name}>\n${data}\n</document>` };
  }
  if (typeof data === 'string' && type === 'base64' && mimeType === 'application/pdf')
    return { type: 'image', mimeType, data };
  return 'a document needs "source": text, or base64 of the media type application/pdf';
}

function controlRequest({ request_id: id, request }: JsonObject): InputMessage | string {
  if (typeof id !== 'string') return 'a control_request needs a "request_id"';
  if (!isJsonObject(request)) return 'a control_request needs a "request"';
  return { kind: 'request', id, request };
}

function controlResponse({ response }: JsonObject): InputMessage | string {
  if (!isJsonObject(response) || typeof response.request_id !== 'string')
    return 'a control_response needs "response": {"request_id": …}';
  const { request_id: id } = response;
  if (response.subtype === 'error')
    return { kind: 'answer', id, answer: { ok: false, error: String(response.error ?? 'unknown') } };
  const given = isJsonObject(response.response) ? response.response : {};
  return { kind: 'answer', id, answer: { ok: true, response: given } };
}

/** The short way to answer: `allow` is true, false, "session" or "project". */
function plainAnswer({ id, allow, reason }: JsonObject): InputMessage | string {
  if (typeof id !== 'string') return 'a permission needs the "id" of its request';
  if (typeof allow !== 'boolean' && allow !== 'session' && allow !== 'project')
    return 'a permission needs "allow": true, false, "session" or "project"';
  const message = typeof reason === 'string' ? { message: reason } : {};
  const response =
    allow === false
      ? { behavior: 'deny', ...message }
      : { behavior: 'allow', hold: allow === true ? 'once' : allow };
  return { kind: 'answer', id, answer: { ok: true, response } };
}
