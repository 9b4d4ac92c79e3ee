import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
  parseToolInput,
  pluralize,
  type ServerToolContent,
  shortLine,
  type ToolInput,
} from '@robota-sdk/agent-core';

/** A content block while it streams: what each step of it says to the loop. */
export interface StreamedBlock {
  readonly isToolCall?: boolean;
  start(): readonly ModelEvent[];
  delta(delta: JsonObject): ModelEvent | undefined;
  end(): readonly ModelEvent[];
}

/** Opens the block a `content_block_start` announces. */
export function openBlock(block: JsonObject, index: number): StreamedBlock {
  switch (block.type) {
    case 'text':
      return openText(block, index);
    case 'thinking':
      return openThinking(block, index);
    case 'redacted_thinking':
      return openRedacted(block, index);
    case 'tool_use':
      return openToolCall(block, index);
    default:
      return openServerBlock(block, index);
  }
}

function openText({ type: _, text, citations, ...rest }: JsonObject, index: number): StreamedBlock {
  const cited = Array.isArray(citations) ? [...citations] : [];
  return {
    start: () => [
      { type: 'text-start', index },
      ...(isFilled(text) ? [{ type: 'text-delta' as const, index, text }] : []),
    ],
    delta: (delta) => {
      if (isJsonObject(delta.citation)) cited.push(delta.citation);
      return isFilled(delta.text) ? { type: 'text-delta', index, text: delta.text } : undefined;
    },
    end: () => {
      const vendorData = cited.length > 0 ? { ...rest, citations: cited } : rest;
      return [{ type: 'text-end', index, ...(isEmpty(vendorData) ? {} : { vendorData }) }];
    },
  };
}

function openThinking({ type: _, thinking, signature, ...rest }: JsonObject, index: number): StreamedBlock {
  let signed = typeof signature === 'string' ? signature : '';
  return {
    start: () => [
      { type: 'thinking-start', index },
      ...(isFilled(thinking) ? [{ type: 'thinking-delta' as const, index, text: thinking }] : []),
    ],
    delta: (delta) => {
      if (typeof delta.signature === 'string') signed += delta.signature;
      return isFilled(delta.thinking) ? { type: 'thinking-delta', index, text: delta.thinking } : undefined;
    },
    end: () => [{ type: 'thinking-end', index, vendorData: { signature: signed, ...rest } }],
  };
}

function openRedacted({ type: _, ...vendorData }: JsonObject, index: number): StreamedBlock {
  return {
    start: () => [{ type: 'thinking-start', index }],
    delta: () => undefined,
    end: () => [{ type: 'thinking-end', index, redacted: true, vendorData }],
  };
}

function openToolCall({ type: _, id, name, input, ...rest }: JsonObject, index: number): StreamedBlock {
  const json: string[] = [];
  return {
    isToolCall: true,
    start: () => [{ type: 'tool-call-start', index, id: String(id ?? ''), name: String(name ?? '') }],
    delta: (delta) => {
      const part = delta.partial_json;
      if (!isFilled(part)) return undefined;
      json.push(part);
      return { type: 'tool-call-delta', index, json: part };
    },
    end: () => [
      {
        type: 'tool-call-end',
        index,
        ...parseArguments(json.join(''), input),
        ...(isEmpty(rest) ? {} : { vendorData: rest }),
      },
    ],
  };
}

/**
 * Blocks of the vendor's server tools and unknown kinds are kept whole, since the API wants them back
 * unchanged. One that grows by unknown deltas cannot be kept whole, so it is dropped.
 */
function openServerBlock(block: JsonObject, index: number): StreamedBlock {
  const json: string[] = [];
  let isWhole = true;
  return {
    start: () => [],
    delta: (delta) => {
      if (typeof delta.partial_json === 'string') json.push(delta.partial_json);
      else isWhole = false;
      return undefined;
    },
    end: () => {
      const parsed = parseArguments(json.join(''), block.input);
      if (!isWhole || parsed.invalid !== undefined || typeof block.type !== 'string') return [];
      const content = serverToolContent(json.length > 0 ? { ...block, input: parsed.input } : block);
      return [{ type: 'server-tool', index, content }];
    },
  };
}

/** No arguments are an empty object; some servers send them whole at the start of the block. */
function parseArguments(json: string, announced: JsonValue | undefined): ToolInput {
  return json.trim() === '' && isJsonObject(announced) ? { input: announced } : parseToolInput(json);
}

function isFilled(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}

/** Describes a block the vendor's own tool made; the block itself is kept whole, to be sent back as it came. */
function serverToolContent(block: JsonObject): ServerToolContent {
  const type = String(block.type);
  const isCall = type.endsWith('_tool_use');
  return {
    type: 'server-tool',
    phase: isCall ? 'call' : 'result',
    id: String((isCall ? block.id : block.tool_use_id) ?? block.id ?? ''),
    name: isCall && typeof block.name === 'string' ? block.name : type.replace(/_tool_result$/, ''),
    summary: isCall ? summarizeCall(block) : summarizeResult(block),
    vendorData: block,
  };
}

function summarizeCall({ input, name }: JsonObject): string {
  if (!isJsonObject(input)) return String(name ?? '');
  const telling = input.query ?? input.url ?? input.command ?? input.code;
  return shortLine(typeof telling === 'string' ? telling : JSON.stringify(input), 200);
}

function summarizeResult({ type, content }: JsonObject): string {
  if (Array.isArray(content)) return pluralize(content.length, 'result');
  const code = isJsonObject(content) ? content.error_code : undefined;
  return typeof code === 'string' ? `error: ${code}` : shortLine(String(type), 200);
}
