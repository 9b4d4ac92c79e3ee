import {
  type AssistantContent,
  claudeTools,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  pluralize,
  type StopReason,
  type Usage,
  type UserContent,
} from '@robota-sdk/agent-core';
import { ownCall, readCount, stringOf } from '../source/foreign-session.ts';

/** The blocks of a message of Anthropic's API, also where a plain string stands for one. */
export function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}

/** Content of the user or a tool. Documents are unsupported: only their names stay. */
export function userContent(content: JsonValue | undefined): UserContent[] {
  return blocksOf(content).flatMap((block): UserContent[] => {
    switch (block.type) {
      case 'text':
        return text(stringOf(block.text));
      case 'image':
        return image(block);
      case 'document':
        return document(block);
      case 'tool_reference':
        return text(stringOf(block.tool_name));
      default:
        return [];
    }
  });
}

/** A command as the user typed it, where it stands in the tags that Claude Code keeps it in. */
export function asTyped(written: string): string {
  if (!/^\s*<command-(?:name|message)>/.test(written)) return written;
  const partOf = (tag: string) => {
    const start = written.indexOf(`<${tag}>`);
    const end = written.indexOf(`</${tag}>`, start);
    return start === -1 || end === -1 ? '' : written.slice(start + tag.length + 2, end).trim();
  };
  const name = partOf('command-name') || partOf('command-message');
  if (name === '') return written;
  return `${name.startsWith('/') ? '' : '/'}${name} ${partOf('command-args')}`.trim();
}

/** One block of an answer. */
export function assistantContent(block: JsonObject): AssistantContent[] {
  switch (block.type) {
    case 'text':
      return text(stringOf(block.text));
    case 'thinking':
      return thinking(block);
    case 'redacted_thinking':
      return typeof block.data === 'string'
        ? [{ type: 'thinking', text: '', redacted: true, vendorData: { data: block.data } }]
        : [];
    case 'tool_use':
      return ownCall(claudeTools, { id: block.id, name: block.name, input: block.input });
    default:
      return isServerTool(block) ? [serverTool(block)] : [];
  }
}

/** The tokens of an answer. */
export function usageOf(usage: JsonValue | undefined): Usage {
  const stored = isJsonObject(usage) ? usage : {};
  return {
    input: readCount(stored.input_tokens) ?? 0,
    output: readCount(stored.output_tokens) ?? 0,
    cacheRead: readCount(stored.cache_read_input_tokens) ?? 0,
    cacheWrite: readCount(stored.cache_creation_input_tokens) ?? 0,
  };
}

const stopReasons: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  pause_turn: 'pause',
  refusal: 'refusal',
};

/** Why an answer ended; one that was stored before its end is judged by what it holds. */
export function stopReasonOf(
  stored: JsonValue | undefined,
  content: readonly AssistantContent[],
): StopReason {
  const known =
    typeof stored === 'string' && Object.hasOwn(stopReasons, stored) ? stopReasons[stored] : undefined;
  return known ?? (content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'end');
}

function text(value: string | undefined): { type: 'text'; text: string }[] {
  return value === undefined || value === '' ? [] : [{ type: 'text', text: value }];
}

function image({ source }: JsonObject): UserContent[] {
  if (!isJsonObject(source)) return [];
  const { data, media_type, url } = source;
  if (typeof data === 'string')
    return [{ type: 'image', data, mimeType: stringOf(media_type) ?? 'image/png' }];
  return typeof url === 'string' ? text(`[an image at ${url}]`) : [];
}

function document({ source, title }: JsonObject): UserContent[] {
  const stored = isJsonObject(source) ? source : {};
  if (stored.type === 'text') return text(stringOf(stored.data));
  const name = stringOf(title) ?? stringOf(stored.media_type) ?? 'document';
  return text(`[a document that was not taken over: ${name}]`);
}

function thinking({ thinking: thought, signature }: JsonObject): AssistantContent[] {
  const signed = typeof signature === 'string' && signature !== '' ? { vendorData: { signature } } : {};
  return [{ type: 'thinking', text: stringOf(thought) ?? '', ...signed }];
}

function isServerTool({ type }: JsonObject): boolean {
  return type === 'server_tool_use' || (typeof type === 'string' && type.endsWith('_tool_result'));
}

function serverTool(block: JsonObject): AssistantContent {
  const isCall = block.type === 'server_tool_use';
  const query = isJsonObject(block.input) ? (block.input.query ?? block.input.url) : undefined;
  const kind = String(block.type).replace(/_tool_result$/, '');
  return {
    type: 'server-tool',
    phase: isCall ? 'call' : 'result',
    id: stringOf(isCall ? block.id : block.tool_use_id) ?? '',
    name: isCall ? (stringOf(block.name) ?? '') : kind,
    summary: isCall ? (stringOf(query) ?? '') : resultSummary(block.content),
    vendorData: block,
  };
}

function resultSummary(content: JsonValue | undefined): string {
  if (!Array.isArray(content)) return '';
  return pluralize(content.length, 'result');
}
