import {
  type AgentErrorCode,
  type AssistantContent,
  type AssistantMessage,
  apiOfStored,
  type CallPermission,
  type Content,
  given,
  isDisplay,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  lazy,
  type Message,
  object,
  type StopReason,
  storedApi,
  storedArguments,
  type ToolMessage,
  type ToolStatus,
  text,
  textOf,
  toolEnd,
  type Usage,
  type UserContent,
  type UserMessage,
  words,
} from '@robota-sdk/agent-core';
import { guessStatus } from './migrate.ts';
import { stableUuid } from './stable-uuid.ts';

/** The position of a payload, for fields it lacks. */
export interface PayloadPosition {
  readonly entryId: string;
  /** ISO. */
  readonly timestamp: string;
}

const storedStopReasons: Readonly<Record<StopReason, string>> = {
  end: 'stop',
  'tool-calls': 'toolUse',
  length: 'length',
  pause: 'stop',
  refusal: 'stop',
  error: 'error',
  aborted: 'aborted',
};

/**
 * Encodes a message with pi's field names, so that pi and rab can read it. Our own fields are under `robota`, and
 * vendors' opaque data is next to its block.
 */
export function encodeMessage(message: Message): JsonObject {
  switch (message.role) {
    case 'user': {
      const { shown, origin } = message;
      const robota = { ...identity(message), ...given('shown', shown), ...given('origin', origin) };
      return {
        role: 'user',
        // Before a long text, so that lists find the typed command in the head of a file.
        ...(shown === undefined ? {} : { robota }),
        content: message.content.map(encodeBlock),
        timestamp: message.timestamp,
        robota,
      };
    }
    case 'assistant':
      return encodeAssistant(message);
    case 'tool':
      return {
        role: 'toolResult',
        toolCallId: message.toolCallId,
        toolName: message.toolName,
        content: message.content.map(encodeBlock),
        isError: message.isError,
        timestamp: message.timestamp,
        robota: {
          ...identity(message),
          status: message.status,
          ...given('durationMs', message.durationMs),
          ...given('exitCode', message.exitCode),
          ...given('permission', message.permission as JsonValue | undefined),
          ...given('ran', message.ran),
          ...given('display', message.display as JsonValue | undefined),
        },
      };
  }
}

/**
 * Reads a payload of ours or of pi; nothing if it is no message that a model could be sent. Read by hand: a `Shape` makes this
 * longer and no faster (docs/decisions/0015-own-shapes.md).
 */
export function decodeMessage(payload: JsonObject, place: PayloadPosition): Message | undefined {
  const own = isJsonObject(payload.robota) ? payload.robota : {};
  const base = {
    id: textIn(own.id) ?? stableUuid(place.entryId, place.timestamp),
    parentId: textIn(own.parentId) ?? null,
    timestamp: finite(payload.timestamp) ?? (Date.parse(place.timestamp) || 0),
  };
  switch (payload.role) {
    case 'user':
      return {
        ...base,
        role: 'user',
        content: decodeUserContent(payload.content),
        ...origin(own.origin),
        ...given('shown', textIn(own.shown)),
      };
    case 'assistant':
      return { ...base, ...decodeAssistant(payload, own) };
    case 'toolResult':
      return decodeToolResult(payload, own, base);
    default:
      return undefined;
  }
}

function encodeAssistant(message: AssistantMessage): JsonObject {
  const stopReason = storedStopReasons[message.stopReason];
  return {
    role: 'assistant',
    content: message.content.map(encodeBlock),
    api: storedApi(message.model.api),
    provider: message.model.vendor,
    model: message.model.id,
    usage: encodeUsage(message.usage, message.cost),
    stopReason,
    ...given('errorMessage', message.error?.message),
    timestamp: message.timestamp,
    robota: {
      ...identity(message),
      ...given('errorCode', message.error?.code),
      ...(decodeStopReason(stopReason) === message.stopReason ? {} : { stopReason: message.stopReason }),
    },
  };
}

