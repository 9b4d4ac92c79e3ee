import type { InteractiveSession, ModelRequest } from '@robota-sdk/agent-sdk/front-end';

interface Draft {
  readonly isEmpty: boolean;
  readonly text: string;
}

/**
 * Lets a model on this machine read the conversation while the user types: once for each prompt, when it begins. To be
 * called whenever the draft changes.
 */
export function readAheadAtFirstKey(session: () => InteractiveSession | undefined): (draft: Draft) => void {
  let isDone = false;
  return (draft) => {
    if (draft.isEmpty) isDone = false;
    else if (!isDone) isDone = isPrompt(draft) && readAhead(session());
  };
}

/** Commands of Robota and of the shell are not for the model. */
function isPrompt({ text }: Draft): boolean {
  return !/^[/!]/.test(text);
}

/** Returns false where it is too early. */
function readAhead(session: InteractiveSession | undefined): boolean {
  if (!session || session.isExecuting()) return false;
  const { provider } = session.models[0];
  if (!provider.readAhead) return true;
  const controller = new AbortController();
  const unsubscribe = session.subscribe(({ type }) => {
    if (type === 'run-start') controller.abort();
  });
  void provider
    .readAhead(nextRequest(session, controller.signal))
    .catch(() => {})
    .finally(unsubscribe);
  return true;
}

/** Messages from which on the first request of a session takes long to build and encode. */
const manyMessages = 1000;

/** Encodes a long conversation before the user has written the next prompt, which then need not wait for it. */
export async function prepareRequest(session: InteractiveSession): Promise<void> {
  const { provider } = session.models[0];
  if (session.messages.length < manyMessages || session.isExecuting()) return;
  await provider.prepare?.(nextRequest(session, new AbortController().signal));
}

/** The conversation as it will begin the next request. */
function nextRequest(session: InteractiveSession, signal: AbortSignal): ModelRequest {
  const { tools = [] } = session.surroundings;
  return {
    model: session.models[0].model,
    system: session.systemMessage,
    messages: [...session.messages],
    tools: tools.map(({ name, description, input }) => ({ name, description, input: input.json })),
    thinking: session.thinking,
    sessionId: session.id,
    signal,
  };
}
