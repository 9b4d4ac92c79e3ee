// Sessions of the program: saved, listed, loaded, deleted.
import { SessionStore } from '@robota-sdk/agent-sdk';

const store = new SessionStore();
const id = await store.save({
  cwd: process.cwd(),
  messages: [
    { role: 'user', id: 'm1', parentId: null, timestamp: 1, content: [{ type: 'text', text: 'hi' }] },
  ],
});
console.log((await store.list()).length, (await store.load(id)).messages.length);
await store.delete(id);
console.log((await store.list()).length);
