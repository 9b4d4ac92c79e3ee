import { MemorySessionStore } from '@robota-sdk/agent-sessions';

/** A store of sessions that ends with the process, for the client option `store`. */
export function memoryStore(): MemorySessionStore {
  return new MemorySessionStore();
}
