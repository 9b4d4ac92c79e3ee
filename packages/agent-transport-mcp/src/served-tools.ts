import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server';
import {
  callTool,
  errorMessage,
  type IExecutionResult,
  type InteractiveSession,
  type JsonValue,
  type SessionEvent,
  type Skill,
  textOf,
  type UserContent,
} from '@robota-sdk/agent-sdk/front-end';
import type { ServedCall } from './served-call.ts';
import type { ServedSessions } from './served-sessions.ts';

/** Tools that change nothing and need nothing but this machine. */
const readOnly = ['Read', 'Glob', 'Grep'];

const sessionId = {
  type: 'string',
  description: 'Continues the conversation of an earlier answer; starts a new one without it.',
} as const;

const submitTool: Tool = {
  name: 'submit',
  title: 'Ask Robota',
  description:
    'Gives a task to Robota, a coding agent that reads, searches, edits and runs commands in its directory, and returns its answer.',
  inputSchema: {
    type: 'object',
    properties: { prompt: { type: 'string', description: 'The task to do.' }, session_id: sessionId },
    required: ['prompt'],
  },
  outputSchema: {
    type: 'object',
    properties: {
      session_id: { type: 'string' },
      status: { type: 'string' },
      answer: { type: 'string' },
      denied: { type: 'array', items: { type: 'string' } },
    },
    required: ['session_id', 'status', 'answer'],
  },
};

/** The tools that are offered: `submit`, a command for each skill a model may use, and those that only read. */
export async function listServedTools(sessions: ServedSessions, canAsk: boolean): Promise<Tool[]> {
  const { session } = await sessions.services(canAsk);
  const { tools = [] } = session.surroundings;
  const reading = tools
    .filter(({ name }) => readOnly.includes(name))
    .map(
      ({ name, description, input }): Tool => ({
        name,
        description,
        inputSchema: input.json as Tool['inputSchema'],
        annotations: { readOnlyHint: true, openWorldHint: false },
      }),
    );
  return [submitTool, ...commandSkills(session).map(commandTool), ...reading];
}

/** A tool with the arguments of a client. */
export interface ToolRequest {
  readonly name: string;
  readonly arguments?: Record<string, unknown> | undefined;
}

/**
 * Runs a tool for a client. What fails is told in the result, so that the client's model can act on it; only a tool that
 * there is not is an error of the protocol.
 */
export async function callServedTool(
  sessions: ServedSessions,
  request: ToolRequest,
  call: ServedCall,
): Promise<CallToolResult> {
  try {
    const { name } = request;
    if (name === submitTool.name) return await submit(sessions, request, call);
    if (name.startsWith('command_')) return await runCommand(sessions, request, call);
    return await look(sessions, request, call);
  } catch (thrown) {
    call.signal.throwIfAborted();
    if (thrown instanceof ProtocolError) throw thrown;
    return { content: [{ type: 'text', text: errorMessage(thrown) }], isError: true };
  }
}

async function submit(
  sessions: ServedSessions,
  request: ToolRequest,
  call: ServedCall,
): Promise<CallToolResult> {
  const { prompt } = request.arguments ?? {};
  if (typeof prompt !== 'string' || prompt.trim() === '') throw new Error('submit needs a "prompt".');
  return converse(sessions, request, call, (session, signal) => session.submit(prompt, { signal }));
}

async function runCommand(
  sessions: ServedSessions,
  request: ToolRequest,
  call: ServedCall,
): Promise<CallToolResult> {
  const { args = '' } = request.arguments ?? {};
  return converse(sessions, request, call, async (session, signal) => {
    const skill = commandSkills(session).find(({ name }) => toolNameOf(name) === request.name);
    const result = skill && (await session.executeCommand(skill.name, String(args), { signal }));
    if (!result) throw noTool(request.name);
    if (result.execution) return result.execution;
    if (!result.success) throw new Error(result.message);
    return result.message;
  });
}

type Work = (
  session: InteractiveSession,
  signal: AbortSignal,
) => Promise<IExecutionResult | string | undefined>;

