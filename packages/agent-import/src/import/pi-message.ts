import {
  type ApiKind,
  apiOfStored,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  piTools,
  storedArguments,
  toOwnCall,
} from '@robota-sdk/agent-core';
import { stringOf } from '../source/foreign-session.ts';
import { parseObject } from '../source/read-json-lines.ts';

/**
 * A message payload of pi or rab in the form that ours has: tools and their arguments by our names, and what a vendor
 * signed or encrypted where our providers look for it.
 */
export function fromPiMessage(message: JsonObject): JsonObject {
  if (message.role === 'toolResult') return fromToolResult(message);
  if (message.role !== 'assistant') return message;
  const api = apiOfStored(message.api);
  const content = Array.isArray(message.content)
    ? message.content.map((block: JsonValue) => (isJsonObject(block) ? fromBlock(block, api) : block))
    : message.content;
  return { ...message, api, ...(content === undefined ? {} : { content }) };
}

function fromToolResult(message: JsonObject): JsonObject {
  const { toolCallId, toolName } = message;
  return {
    ...message,
    ...(typeof toolCallId === 'string' ? { toolCallId: plainCallId(toolCallId) } : {}),
    ...(typeof toolName === 'string' ? { toolName: toOwnCall(piTools, toolName, {}).name } : {}),
  };
}

function fromBlock(block: JsonObject, api: ApiKind): JsonObject {
  switch (block.type) {
    case 'text':
      return { ...block, ...vendorData(textData(block, api)) };
    case 'thinking':
      return { ...block, ...vendorData(thinkingData(block, api)) };
    case 'toolCall':
      return fromCall(block, api);
    default:
      return block;
  }
}

function fromCall(block: JsonObject, api: ApiKind): JsonObject {
  const { id, name, thoughtSignature } = block;
  const input = storedArguments(block.arguments);
  const own = typeof name === 'string' ? toOwnCall(piTools, name, input) : { name, input };
  const signed = api === 'google' && typeof thoughtSignature === 'string';
  return {
    ...block,
    ...(typeof id === 'string' ? { id: plainCallId(id) } : {}),
    ...(own.name === undefined ? {} : { name: own.name }),
    arguments: own.input,
    ...vendorData(signed ? { signature: thoughtSignature } : undefined),
  };
}

/** pi joins OpenAI's two ids of a call; the first is the one a result answers. */
function plainCallId(id: string): string {
  return /^([^|]+)\|/.exec(id)?.[1] ?? id;
}

function thinkingData({ thinkingSignature, redacted }: JsonObject, api: ApiKind): JsonObject | undefined {
  const signature = stringOf(thinkingSignature);
  if (signature === undefined || signature === '') return undefined;
  if (api === 'anthropic') return redacted === true ? { data: signature } : { signature };
  if (api === 'google') return { signature };
  return api === 'openai-responses' ? reasoningItem(signature) : undefined;
}

/** pi keeps the whole item as text; without its encrypted part nothing can be sent back. */
function reasoningItem(signature: string): JsonObject | undefined {
  const item = parseObject(signature);
  if (typeof item?.encrypted_content !== 'string') return undefined;
  const summary = Array.isArray(item.summary) ? item.summary : [];
  return { type: 'reasoning', summary, encrypted_content: item.encrypted_content };
}

function textData({ textSignature }: JsonObject, api: ApiKind): JsonObject | undefined {
  const signature = stringOf(textSignature);
  if (signature === undefined) return undefined;
  if (api === 'google') return { signature };
  const phase = api === 'openai-responses' ? parseObject(signature)?.phase : undefined;
  return typeof phase === 'string' ? { phase } : undefined;
}

function vendorData(data: JsonObject | undefined): JsonObject {
  return data === undefined ? {} : { vendorData: data };
}
