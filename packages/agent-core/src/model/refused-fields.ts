import { isJsonObject, type JsonObject, type JsonValue } from '../shape/json.ts';
import type { StreamFailure } from './failure.ts';

/**
 * Part of a request that a server may refuse although an answer does not depend on it. A refusal names a field: the request is sent once
 * more without it, or with the field in its other form, and the endpoint is remembered for as long as the program runs.
 */
interface Change {
  /** The field as servers name it. */
  readonly field: string;
  /** Other words of such a refusal. */
  readonly words: RegExp;
  /** The changed body; the same one where there is nothing to change. */
  readonly apply: (body: JsonObject) => JsonObject;
}

const refusals =
  /unknown|unrecogni[sz]ed|unsupported|not support|n't support|not permitted|not allowed|not accept|unexpected|extra|additional propert|no such|invalid (?:field|param|argument|key|option|property)/;
const forms = /string|\bstr\b|null|none|array|list|sequence/;

/** Fields that are left out. */
const optionalFields = [
  'stream_options',
  'store',
  'parallel_tool_calls',
  'prompt_cache_key',
  'include',
  'cache_prompt',
  'return_progress',
  'id_slot',
  'grammar',
  'response_format',
  'reasoning_effort',
  'reasoning',
  'enable_thinking',
  'chat_template_kwargs',
  'thinking',
  'output_config',
  'cache_control',
  'strict',
  'reasoning_content',
  'reasoning_details',
  'extra_content',
];

const changes: readonly Change[] = [
  ...optionalFields.map((field) => ({
    field,
    words: refusals,
    apply: (body: JsonObject) => withoutField(body, field),
  })),
  { field: 'include_usage', words: refusals, apply: (body) => withoutField(body, 'stream_options') },
  {
    field: 'max_completion_tokens',
    words: refusals,
    apply: (body) => renamed(body, 'max_completion_tokens', 'max_tokens'),
  },
  {
    field: 'max_tokens',
    words: /max_completion_tokens/,
    apply: (body) => renamed(body, 'max_tokens', 'max_completion_tokens'),
  },
  { field: 'developer', words: /./, apply: withSystemRole },
  { field: 'system', words: forms, apply: withSystemText },
  { field: 'content', words: forms, apply: withPlainContent },
];

/** So many refusals of one request are followed. */
const mostRefusals = 6;

const learned = new Map<string, readonly Change[]>();

/** The known refusals of an endpoint, and those of the request that is sent. */
export class RefusedFields {
  readonly #endpoint: string;
  #changes: readonly Change[];

  constructor(url: string, model: string) {
    this.#endpoint = `${model} ${url}`;
    this.#changes = learned.get(this.#endpoint) ?? [];
  }

  fit(body: JsonObject): JsonObject {
    return this.#changes.reduce((fitted, change) => change.apply(fitted), body);
  }

  /** True if a refusal names something in the body that can be left out: it is worth another attempt. */
  learn({ failure }: StreamFailure, body: JsonObject): boolean {
    const isRefusal = failure.status === 400 || failure.status === 422;
    if (!isRefusal || failure.code !== 'invalid-request' || this.#changes.length >= mostRefusals)
      return false;
    const fitted = this.fit(body);
    const change = named(failure.message.toLowerCase(), fitted);
    if (change) this.#changes = [...this.#changes, change];
    return change !== undefined;
  }

  /** The server took the request as it was sent. */
  keep(): void {
    if (this.#changes.length > 0) learned.set(this.#endpoint, this.#changes);
  }
}

/** The change whose field is named first: some servers also list the fields that they know. */
function named(text: string, body: JsonObject): Change | undefined {
  let first: { readonly at: number; readonly change: Change } | undefined;
  for (const change of changes) {
    const at = mention(text, change.field);
    if (at < 0 || (first && at >= first.at) || !change.words.test(text)) continue;
    // Thinking of earlier answers is refused in other words, and sent again without its signature.
    if (change.field === 'thinking' && /signature|block/.test(text)) continue;
    if (change.apply(body) !== body) first = { at, change };
  }
  return first?.change;
}

/** The position of a word in a text, not as a part of another; -1 where it has none. */
function mention(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return at;
  }
  return -1;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character);
}

/** Leaves out a field of the body, its messages, their blocks and the tools; never one of a schema or of arguments. */
function withoutField(body: JsonObject, field: string): JsonObject {
  const own = field in body ? omitted(body, field) : body;
  const withList = (
    object: JsonObject,
    key: string,
    change: (item: JsonObject) => JsonObject,
  ): JsonObject => {
    const list = object[key];
    if (!Array.isArray(list)) return object;
    const changed = list.map((item: JsonValue) => (isJsonObject(item) ? change(item) : item));
    return changed.every((item, index) => item === list[index]) ? object : { ...object, [key]: changed };
  };
  const plain = (item: JsonObject) => (field in item ? omitted(item, field) : item);
  const message = (item: JsonObject) =>
    withList(withList(plain(item), 'content', plain), 'tool_calls', plain);
  const tool = (item: JsonObject): JsonObject => {
    const { function: definition } = item;
    const kept = plain(item);
    return isJsonObject(definition) && field in definition
      ? { ...kept, function: omitted(definition, field) }
      : kept;
  };
  return withList(withList(withList(own, 'system', plain), 'messages', message), 'tools', tool);
}

function omitted(object: JsonObject, field: string): JsonObject {
  const { [field]: _, ...rest } = object;
  return rest;
}

function renamed(body: JsonObject, from: string, to: string): JsonObject {
  const { [from]: value, messages, ...rest } = body;
  // Messages come last, so that bodies begin alike.
  return value === undefined
    ? body
    : { ...rest, [to]: value, ...(messages === undefined ? {} : { messages }) };
}

function withSystemRole(body: JsonObject): JsonObject {
  return withMessages(body, (message) =>
    message.role === 'developer' ? { ...message, role: 'system' } : message,
  );
}

function withSystemText(body: JsonObject): JsonObject {
  const text = textOfBlocks(body.system);
  return text === undefined ? body : { ...body, system: text };
}

/** Text instead of a list of texts, and an empty one instead of none. */
function withPlainContent(body: JsonObject): JsonObject {
  return withMessages(body, (message) => {
    const text = message.content === null ? '' : textOfBlocks(message.content);
    return text === undefined ? message : { ...message, content: text };
  });
}

function withMessages(body: JsonObject, change: (message: JsonObject) => JsonObject): JsonObject {
  const { messages } = body;
  if (!Array.isArray(messages)) return body;
  const changed = messages.map((message: JsonValue) => (isJsonObject(message) ? change(message) : message));
  return changed.every((message, index) => message === messages[index])
    ? body
    : { ...body, messages: changed };
}

/** The text of blocks that are nothing else. */
function textOfBlocks(content: JsonValue | undefined): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((block: JsonValue) =>
    isJsonObject(block) && block.type === 'text' && typeof block.text === 'string' ? block.text : undefined,
  );
  return texts.includes(undefined) ? undefined : texts.join('\n\n');
}
