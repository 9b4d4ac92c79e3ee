import { testStore } from '../fixtures/store-conformance.ts';
import { JsonlSessionStore } from './jsonl-store.ts';
import { MemorySessionStore } from './memory-store.ts';

testStore('JsonlSessionStore', (home) => new JsonlSessionStore({ home }));
testStore('JsonlSessionStore of large files', (home) => new JsonlSessionStore({ home, heldBytes: 0 }));
testStore('MemorySessionStore', () => new MemorySessionStore());
