import {
  type AnsweredCall,
  type AssistantContent,
  type AssistantMessage,
  exchangesOf,
  isJsonObject,
  isSameModel,
  type JsonObject,
  type JsonValue,
  type Model,
  type ModelRequest,
  missingResult,
  type ToolMessage,
  textOf,
  type UserContent,
} from '@robota-sdk/agent-core';
import { sentCallId } from '../wire/call-ids.ts';
import { hiddenImage, imageUrl, isDocument } from '../wire/image.ts';

/**
 * The conversation as input items; the same messages always give the same bytes. Items go back without their ids:
 * nothing is stored, so the server would look for them in vain.
 */
export function responsesInput({ model, messages }: ModelRequest): readonly JsonObject[] {
  const items: JsonObject[] = [];
  for (const exchange of exchangesOf(messages)) {
    if (exchange.kind === 'user') items.push(userItem(inputParts(exchange.message.content, model)));
    else if (exchange.kind === 'stray-result') items.push(strayResult(exchange.message, model));
    else {
      items.push(...assistantItems(exchange.message, model));
      items.push(...exchange.calls.map((answered) => outputItem(answered, exchange.message, model)));
    }
  }
  return items;
}

function userItem(content: readonly JsonObject[]): JsonObject {
  return { type: 'message', role: 'user', content };
}

function inputParts(content: readonly UserContent[], model: Model): readonly JsonObject[] {
  return content.map((block) => {
    if (block.type === 'text') return { type: 'input_text', text: block.text };
    if (!model.images) return { type: 'input_text', text: hiddenImage };
    if (isDocument(block))
      return { type: 'input_file', filename: 'document.pdf', file_data: imageUrl(block) };
    return { type: 'input_image', detail: 'auto', image_url: imageUrl(block) };
  });
}

function assistantItems(message: AssistantMessage, model: Model): readonly JsonObject[] {
  const items = message.content.flatMap((block) => assistantItem(block, message, model));
  // Thinking that nothing follows was interrupted, and would be refused.
  const end = items.findLastIndex((item) => item.type !== 'reasoning');
  return items.slice(0, end + 1);
}

function assistantItem(
  block: AssistantContent,
  message: AssistantMessage,
  model: Model,
): readonly JsonObject[] {
  const own =
    isSameModel(message.model, model) && isJsonObject(block.vendorData) ? block.vendorData : undefined;
  switch (block.type) {
    case 'text': {
      if (block.text === '') return [];
      const content = [{ type: 'output_text', text: block.text }];
      return [{ type: 'message', role: 'assistant', content, ...own }];
    }
    case 'tool-call':
      return [
        {
          type: 'function_call',
          call_id: sentCallId(block.id, message.model, model),
          name: block.name,
          arguments: JSON.stringify(block.input),
        },
      ];
    case 'thinking':
    case 'server-tool':
      return own ? [own] : [];
  }
}

function outputItem({ call, result }: AnsweredCall, message: AssistantMessage, model: Model): JsonObject {
  return {
    type: 'function_call_output',
    call_id: sentCallId(call.id, message.model, model),
    output: result ? resultOutput(result, model) : missingResult,
  };
}

function resultOutput({ content }: ToolMessage, model: Model): JsonValue {
  if (content.some((block) => block.type === 'image')) return inputParts(content, model);
  return textOf(content) || '(no output)';
}

function strayResult(message: ToolMessage, model: Model): JsonObject {
  const title = { type: 'input_text', text: `[result of ${message.toolName}]` };
  return userItem([title, ...inputParts(message.content, model)]);
}
