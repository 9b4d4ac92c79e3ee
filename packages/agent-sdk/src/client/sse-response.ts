import { checkArguments, instance, object, optional, record, text } from '@robota-sdk/agent-core';
import { Run } from './run.ts';

/** Makes the response of a web server from a run: one `text/event-stream` frame per event, a failure as the last one. */
export function sseResponse(
  run: Run<unknown>,
  options: { readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  checkArguments('sseResponse', {
    run: [run, instance('a run', (value): value is Run<unknown> => value instanceof Run)],
    options: [options, object({}, { headers: optional(record(text)) })],
  });
  const { headers = {} } = options;
  const events = run[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await events.next();
        if (done) return controller.close();
        controller.enqueue(encoder.encode(`event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`));
      } catch {
        // Already reported: `run-end` carries the error.
        controller.close();
      }
    },
    cancel: async () => {
      await events.return?.();
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers },
  });
}
