import type { Redactor } from '@robota-sdk/agent-core';
import {
  type AssistantMessage,
  type Message,
  type ToolCallContent,
  textOf,
  toolCallsOf,
  type UserContent,
} from '@robota-sdk/agent-core';
import { type Entry, projectEntry, summaryMessage } from '@robota-sdk/agent-sessions';
import { Comment, DataElement, stringify, type XnlMap } from '@robota-sdk/xnl';

/** True if an entry has a record: those do that a model was or will be shown. */
export function hasRecord(entry: Entry): boolean {
  return messageOf(entry) !== undefined;
}

/** The record of an entry, its line feed included; nothing where it has none. */
export function historyRecord(entry: Entry, redact: Redactor): string {
  const message = messageOf(entry);
  if (!message) return '';
  const metadata = { id: entry.id, ts: entry.timestamp, ...metadataOf(message) };
  return written(
    new DataElement(message.role, { metadata, attributes: redact(fieldsOf(message, redact)) as XnlMap }),
  );
}

/** The record of a system prompt; its id tells it from others. */
export function systemRecord(content: string, { id, redact }: { id: string; redact: Redactor }): string {
  const metadata = { id, ts: new Date().toISOString() };
  return written(new DataElement('system', { metadata, attributes: redact({ content }) as XnlMap }));
}

/** Says that what follows does not continue what stands before it. */
export function branchMark(fromId: string | null): string {
  return `${stringify(new Comment(fromId === null ? 'starts over' : `goes on from ${fromId}`))}\n`;
}

function written(element: DataElement): string {
  return `${stringify(element, { pretty: true })}\n`;
}

function messageOf(entry: Entry): Message | undefined {
  if (entry.type === 'message') return entry.message;
  if (entry.type === 'compaction') return summaryMessage(entry.summary, { id: entry.id, timestamp: 0 });
  return projectEntry(entry);
}

function metadataOf(message: Message): XnlMap {
  if (message.role === 'assistant') return { model: `${message.model.vendor}/${message.model.id}` };
  return message.role === 'user' && message.origin ? { origin: message.origin } : {};
}

function fieldsOf(message: Message, redact: Redactor): object {
  switch (message.role) {
    case 'user':
      return { content: textOf(message.content), images: imagesOf(message.content) };
    case 'tool':
      return {
        toolCallId: message.toolCallId,
        name: message.toolName,
        content: textOf(message.content),
        images: imagesOf(message.content),
        isError: message.isError || undefined,
        status: message.isError ? message.status : undefined,
        exitCode: message.exitCode ?? undefined,
        durationMs: message.durationMs,
      };
    case 'assistant':
      return { ...thoughtsAndText(message), ...callsOf(message, redact), error: message.error };
  }
}

function thoughtsAndText({ content }: AssistantMessage): object {
  const thoughts = content.flatMap((block) => (block.type === 'thinking' ? block.text : []));
  return {
    reasoning_content: thoughts.length > 0 ? thoughts.join('\n') : undefined,
    content: textOf(content),
  };
}

function callsOf(message: AssistantMessage, redact: Redactor): object {
  const calls = toolCallsOf(message);
  const serverTools = message.content.flatMap((block) =>
    block.type === 'server-tool'
      ? { id: block.id, name: block.name, phase: block.phase, summary: block.summary }
      : [],
  );
  return {
    toolCalls: listOf(calls.map(({ id, name, input }) => ({ id, name, input }))),
    rawToolCallsStr:
      calls.length > 0 ? JSON.stringify(calls.map((call) => rawCall(call, redact))) : undefined,
    serverTools: listOf(serverTools),
  };
}

/** A call as it went over the wire: its arguments are a text of JSON, in which keys could no longer tell a secret. */
function rawCall({ id, name, input, invalid, raw }: ToolCallContent, redact: Redactor): object {
  return {
    id,
    name,
    arguments: JSON.stringify(redact(input)),
    ...(invalid === undefined ? {} : { invalid }),
    ...(raw === undefined ? {} : { raw: redact(raw) }),
  };
}

/** Pictures stay in the session's file; here only their kind and size are told. */
function imagesOf(content: readonly UserContent[]): readonly object[] | undefined {
  return listOf(
    content.flatMap((block) =>
      block.type === 'image'
        ? { mimeType: block.mimeType, bytes: Math.floor((block.data.length * 3) / 4) }
        : [],
    ),
  );
}

function listOf<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length > 0 ? items : undefined;
}
