import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkArguments, isJsonObject, type JsonObject, parseJson } from '@robota-sdk/agent-core';
import { answerOf, type ScriptedStep, scriptShape } from './scripted-model.ts';

/** A server that plays the Messages API, for tests that start a program as a process. */
export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** The variables that direct a program to this server. */
  readonly env: Readonly<Record<'ANTHROPIC_API_KEY' | 'ANTHROPIC_BASE_URL', string>>;
  /** The bodies of all requests. */
  readonly requests: readonly JsonObject[];
  readonly headers: readonly Readonly<Record<string, unknown>>[];
}

/** Starts a server on loopback that answers from a script; a request beyond its end gets an error. */
export async function modelServer(script: readonly ScriptedStep[]): Promise<ModelServer> {
  checkArguments('modelServer', { script: [script, scriptShape] });
  const requests: JsonObject[] = [];
  const headers: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    headers.push(request.headers);
    const step = script[requests.push(await bodyOf(request)) - 1];
    if (step === undefined) {
      const error = {
        type: 'invalid_request_error',
        message: `The script has no answer ${requests.length}.`,
      };
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of eventsOf(step))
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: url },
    requests,
    headers,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const body = parseJson(Buffer.concat(parts).toString('utf8'));
  return isJsonObject(body) ? body : {};
}

type WireEvent = JsonObject & { readonly type: string };

/** The events of one answer, as the API streams them. */
function eventsOf(step: ScriptedStep): WireEvent[] {
  const { text = [], calls = [], usage } = answerOf(step);
  const deltas = typeof text === 'string' ? [text] : text;
  const blocks = [
    ...(deltas.length === 0 ? [] : [textBlock(deltas)]),
    ...calls.map(({ name, input }, index) =>
      callBlock({ name, id: `toolu_${index}` }, JSON.stringify(input)),
    ),
  ];
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  const { input = 10, output = 5 } = usage ?? {};
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'scripted' };
  return [
    { type: 'message_start', message: { ...message, usage: { input_tokens: input, output_tokens: 0 } } },
    ...blocks.flatMap((block, index) => block.map((event) => ({ ...event, index }))),
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: output } },
    { type: 'message_stop' },
  ];
}

function textBlock(deltas: readonly string[]): WireEvent[] {
  return [
    { type: 'content_block_start', content_block: { type: 'text', text: '' } },
    ...deltas.map((text) => ({ type: 'content_block_delta', delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop' },
  ];
}

function callBlock(call: { readonly name: string; readonly id: string }, json: string): WireEvent[] {
  return [
    { type: 'content_block_start', content_block: { type: 'tool_use', ...call, input: {} } },
    { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: json } },
    { type: 'content_block_stop' },
  ];
}
