import type { Readable, Writable } from 'node:stream';
import { Server, type ServerOptions } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import {
  type InteractiveSessionOptions,
  type JsonObject,
  jsonSchema,
  shortLine,
} from '@robota-sdk/agent-sdk/front-end';
import { ServedSessions } from './served-sessions.ts';
import { callServedTool, listServedTools } from './served-tools.ts';

export interface ServeMcpOptions {
  /** Options of every session: model, mode, rules. */
  readonly session: InteractiveSessionOptions;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** Takes what is worth a line in a log. */
  log(text: string): void;
}

const instructions =
  'Robota is a coding agent that works in the directory it was started in. submit gives it a task and returns its answer; ' +
  'with the session_id of an answer the same conversation continues. command_… does so by a skill; the other tools only look.';

/** Offers Robota to one MCP client, until that goes: a prompt tool with sessions, skills, and the tools that only read. */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const { version, input, output, signal, log } = options;
  const server = new Server(
    { name: 'robota', title: 'Robota', version },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator: answerValidator },
  );
  const sessions = new ServedSessions(options.session, {
    log,
    canAsk: () => server.getClientCapabilities()?.elicitation !== undefined,
  });
  server.setRequestHandler('tools/list', async () => ({ tools: await listServedTools(sessions) }));
  server.setRequestHandler('tools/call', (request, context) =>
    callServedTool(sessions, { ...request.params, context }),
  );
  // A validation error lists every variant; the beginning is enough.
  server.onerror = (error) => log(shortLine(error.message, 200));
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    signal.addEventListener('abort', () => resolve(), { once: true });
    // The transport does not hear of it when the other side only stops to write.
    input.once('end', resolve);
  });
  await server.connect(new StdioServerTransport(input, output));
  try {
    await closed;
  } finally {
    await sessions.close();
    await server.close();
  }
}

/** Checks answers of the user against the form of the question, as arguments of tools are checked. */
const answerValidator: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: (form) => (data) => {
    const parsed = jsonSchema(form as JsonObject).parse(data as JsonObject);
    return parsed.ok
      ? { valid: true, data: data as never, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: parsed.error };
  },
};
