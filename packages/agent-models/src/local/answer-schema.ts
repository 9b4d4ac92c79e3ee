import {
  batchOf,
  type ModelEvent,
  type ModelProvider,
  type ModelRequest,
  type ModelStream,
} from '@robota-sdk/agent-core';

/**
 * A provider whose server enforces JSON Schemas. That of a request lets nothing else be written, and so no tool is offered;
 * those of tools keep calls whole, where the server can (vLLM). A server that cannot use a schema refuses the request, or
 * says nothing; it is then asked as if there were none.
 */
export function enforcingSchema(inner: ModelProvider): ModelProvider {
  let marksTools = true;
  return {
    vendor: inner.vendor,
    stream: (request) => {
      if (request.answerSchema !== undefined) return enforced(inner, request);
      if (!marksTools || request.model.compat?.server !== 'vllm' || request.tools.length === 0)
        return inner.stream(request);
      return unlessRefused(inner.stream(marked(request)), () => {
        marksTools = false;
        return inner.stream(request);
      });
    },
  };
}

/** Tools whose schemas the server is to enforce. */
function marked(request: ModelRequest): ModelRequest {
  const { model } = request;
  return { ...request, model: { ...model, compat: { ...model.compat, enforcesTools: true } } };
}

async function* enforced(inner: ModelProvider, request: ModelRequest): ModelStream & AsyncGenerator {
  const { answerSchema: _, ...free } = request;
  let hasSpoken = false;
  let hasFailed = false;
  const answer = unlessRefused(inner.stream({ ...request, tools: [] }), () => {
    hasSpoken = true;
    return inner.stream(free);
  });
  // Servers that take thinking for the answer leave the answer empty. So events are held until there is a word.
  const held: (ModelEvent | readonly ModelEvent[])[] = [];
  for await (const said of answer) {
    const events = batchOf(said);
    for (const event of events) {
      hasSpoken ||= event.type === 'text-delta' && event.text.trim() !== '';
      hasFailed ||= event.type === 'error';
    }
    if (events.every(({ type }) => type === 'prompt-progress')) yield said;
    else if (!hasSpoken && !hasFailed) held.push(said);
    else {
      yield* held.splice(0);
      yield said;
    }
  }
  if (!hasSpoken && !hasFailed) yield* inner.stream(free);
}

/** A stream, or another one where it begins with a refusal. */
async function* unlessRefused(
  stream: ModelStream,
  otherwise: () => ModelStream,
): ModelStream & AsyncGenerator {
  let isFirst = true;
  for await (const said of stream) {
    const [first] = batchOf(said);
    if (isFirst && first?.type === 'error' && first.failure.code === 'invalid-request')
      return yield* otherwise();
    isFirst &&= first === undefined;
    yield said;
  }
}
