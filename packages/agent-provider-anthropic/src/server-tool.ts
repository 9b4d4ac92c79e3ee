import {
  isJsonObject,
  type JsonObject,
  pluralize,
  type ServerToolContent,
  shortLine,
} from '@robota-sdk/agent-core';

/** Describes a block the vendor's own tool made; the block itself is kept whole, to be sent back as it came. */
export function serverToolContent(block: JsonObject): ServerToolContent {
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
