import type { ConversationOptions } from '@robota-sdk/agent-sessions';

/**
 * Options of a conversation that works for another. It inherits everything except what is named here, so that no guard,
 * such as hiding keys, is lost by forgetting it.
 */
export function inheritedOptions(parent: ConversationOptions) {
  const {
    handle,
    logger,
    hooks,
    queue,
    // The payer's limits hold.
    maxCost,
    budget,
    dayLedger,
    // These are about the parent's own messages.
    instructions,
    reloadInstructions,
    todos,
    reminder,
    onCompact,
    onPrompt,
    resolvePending,
    ...inherited
  } = parent;
  return inherited;
}
