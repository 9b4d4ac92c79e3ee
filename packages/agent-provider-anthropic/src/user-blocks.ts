import type { ImageContent, JsonObject, Model, ToolMessage, UserContent } from '@robota-sdk/agent-core';

const imageTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** How the accepted kinds begin in Base64; a wrong declared type makes the API refuse the whole conversation. */
const imageBeginnings: readonly (readonly [string, string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
];

/**
 * Converts content of the user or a tool to API blocks. The API refuses text without visible characters, so
 * it is dropped.
 */
export function userBlocks(content: readonly UserContent[], model: Model): readonly JsonObject[] {
  const blocks: JsonObject[] = [];
  for (const part of content) {
    if (part.type === 'image') blocks.push(imageBlock(part, model));
    else if (part.text.trim() !== '') blocks.push({ type: 'text', text: part.text });
  }
  return blocks;
}

/** A tool's result, with the images that may not stand inside an error result beside it. */
export interface ResultBlocks {
  readonly result: JsonObject;
  readonly beside: readonly JsonObject[];
}

/** Makes the answer to one tool call. */
export function resultBlocks(id: string, message: ToolMessage, model: Model): ResultBlocks {
  const blocks = userBlocks(message.content, model);
  if (!message.isError) return { result: resultBlock(id, orNoOutput(blocks)), beside: [] };
  const content = orNoOutput(blocks.filter((block) => block.type === 'text'));
  return {
    result: { ...resultBlock(id, content), is_error: true },
    beside: blocks.filter((block) => block.type !== 'text'),
  };
}

/** Stands in for a result that never came; every call must have one. */
export function missingResultBlock(id: string): JsonObject {
  const text = 'No result: the call was interrupted. It may have had an effect; check before you repeat it.';
  return { ...resultBlock(id, [{ type: 'text', text }]), is_error: true };
}

function resultBlock(id: string, content: readonly JsonObject[]): JsonObject {
  return { type: 'tool_result', tool_use_id: id, content };
}

function orNoOutput(blocks: readonly JsonObject[]): readonly JsonObject[] {
  return blocks.length > 0 ? blocks : [{ type: 'text', text: '(no output)' }];
}

function imageBlock({ data, mimeType }: ImageContent, model: Model): JsonObject {
  const mediaType = imageBeginnings.find(([beginning]) => data.startsWith(beginning))?.[1] ?? mimeType;
  if (!model.images) return { type: 'text', text: `[image left out: ${model.id} does not take images]` };
  if (mediaType === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data } };
  if (!imageTypes.has(mediaType))
    return { type: 'text', text: `[image left out: ${mediaType} is not supported]` };
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}
