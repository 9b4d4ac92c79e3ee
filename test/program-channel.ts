import type { Line, Program } from './program.ts';

/** A request of a program. */
export const request = (id: string, fields: object) => ({
  type: 'control_request',
  request_id: id,
  request: fields,
});
export const initialize = (fields: object) => request('init', { subtype: 'initialize', ...fields });

/** The answer to a request of the program. */
export async function answerTo(program: Program, id: string) {
  const line = await program.next(
    ({ type, response }) =>
      type === 'control_response' && (response as { request_id?: string }).request_id === id,
  );
  return line.response as { subtype: string; error?: string; response?: Record<string, unknown> };
}

/** A request of ours of a certain kind. */
export async function asked(
  program: Program,
  subtype: string,
): Promise<Line & { request: Record<string, unknown> }> {
  const line = await program.next(
    (each) => each.type === 'control_request' && (each.request as { subtype?: string }).subtype === subtype,
  );
  return line as Line & { request: Record<string, unknown> };
}

/** The answer of a program to a request of ours. */
export function answer({ request_id }: Line, response: unknown) {
  return { type: 'control_response', response: { subtype: 'success', request_id, response } };
}

/** Plays an MCP server with one tool that adds two numbers. */
export function serve(program: Program, name: string): { stop(): void } {
  let isOver = false;
  const results: Readonly<Record<string, (params: { arguments?: { a: number; b: number } }) => object>> = {
    initialize: () => ({
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name, version: '1.0.0' },
    }),
    'tools/list': () => ({
      tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: {} } }],
    }),
    'tools/call': ({ arguments: input = { a: 0, b: 0 } }) => ({
      content: [{ type: 'text', text: String(input.a + input.b) }],
    }),
  };
  const loop = async () => {
    while (!isOver) {
      const line = await asked(program, 'mcp_message').catch(() => undefined);
      if (!line) return;
      const {
        id,
        method = '',
        params,
      } = line.request.message as {
        id?: number;
        method?: string;
        params?: { arguments?: { a: number; b: number } };
      };
      const result = results[method]?.(params ?? {});
      const error = { code: -32601, message: 'no such method' };
      const response = id === undefined ? {} : { id, ...(result ? { result } : { error }) };
      program.send(answer(line, { mcp_response: { jsonrpc: '2.0', ...response } }));
    }
  };
  void loop();
  return {
    stop: () => {
      isOver = true;
    },
  };
}