function encodeBlock(block: Content): JsonObject {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, ...given('vendorData', block.vendorData) };
    case 'image':
      return { type: 'image', data: block.data, mimeType: block.mimeType };
    case 'thinking': {
      const { redacted, vendorData } = block;
      const extra = { ...given('redacted', redacted), ...given('vendorData', vendorData) };
      return { type: 'thinking', thinking: block.text, ...piSignature(vendorData), ...extra };
    }
    case 'tool-call': {
      const extra = {
        ...given('invalid', block.invalid),
        ...given('raw', block.raw),
        ...given('vendorData', block.vendorData),
      };
      const signature = isJsonObject(block.vendorData)
        ? given('thoughtSignature', textIn(block.vendorData.signature))
        : {};
      return {
        type: 'toolCall',
        id: block.id,
        name: block.name,
        arguments: block.input,
        ...signature,
        ...extra,
      };
    }
    case 'server-tool':
      return { ...block, type: 'serverTool' };
  }
}

/** pi expects the cost next to the tokens, by part; we only know the total. */
function encodeUsage(usage: Usage, cost: number): JsonObject {
  return {
    ...usage,
    totalTokens: usage.input + usage.output + usage.cacheRead + usage.cacheWrite,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
  };
}

function identity(message: Message): JsonObject {
  return { id: message.id, parentId: message.parentId };
}

function decodeAssistant(
  payload: JsonObject,
  own: JsonObject,
): Omit<AssistantMessage, 'id' | 'parentId' | 'timestamp'> {
  const usage = isJsonObject(payload.usage) ? payload.usage : {};
  const cost = isJsonObject(usage.cost) ? usage.cost.total : undefined;
  const api = apiOfStored(payload.api);
  const stopReason = ownStopReason(own.stopReason) ?? decodeStopReason(payload.stopReason);
  const message = textIn(payload.errorMessage);
  const code = (textIn(own.errorCode) ?? 'internal') as AgentErrorCode;
  return {
    role: 'assistant',
    content: blocksOf(payload.content).flatMap(decodeAssistantBlock),
    model: { vendor: textIn(payload.provider) ?? '', id: textIn(payload.model) ?? '', api },
    usage: decodeUsage(usage),
    cost: finite(cost) ?? 0,
    stopReason,
    ...(message === undefined ? {} : { error: { code, message } }),
  };
}

function decodeToolResult(
  payload: JsonObject,
  own: JsonObject,
  base: Pick<Message, 'id' | 'parentId' | 'timestamp'>,
): ToolMessage | undefined {
  const toolCallId = textIn(payload.toolCallId);
  if (toolCallId === undefined) return undefined;
  const content = decodeUserContent(payload.content);
  const status = toolStatuses.find((known) => known === own.status);
  const ran = isJsonObject(own.ran) && typeof own.ran.name === 'string' ? own.ran : undefined;
  return {
    ...base,
    role: 'tool',
    toolCallId,
    toolName: textIn(payload.toolName) ?? '',
    content,
    ...toolEnd(status ?? guessStatus(payload.isError === true, textOf(content))),
    ...given('durationMs', finite(own.durationMs)),
    ...given('exitCode', own.exitCode === null ? null : finite(own.exitCode)),
    ...given('permission', permissionOf(own.permission)),
    ...(ran === undefined
      ? {}
      : { ran: { name: textIn(ran.name) ?? '', input: ran.input === undefined ? {} : ran.input } }),
    ...(isDisplay(own.display) ? { display: own.display } : {}),
  };
}

/** A valid decision; anything else is ignored. */
function permissionOf(value: JsonValue | undefined): CallPermission | undefined {
  if (!isJsonObject(value)) return undefined;
  const { kind, said, rule, mode } = value;
  if (kind === 'once' || kind === 'session' || kind === 'project' || kind === 'skipped') return { kind };
  if (kind === 'rule' && typeof rule === 'string') return { kind, rule };
  if (kind === 'mode') return mode === 'plan' ? { kind, mode } : undefined;
  return kind === 'declined' ? { kind, ...given('said', textIn(said)) } : undefined;
}

