import { Server } from '@modelcontextprotocol/server';
import { type InteractiveSessionOptions, shortLine } from '@robota-sdk/agent-sdk/front-end';
import { type StdioOptions, serveOverStdio } from './serve-over-stdio.ts';
import { canAsk, ServedCall, ServedCalls } from './served-call.ts';
import { ServedSessions } from './served-sessions.ts';
import { callServedTool, listServedTools } from './served-tools.ts';

export interface ServeMcpOptions extends Omit<StdioOptions, 'onError'> {
  /** Options of every session: model, mode, rules. */
  readonly session: InteractiveSessionOptions;
  readonly version: string;
  /** Takes what is worth a line in a log. */
  log(text: string): void;
}

const instructions =
  'Robota is a coding agent that works in the directory it was started in. submit gives it a task and returns its answer; ' +
  'with the session_id of an answer the same conversation continues. command_… does so by a skill; the other tools only look.';

/** Offers Robota to one MCP client, until that goes: a prompt tool with sessions, skills, and the tools that only read. */
export async function serveMcp(options: ServeMcpOptions): Promise<void> {
  const { log } = options;
  const sessions = new ServedSessions(options.session, log);
  const calls = new ServedCalls();
  const makeServer = () => {
    const server = new Server(
      { name: 'robota', title: 'Robota', version: options.version },
      {
        capabilities: { tools: {} },
        instructions,
        // An answer that does not fit its question counts as none.
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    );
    server.setRequestHandler('tools/list', async (_, context) => ({
      tools: await listServedTools(sessions, canAsk(context, server)),
    }));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      calls.serve(context, () => {
        const { session_id: id } = params.arguments ?? {};
        if (typeof id === 'string') calls.release(id);
        return new ServedCall(context, { canAsk: canAsk(context, server) }, (call) =>
          callServedTool(sessions, params, call),
        );
      }),
    );
    return server;
  };
  try {
    // A validation error lists every variant; the beginning is enough.
    await serveOverStdio(makeServer, { ...options, onError: ({ message }) => log(shortLine(message, 200)) });
  } finally {
    calls.end();
    await sessions.close();
  }
}
