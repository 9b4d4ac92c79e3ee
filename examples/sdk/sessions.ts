// Stored sessions: search, resume, fork. `'latest'` is the last one of the directory.
import { Robota } from '@robota-sdk/agent-sdk';

await using robota = new Robota();
await robota.query('The flaky cart test waits for a timer', { cwd: 'app', session: 'new' });

const [hit] = await robota.sessions.search('flaky cart test', { cwd: 'app' });
if (!hit) throw new Error('No session mentions it.');
console.log(await robota.query('What did we find out?', { cwd: 'app', session: { resume: hit.session.id } }));

const session = { resume: hit.session.id, ...(hit.entryId ? { at: hit.entryId } : {}), fork: true };
await robota.query('Try the other fix', { cwd: 'app', session });
await robota.query('And now?', { cwd: 'app', session: 'latest' });
console.log((await robota.sessions.list()).length);
