import { batchOf, type ModelProvider, type ModelRequest, type ModelStream } from '@robota-sdk/agent-core';

/**
 * A provider whose server enforces the JSON Schema of a request: nothing else can be written, and so no tool is offered.
 * A server that cannot use the schema refuses the request; it is then sent as if there were none.
 */
export function enforcingSchema(inner: ModelProvider): ModelProvider {
  return {
    vendor: inner.vendor,
    stream: (request) =>
      request.answerSchema === undefined ? inner.stream(request) : enforced(inner, request),
  };
}

async function* enforced(inner: ModelProvider, request: ModelRequest): ModelStream & AsyncGenerator {
  let isFirst = true;
  for await (const said of inner.stream({ ...request, tools: [] })) {
    const [first] = batchOf(said);
    if (isFirst && first?.type === 'error' && first.failure.code === 'invalid-request') {
      const { answerSchema: _, ...free } = request;
      return yield* inner.stream(free);
    }
    isFirst &&= first === undefined;
    yield said;
  }
}
