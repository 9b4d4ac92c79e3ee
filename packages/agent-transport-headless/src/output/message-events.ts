import { randomUUID } from 'node:crypto';
import {
  agentIdOf,
  type InteractiveSession,
  isJsonObject,
  type JsonValue,
  type Message,
  sessionInventory,
  type UserContent,
} from '@robota-sdk/agent-sdk/front-end';
import { apiUsage } from './api-usage.ts';
import type { Output } from './output.ts';
import { stopWords } from './result-object.ts';

type Block = Readonly<Record<string, unknown>>;

/** Options for printing thinking; a program may change them during a session. */
export interface ThinkingDisplay {
  hidesThinking?: boolean;
}

/**
 * Prints whole messages as they join the conversation: what the model said, and what its calls came to. With `withAgents` also
 * those of agents, under the calls that started them.
 */
export function messageEvents(
  session: InteractiveSession,
  stdout: Output,
  {
    withAgents = false,
    display = {},
    asClaude = false,
  }: {
    readonly withAgents?: boolean | undefined;
    readonly display?: ThinkingDisplay;
    /** A line for each block of an answer, and results as text, as `claude -p` prints them. */
    readonly asClaude?: boolean;
  } = {},
): () => void {
  const callOf = new Map<string, string>();
  return session.subscribe(
    (event) => {
      const agentId = 'agentId' in event ? event.agentId : undefined;
      if (event.type === 'tool-start' && event.call.name === 'Agent')
        callOf.set(agentIdOf(session.id, event.call.id), event.call.id);
      if (event.type !== 'message-append') return;
      const parent = agentId === undefined ? null : callOf.get(agentId);
      const message =
        parent === undefined ? undefined : messageEvent(event.message, display.hidesThinking === true);
      if (!message) return;
      const { id: uuid } = event.message;
      const lines = (asClaude ? claudeEvents(message) : [message]).map((each, index) =>
        eventLine(session, { ...each, ...(index === 0 ? { uuid } : {}), parent_tool_use_id: parent }),
      );
      return stdout.write(lines.join(''));
    },
    { withAgents },
  );
}

/** A line of an answer for each of its blocks; the content of a result as text, if it is nothing else. */
function claudeEvents(event: Block): readonly Block[] {
  const message = event.message as { readonly content: readonly Block[] };
  const contents = event.type === 'assistant' ? message.content.map((block) => [block]) : [message.content];
  return contents.map((content) => ({ ...event, message: { ...message, content: content.map(asText) } }));
}

function asText(block: Block): Block {
  const { type, content } = block;
  if (type !== 'tool_result' || !Array.isArray(content)) return block;
  const parts: readonly Block[] = content;
  if (parts.some((part) => part.type !== 'text')) return block;
  return { ...block, content: parts.map(({ text }) => String(text)).join('\n') };
}

/** The line that a stream of whole messages begins with: where it works, with what. */
export function initLine(
  session: InteractiveSession,
  { version = '' }: { readonly version?: string } = {},
): string {
  const { model, surroundings } = session;
  const { agents, skills, plugins, mcpServers, keySource } = sessionInventory(session);
  return eventLine(session, {
    type: 'system',
    subtype: 'init',
    cwd: session.place.cwd,
    model: `${model.vendor}/${model.id}`,
    permissionMode: session.permissions.dontAsk ? 'dontAsk' : session.permissions.mode,
    tools: (surroundings.tools ?? []).map(({ name }) => name),
    slash_commands: session.listCommands().map(({ name }) => name),
    agents: agents.map(({ name }) => name),
    skills,
    plugins,
    mcp_servers: mcpServers.map(({ name, status }) => ({ name, status: serverStatus[status] })),
    apiKeySource: keySource,
    problems: session.problems,
    capabilities: ['interrupt_receipt_v1', 'interrupt_cancel_queued_v1', 'mcp_read_resource_v1'],
    output_style: 'default',
    robota_version: version,
    claude_code_version: version,
  });
}

/** The states of MCP servers, as the SDKs of Claude Code know them. */
export const serverStatus = {
  ready: 'connected',
  failed: 'failed',
  unapproved: 'failed',
  'needs-login': 'needs-auth',
  idle: 'pending',
  starting: 'pending',
  stopped: 'disabled',
  disabled: 'disabled',
} as const;

/** An event as a line, with the session it is about. */
export function eventLine(session: InteractiveSession, event: Block): string {
  const { uuid = randomUUID(), ...rest } = event;
  return `${JSON.stringify({ ...rest, session_id: session.id, uuid })}\n`;
}

/** User messages are echoed only on request, by the input reader. */
function messageEvent(message: Message, hidesThinking: boolean): Block | undefined {
  if (message.role === 'assistant') return assistantEvent(message, hidesThinking);
  if (message.role !== 'tool') return undefined;
  const result = {
    type: 'tool_result',
    tool_use_id: message.toolCallId,
    content: message.content.map(contentBlock),
    is_error: message.isError,
  };
  const { status, durationMs, exitCode } = message;
  return {
    type: 'user',
    message: { role: 'user', content: [result] },
    parent_tool_use_id: null,
    tool_end: { status, duration_ms: durationMs, exit_code: exitCode },
  };
}

function assistantEvent(message: Extract<Message, { role: 'assistant' }>, hidesThinking: boolean): Block {
  const { id, content, model, usage, stopReason, error } = message;
  return {
    type: 'assistant',
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: `${model.vendor}/${model.id}`,
      content: content.map((block) =>
        assistantBlock(hidesThinking && block.type === 'thinking' ? { ...block, text: '' } : block),
      ),
      stop_reason: stopWords[stopReason] ?? null,
      stop_sequence: null,
      usage: apiUsage(usage),
    },
    ...(error === undefined ? {} : { error: error.message, error_code: error.code }),
    parent_tool_use_id: null,
  };
}

/** The line of an answer that says why the vendor gave none. */
export function refusalLine(session: InteractiveSession, text: string): string {
  const message = {
    id: randomUUID(),
    type: 'message',
    role: 'assistant',
    model: '<synthetic>',
    content: [{ type: 'text', text }],
    stop_reason: null,
    stop_sequence: null,
    usage: apiUsage({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }),
  };
  return eventLine(session, { type: 'assistant', message, parent_tool_use_id: null, error: text });
}

function assistantBlock(block: Extract<Message, { role: 'assistant' }>['content'][number]): Block {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.text, signature: signatureOf(block.vendorData) };
    case 'tool-call':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    case 'server-tool': {
      const { id, name, summary, phase } = block;
      return phase === 'call'
        ? { type: 'server_tool_use', id, name, input: { summary } }
        : { type: 'server_tool_result', tool_use_id: id, content: summary };
    }
  }
}

function contentBlock(block: UserContent): Block {
  if (block.type === 'text') return { type: 'text', text: block.text };
  const type = block.mimeType === 'application/pdf' ? 'document' : 'image';
  return { type, source: { type: 'base64', media_type: block.mimeType, data: block.data } };
}

/** Programs need the field; only some vendors sign thinking. */
function signatureOf(data: JsonValue | undefined): string {
  return isJsonObject(data) && typeof data.signature === 'string' ? data.signature : '';
}