const toolStatuses: readonly ToolStatus[] = ['success', 'error', 'denied', 'aborted'];

/** The texts and images of a payload; the rest is ignored. */
export function decodeUserContent(content: JsonValue | undefined): UserContent[] {
  return blocksOf(content).flatMap((block): UserContent[] => {
    if (block.type === 'text') return textBlock(block);
    const data = textIn(block.data);
    if (block.type !== 'image' || data === undefined) return [];
    return [{ type: 'image', data, mimeType: textIn(block.mimeType) ?? 'image/png' }];
  });
}

function decodeAssistantBlock(block: JsonObject): AssistantContent[] {
  const vendorData = given('vendorData', block.vendorData);
  switch (block.type) {
    case 'text':
      return textBlock(block);
    case 'thinking': {
      const redacted = typeof block.redacted === 'boolean' ? { redacted: block.redacted } : {};
      return [{ type: 'thinking', text: textIn(block.thinking) ?? '', ...redacted, ...vendorData }];
    }
    case 'toolCall': {
      const { id, name } = block;
      if (typeof id !== 'string' || typeof name !== 'string') return [];
      const invalid = given('invalid', textIn(block.invalid));
      return [
        {
          type: 'tool-call',
          id,
          name,
          input: storedArguments(block.arguments),
          ...invalid,
          ...given('raw', textIn(block.raw)),
          ...vendorData,
        },
      ];
    }
    case 'serverTool': {
      const own = serverTool.parse(block);
      if (!own) return [];
      const { phase, id, name, summary } = own;
      return [{ type: 'server-tool', phase, id, name, summary, vendorData: block.vendorData ?? null }];
    }
    default:
      return [];
  }
}

const serverTool = lazy(() =>
  object({ phase: words('call', 'result'), id: text, name: text, summary: text }),
);

/** Old and hand-edited files contain a plain string, null or nothing instead of blocks. */
function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

function textBlock(block: JsonObject): { type: 'text'; text: string; vendorData?: JsonValue }[] {
  const content = textIn(block.text);
  return content === undefined
    ? []
    : [{ type: 'text', text: content, ...given('vendorData', block.vendorData) }];
}

function decodeUsage(usage: JsonObject): Usage {
  const reasoning = finite(usage.reasoning);
  return {
    input: finite(usage.input) ?? 0,
    output: finite(usage.output) ?? 0,
    cacheRead: finite(usage.cacheRead) ?? 0,
    cacheWrite: finite(usage.cacheWrite) ?? 0,
    ...given('reasoning', reasoning),
  };
}

function decodeStopReason(stored: JsonValue | undefined): StopReason {
  if (stored === 'toolUse') return 'tool-calls';
  if (stored === 'length' || stored === 'error' || stored === 'aborted') return stored;
  return 'end';
}

function ownStopReason(stored: JsonValue | undefined): StopReason | undefined {
  return typeof stored === 'string' && Object.hasOwn(storedStopReasons, stored)
    ? (stored as StopReason)
    : undefined;
}

function origin(stored: JsonValue | undefined): Pick<UserMessage, 'origin'> {
  return typeof stored === 'string' ? { origin: stored as NonNullable<UserMessage['origin']> } : {};
}

function textIn(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function finite(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The field in which pi expects the vendor's signature of thinking. */
function piSignature(data: JsonValue | undefined): JsonObject {
  if (!isJsonObject(data)) return {};
  const signature = data.signature ?? data.data;
  if (typeof signature === 'string') return { thinkingSignature: signature };
  return data.type === 'reasoning' ? { thinkingSignature: JSON.stringify(data) } : {};
}
