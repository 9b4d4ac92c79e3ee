import type { JsonObject, ModelRequest, ToolSpec } from '@robota-sdk/agent-core';
import { buildMessages } from './build-messages.ts';
import { planThinking, type ThinkingPlan, withoutThinking } from './thinking-plan.ts';
import { isThinkingBlock, type WireMessage } from './turn-collector.ts';

const cacheMark = { cache_control: { type: 'ephemeral' } } as const;
const maxSearches = 8;

/** The request body, and whether it carries thinking that the API could refuse. */
export interface BuiltRequest {
  readonly body: JsonObject;
  readonly interleavesThinking: boolean;
  readonly containsThinking: boolean;
}

/**
 * Builds the body of a call. Everything in front of the last messages is the same from request to request, byte for
 * byte; only the cache marks on messages move.
 */
export function buildRequest(request: ModelRequest, refusedThinking: ReadonlySet<string>): BuiltRequest {
  const { plan, messages } = fitThinking(request, refusedThinking);
  const tools = buildTools(request);
  const body = {
    model: request.model.id,
    max_tokens: plan.maxTokens,
    stream: true,
    ...plan.fields,
    ...(tools.length > 0 ? { tools } : {}),
    ...(request.system.trim() === ''
      ? {}
      : { system: [{ type: 'text', text: request.system, ...cacheMark }] }),
    messages: markForCache(messages),
  };
  return {
    body,
    interleavesThinking: plan.needsThinkingFirst && tools.length > 0,
    // Asked only after a refusal.
    get containsThinking() {
      return messages.some((message) => message.content.some(isThinkingBlock));
    },
  };
}

interface Fitted {
  readonly plan: ThinkingPlan;
  readonly messages: WireMessage[];
}

/** A tool loop begun without thinking (by another model, or before a level was chosen) must end without it. */
function fitThinking(request: ModelRequest, refusedThinking: ReadonlySet<string>): Fitted {
  const plan = planThinking(request);
  const options = { model: request.model, refusedThinking };
  const messages = buildMessages(request.messages, { ...options, sendsThinkingBack: plan.sendsThinkingBack });
  if (!plan.needsThinkingFirst || !isInLoopWithoutThinking(messages)) return { plan, messages };
  return {
    plan: withoutThinking(plan.maxTokens),
    messages: buildMessages(request.messages, { ...options, sendsThinkingBack: false }),
  };
}

function isInLoopWithoutThinking(messages: readonly WireMessage[]): boolean {
  if (!hasResults(messages.at(-1))) return false;
  const asked = messages.findLastIndex((message) => message.role === 'user' && !hasResults(message));
  const first = messages.slice(asked + 1).find((message) => message.role === 'assistant');
  return !isThinkingBlock(first?.content[0]);
}

function hasResults(message: WireMessage | undefined): boolean {
  return message?.content[0]?.type === 'tool_result';
}

function buildTools({ tools, webSearch }: ModelRequest): JsonObject[] {
  const built: JsonObject[] = tools.map(buildTool);
  if (webSearch && !tools.some((tool) => tool.name === 'web_search')) {
    built.push({ type: 'web_search_20250305', name: 'web_search', max_uses: maxSearches });
  }
  return built.map((tool, index) => (index === built.length - 1 ? { ...tool, ...cacheMark } : tool));
}

function buildTool({ name, description, input }: ToolSpec): JsonObject {
  return { name, description, input_schema: { type: 'object', ...input } };
}

/**
 * Four marks are allowed. Tools and system have one each, since they outlive any conversation. The other two stand at
 * the end of the last two user turns: the last writes what the next request will read, the one before it is exactly
 * where the previous request wrote, so that it is found however many blocks came since.
 */
function markForCache(messages: WireMessage[]): readonly JsonObject[] {
  let marks = 2;
  for (let index = messages.length - 1; index >= 0 && marks > 0; index--) {
    const { role, content } = messages[index] ?? { role: 'assistant', content: [] };
    if (role !== 'user') continue;
    messages[index] = { role, content: withMark(content) };
    marks -= 1;
  }
  return messages;
}

function withMark(content: readonly JsonObject[]): JsonObject[] {
  return content.map((block, index) => (index === content.length - 1 ? { ...block, ...cacheMark } : block));
}