/** Does something in a conversation and tells how it ended. */
async function converse(
  sessions: ServedSessions,
  request: ToolRequest,
  call: ServedCall,
  work: Work,
): Promise<CallToolResult> {
  const { session_id: id } = request.arguments ?? {};
  if (id !== undefined && typeof id !== 'string') throw new Error('"session_id" should be a text.');
  const served = await sessions.conversation(id, call);
  return served.during(call, async (session) => {
    const stopReporting = reportProgress(call, session);
    try {
      return resultOf(session, await work(session, call.signal));
    } finally {
      stopReporting();
    }
  });
}

function resultOf(session: InteractiveSession, done: IExecutionResult | string | undefined): CallToolResult {
  const session_id = session.id;
  if (typeof done !== 'object')
    return answerOf({ session_id, status: 'completed', answer: session.redact(done ?? '') });
  const { status, response, error, denials } = done;
  const answer = session.redact(error && response === '' ? error.message : response);
  const denied = denials.map(({ toolName, reason }) => `${toolName}: ${reason}`);
  const result = answerOf({ session_id, status, answer, ...(denied.length > 0 ? { denied } : {}) });
  return status === 'completed' ? result : { ...result, isError: true };
}

interface Answered {
  readonly session_id: string;
  readonly status: string;
  readonly answer: string;
  readonly denied?: string[];
}

function answerOf(answered: Answered): CallToolResult {
  const { answer, session_id, denied = [] } = answered;
  const refused = denied.length === 0 ? '' : `\n\nNot allowed: ${denied.join('; ')}`;
  return {
    content: [
      { type: 'text', text: `${answer}${refused}` },
      { type: 'text', text: `session_id: ${session_id}` },
    ],
    structuredContent: { ...answered },
  };
}

/** Runs one of the tools that only read, by the rules of the session. */
async function look(
  sessions: ServedSessions,
  { name, arguments: input = {} }: ToolRequest,
  call: ServedCall,
): Promise<CallToolResult> {
  if (!readOnly.includes(name)) throw noTool(name);
  const served = await sessions.services(call.canAsk);
  return served.during(call, async (session): Promise<CallToolResult> => {
    const { signal } = call;
    const { content, isError } = await callTool(session, { name, input: input as JsonValue, signal });
    return { content: content.map((block) => contentOf(block, session)), isError };
  });
}

function noTool(name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool "${name}".`);
}

function contentOf(block: UserContent, session: InteractiveSession): CallToolResult['content'][number] {
  if (block.type === 'image') return { type: 'image', data: block.data, mimeType: block.mimeType };
  return { type: 'text', text: session.redact(textOf([block])) };
}

/** Skills that a model may use and that are commands. */
function commandSkills(session: InteractiveSession): readonly Skill[] {
  return session.skills.filter(
    ({ name, isModelInvocable, isUserInvocable }) =>
      isModelInvocable && isUserInvocable && session.findCommand(name) !== undefined,
  );
}

function commandTool({ name, description, argumentHint }: Skill): Tool {
  const hint = argumentHint === undefined ? '' : ` (${argumentHint})`;
  return {
    name: toolNameOf(name),
    description,
    inputSchema: {
      type: 'object',
      properties: {
        args: { type: 'string', description: `What the command is given${hint}.` },
        session_id: sessionId,
      },
    },
  };
}

function toolNameOf(command: string): string {
  return `command_${command.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;
}

const longestText = 200;

/** Tells a client what a session is doing, tool by tool; the returned function ends it. */
function reportProgress(call: ServedCall, session: InteractiveSession): () => void {
  let progress = 0;
  return session.subscribe((event) => {
    const message = messageOf(event, session);
    if (message !== undefined) call.report(++progress, message);
  });
}

function messageOf(event: SessionEvent, session: InteractiveSession): string | undefined {
  if (event.type === 'turn-start') return `Turn ${event.turn}`;
  if (event.type !== 'tool-start') return undefined;
  const { name, input } = event.call;
  const text = session.redact(`${name} ${JSON.stringify(input)}`);
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}
