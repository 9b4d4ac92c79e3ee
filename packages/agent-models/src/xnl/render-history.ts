import {
  type AssistantContent,
  type AssistantMessage,
  type Message,
  type ToolCallContent,
  type ToolMessage,
  toolCallsOf,
  type UserContent,
  type UserMessage,
} from '@robota-sdk/agent-core';
import { callElement, textElement } from './elements.ts';

/**
 * The conversation as a model without function calling has to see it: calls in the words they were written in, results in
 * blocks. The same messages always give the same texts, so that what servers have cached stays good.
 */
export function renderHistory(messages: readonly Message[]): readonly Message[] {
  const written = writtenIds(messages);
  const rendered: Message[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role === 'assistant') rendered.push(answerOf(message));
    else if (message?.role === 'user') join(rendered, message);
    else if (message) {
      const results = resultsFrom(messages, at);
      join(rendered, resultsMessage(results, written));
      at += results.length - 1;
    }
  }
  return rendered;
}

/** The ids that models gave to their calls, by those we gave them. */
function writtenIds(messages: readonly Message[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap(toolCallsOf);
  return new Map(calls.map(({ id, raw }) => [id, (raw && firstId(raw)) ?? id]));
}

/** The first, since what a call writes may hold calls itself. */
function firstId(raw: string): string | undefined {
  const start = raw.indexOf('<tool_call');
  return /^<tool_call\s[^#]*?\bid\s*=\s*["']([\w-]{1,64})["']/.exec(raw.slice(start, start + 300))?.[1];
}

function resultsFrom(messages: readonly Message[], start: number): readonly ToolMessage[] {
  const results: ToolMessage[] = [];
  for (let at = start; at < messages.length; at++) {
    const message = messages[at];
    if (message?.role !== 'tool') break;
    results.push(message);
  }
  return results;
}

/** Servers for small models often refuse two messages of one role in a row. */
function join(rendered: Message[], message: UserMessage): void {
  const last = rendered.at(-1);
  if (last?.role !== 'user') rendered.push(message);
  else rendered[rendered.length - 1] = { ...last, content: [...last.content, ...message.content] };
}

function resultsMessage(results: readonly ToolMessage[], written: ReadonlyMap<string, string>): UserMessage {
  const [{ id, parentId, timestamp } = { id: '', parentId: null, timestamp: 0 }] = results;
  const elements = results.map((result) => resultElement(result, written.get(result.toolCallId)));
  const text = `!unquote_start\n${elements.join('\n')}\n!unquote_end`;
  const images = results.flatMap(({ content }) => content.filter((block) => block.type === 'image'));
  return { role: 'user', id, parentId, timestamp, content: [{ type: 'text', text }, ...images] };
}

function resultElement({ toolCallId, content, isError }: ToolMessage, written = toolCallId): string {
  return textElement({
    tag: 'tool_resp',
    metadata: { id: written, ...(isError ? { status: 'error' } : {}) },
    marker: written,
    text: outputText(content),
  });
}

/** The output of a tool as one text. */
function outputText(content: readonly UserContent[]): string {
  const text = content.map((block) => (block.type === 'text' ? block.text : '(an image follows)')).join('');
  return text === '' ? '(no output)' : text;
}

function answerOf(message: AssistantMessage): AssistantMessage {
  const kept = message.content.filter((block) => block.type !== 'text' && block.type !== 'tool-call');
  const text = answerText(message.content);
  return { ...message, content: text === '' ? kept : [...kept, { type: 'text', text }] };
}

/** Text and calls as they were written, one behind the other. */
function answerText(content: readonly AssistantContent[]): string {
  let text = '';
  let isInBlock = false;
  for (const block of content) {
    if (block.type === 'text') {
      if (isInBlock) text += /^\s/.test(block.text) ? '\n!unquote_end' : '\n!unquote_end\n';
      text += quoted(block.text);
      isInBlock = false;
    } else if (block.type === 'tool-call') {
      if (isInBlock && /^\s*!unquote_start/.test(block.raw ?? '')) text += '\n!unquote_end';
      text += block.raw ?? canonical(block, { before: text, isInBlock });
      isInBlock = !text.endsWith('!unquote_end');
    }
  }
  return isInBlock ? `${text}\n!unquote_end` : text;
}

/** A call that came by the API, from this model or another. */
function canonical(
  call: ToolCallContent,
  { before, isInBlock }: { readonly before: string; readonly isInBlock: boolean },
): string {
  if (isInBlock) return `\n${callElement(call)}`;
  return `${before === '' || before.endsWith('\n') ? '' : '\n'}!unquote_start\n${callElement(call)}`;
}

/** Quotes markers in text, so that they do not look like unanswered calls. */
function quoted(text: string): string {
  const first = text.search(/!unquote_start(?=[\s<]|$)/);
  if (first < 0) return text;
  const marks = [...text.matchAll(/!unquote_(?:start|end)/g)];
  const last = marks.at(-1);
  const end = (last?.index ?? first) + (last?.[0].length ?? 0);
  return `${text.slice(0, first)}!quote_start ${text.slice(first, end)} !quote_end${text.slice(end)}`;
}
