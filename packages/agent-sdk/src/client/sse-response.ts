import type { Run } from './run.ts';

/** Makes the response of a web server from a run: one `text/event-stream` frame per event, a failure as the last one. */
export function sseResponse(
  run: Run<unknown>,
  { headers = {} }: { readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
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
