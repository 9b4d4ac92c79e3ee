import {
  type AnsweredCall,
  type AssistantMessage,
  exchangesOf,
  type ImageContent,
  isJsonObject,
  isSameModel,
  type JsonObject,
  type JsonValue,
  type Model,
  type ModelRequest,
  missingResult,
  type ThinkingContent,
  type ToolMessage,
  textOf,
  type UserContent,
} from '@robota-sdk/agent-core';
import { sentCallId } from '../wire/call-ids.ts';
import { hiddenDocument, hiddenImage, imageUrl, isDocument } from '../wire/image.ts';
import { thinkingFormatOf } from './thinking-format.ts';

type AssistantExchange = { readonly message: AssistantMessage; readonly calls: readonly AnsweredCall[] };

/** The conversation as Chat Completions messages; the same messages always give the same bytes. */
export function chatMessages({ model, system, messages }: ModelRequest): readonly JsonObject[] {
  const sent: JsonObject[] = [];
  const add = (message: JsonObject) => {
    const afterTool = sent.at(-1)?.role === 'tool' && message.role === 'user';
    if (afterTool && model.compat?.requiresAssistantAfterToolResult) {
      sent.push({ role: 'assistant', content: 'I have the results.' });
    }
    sent.push(message);
  };
  if (system !== '')
    add({ role: model.compat?.supportsDeveloperRole ? 'developer' : 'system', content: system });
  for (const exchange of exchangesOf(messages)) {
    if (exchange.kind === 'user')
      add({ role: 'user', content: userContent(exchange.message.content, model) });
    else if (exchange.kind === 'stray-result') add(resultAsText(exchange.message, model));
    else for (const message of assistantMessages(exchange, model)) add(message);
  }
  return sent;
}

/** Plain text wherever possible: many servers take nothing else. */
function userContent(content: readonly UserContent[], model: Model): JsonValue {
  if (!model.images || content.every((block) => block.type === 'text')) return plainText(content);
  return content.map((block) =>
    block.type === 'text' ? { type: 'text', text: block.text } : imagePart(block),
  );
}

function plainText(content: readonly UserContent[]): string {
  return content.map((block) => (block.type === 'text' ? block.text : hiddenImage)).join('\n');
}

function imagePart(image: ImageContent): JsonObject {
  if (isDocument(image)) return { type: 'text', text: hiddenDocument };
  return { type: 'image_url', image_url: { url: imageUrl(image) } };
}

function assistantMessages(exchange: AssistantExchange, model: Model): readonly JsonObject[] {
  if (model.compat?.supportsTools === false) return withoutTools(exchange, model);
  const { message, calls } = exchange;
  const text = visibleText(message, model);
  if (text === '' && calls.length === 0) return [];
  const assistant: JsonObject = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...returnedThinking(exchange, model),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ call }) => sentCall(call, message, model)) }),
  };
  const results = calls.map((answered) => toolMessage(answered, message, model));
  return [assistant, ...results, ...imagesOfResults(calls, model)];
}

function visibleText(message: AssistantMessage, model: Model): string {
  const text = textOf(message.content);
  if (!model.compat?.requiresThinkingAsText || !isSameModel(message.model, model)) return text;
  const thinking = thinkingText(message);
  return thinking === '' ? text : `<thinking>\n${thinking}\n</thinking>\n\n${text}`;
}

/**
 * Vendors that want their thinking back want it with every message that called a tool, also in later turns, and an
 * empty field where there was none; other messages need not carry it.
 */
function returnedThinking({ message, calls }: AssistantExchange, model: Model): JsonObject {
  const { returnedIn } = thinkingFormatOf(model);
  if (returnedIn === undefined || calls.length === 0) return {};
  const isOwn = isSameModel(message.model, model);
  if (returnedIn === 'reasoning_content') return { reasoning_content: isOwn ? thinkingText(message) : '' };
  const details = isOwn ? thinkingOf(message).flatMap(({ vendorData }) => detailsIn(vendorData)) : [];
  return details.length === 0 ? {} : { reasoning_details: details };
}

function detailsIn(vendorData: JsonValue | undefined): readonly JsonValue[] {
  const details = isJsonObject(vendorData) ? vendorData.reasoning_details : undefined;
  return Array.isArray(details) ? details : [];
}

function thinkingText(message: AssistantMessage): string {
  return thinkingOf(message)
    .map(({ text }) => text)
    .join('');
}

function thinkingOf(message: AssistantMessage): readonly ThinkingContent[] {
  return message.content.filter((block) => block.type === 'thinking');
}

function sentCall(call: AnsweredCall['call'], message: AssistantMessage, model: Model): JsonObject {
  const { vendorData } = call;
  const extra =
    isJsonObject(vendorData) && isSameModel(message.model, model) ? vendorData.extra_content : undefined;
  return {
    id: sentCallId(call.id, message.model, model),
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
    ...(isJsonObject(extra) ? { extra_content: extra } : {}),
  };
}

function toolMessage({ call, result }: AnsweredCall, message: AssistantMessage, model: Model): JsonObject {
  return {
    role: 'tool',
    tool_call_id: sentCallId(call.id, message.model, model),
    ...(model.compat?.requiresToolResultName ? { name: call.name } : {}),
    content: resultText(result, model),
  };
}

function resultText(result: ToolMessage | undefined, model: Model): string {
  if (!result) return missingResult;
  if (!model.images) return plainText(result.content) || '(no output)';
  const hasImage = result.content.some((block) => block.type === 'image');
  return textOf(result.content) || (hasImage ? '(the image follows)' : '(no output)');
}

/** Tool messages can't hold images: those follow in a user message. */
function imagesOfResults(calls: readonly AnsweredCall[], model: Model): readonly JsonObject[] {
  if (!model.images) return [];
  const parts: JsonObject[] = [];
  for (const { call, result } of calls) {
    const images = result?.content.filter((block) => block.type === 'image') ?? [];
    if (images.length === 0) continue;
    parts.push({ type: 'text', text: `Image from the result of ${call.name}:` }, ...images.map(imagePart));
  }
  return parts.length === 0 ? [] : [{ role: 'user', content: parts }];
}

/** A model that knows no tools is told in words what was called and what came back. */
function withoutTools({ message, calls }: AssistantExchange, model: Model): readonly JsonObject[] {
  const called = calls.map(({ call }) => `[called ${call.name} with ${JSON.stringify(call.input)}]`);
  const text = [visibleText(message, model), ...called].filter((part) => part !== '').join('\n');
  if (text === '') return [];
  const results = calls.map(({ call, result }) => `[result of ${call.name}]\n${resultText(result, model)}`);
  const images = imagesOfResults(calls, model);
  const told = results.length === 0 ? [] : [{ role: 'user', content: results.join('\n\n') }];
  return [{ role: 'assistant', content: text }, ...told, ...images];
}

function resultAsText(message: ToolMessage, model: Model): JsonObject {
  return { role: 'user', content: `[result of ${message.toolName}]\n${resultText(message, model)}` };
}
