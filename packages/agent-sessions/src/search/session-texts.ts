import type { JsonValue, Message, ToolMessage } from '@robota-sdk/agent-core';
import type { Entry } from '../entry/entry.ts';
import { spokenContent } from '../entry/spoken-content.ts';
import type { SessionHandle } from '../store/session-handle.ts';
import { lineDecoder, rawLines } from './session-lines.ts';

/** The author of a text; input and output of a tool count as the tool's. */
export type SearchRole = 'user' | 'assistant' | 'tool';

/** One text of a session that can be searched. */
export interface SessionText {
  readonly kind: 'name' | 'label' | 'prompt' | 'answer' | 'thinking' | 'summary' | 'call' | 'result' | 'diff';
  readonly text: string;
  readonly role?: SearchRole;
  readonly tool?: string;
  /** Absent for a name. */
  readonly entryId?: string;
}

/** Every text of a session's file on all of its branches, the name it has now included. */
export function* sessionTexts(path: string): Generator<SessionText> {
  const decode = lineDecoder();
  const labels = new Map<string, string>();
  let name = '';
  for (const bytes of rawLines(path)) {
    const line = decode(bytes);
    if (line?.kind === 'entry') yield* textsOfEntry(line.entry);
    if (line?.kind !== 'fact') continue;
    if (line.fact.type === 'session_info') name = line.fact.name;
    if (line.fact.type === 'label') labels.set(line.fact.targetId, line.fact.label);
  }
  yield* textsBeside(labels, name);
}

/** As `sessionTexts`, of an open session. */
export function* textsOfSession(session: SessionHandle): Generator<SessionText> {
  for (const entry of session.entries()) yield* textsOfEntry(entry);
  yield* textsBeside(session.labels, session.name ?? '');
}

function* textsBeside(labels: ReadonlyMap<string, string>, name: string): Generator<SessionText> {
  for (const [entryId, text] of labels) if (text !== '') yield { kind: 'label', text, entryId };
  if (name !== '') yield { kind: 'name', text: name };
}

function* textsOfEntry(entry: Entry): Generator<SessionText> {
  if (entry.type === 'compaction')
    yield { kind: 'summary', role: 'assistant', text: entry.summary, entryId: entry.id };
  if (entry.type !== 'message') return;
  for (const text of textsOfMessage(entry.message))
    if (text.text !== '') yield { ...text, entryId: entry.id };
}

function* textsOfMessage(message: Message): Generator<SessionText> {
  if (message.role === 'tool') return yield* textsOfResult(message);
  const isUser = message.role === 'user';
  // Reminders to the model are not part of the conversation.
  if (isUser && message.origin === 'reminder') return;
  for (const block of isUser ? spokenContent(message.content) : message.content) {
    if (block.type === 'text')
      yield { kind: isUser ? 'prompt' : 'answer', role: message.role, text: block.text };
    if (block.type === 'thinking') yield { kind: 'thinking', role: 'assistant', text: block.text };
    if (block.type === 'tool-call')
      yield { kind: 'call', role: 'tool', tool: block.name, text: readable(block.input) };
    if (block.type === 'server-tool')
      yield {
        kind: block.phase === 'call' ? 'call' : 'result',
        role: 'tool',
        tool: block.name,
        text: block.summary,
      };
  }
}

function* textsOfResult({ toolName: tool, content, display }: ToolMessage): Generator<SessionText> {
  for (const block of content)
    if (block.type === 'text') yield { kind: 'result', role: 'tool', tool, text: block.text };
  if (display?.kind !== 'diff' || !Array.isArray(display.lines)) return;
  const lines = display.lines.map((line) => String(line?.text ?? ''));
  yield { kind: 'diff', role: 'tool', tool, text: `${display.path}\n${lines.join('\n')}` };
}

/** The texts inside an input as they are, without the escapes of JSON. */
function readable(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return String(value);
  const parts = Array.isArray(value)
    ? value.map(readable)
    : Object.entries(value).map(([key, one]) => `${key}: ${one === undefined ? '' : readable(one)}`);
  return parts.join('\n');
}
