// One prompt with formatted output, by the runner and by the transport adapter.
import { createSession } from '@robota-sdk/agent-sdk';
import { createInteractiveSession, type ITransportAdapter } from '@robota-sdk/agent-sdk/compat';
import {
  createHeadlessRunner,
  createHeadlessTransport,
  type TOutputFormat,
} from '@robota-sdk/agent-transport-headless';

const session = await createInteractiveSession({ cwd: process.cwd(), store: 'none' });
const outputFormat: TOutputFormat = 'text';
const { run } = createHeadlessRunner({ session, outputFormat });
const exitCode = await run('Hello');

const transport = createHeadlessTransport({ outputFormat: 'json', prompt: 'Hello again' });
const adapter: ITransportAdapter = transport;
adapter.attach(session);
await adapter.start();
await adapter.stop();
console.log(exitCode, transport.getExitCode());
await session.shutdown();

const other = createSession({ cwd: process.cwd() });
await createHeadlessRunner({ session: other }).run('Hello');
await other.close();
