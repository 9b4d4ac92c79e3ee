import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AgentError, errorMessage, isLoopback } from '@robota-sdk/agent-core';
import { LocalClient } from '../client/local-client.ts';
import { resumeClaims } from '../client/once.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import type { TaskSpec } from '../contract/task.ts';
import { createHookServer, type ListenAddress, parseListenAddress } from '../hook/hook-server.ts';
import { readTaskFile } from '../task/read-task.ts';
import { assertRepository } from './add-command.ts';
import { databaseOf, withClient } from './with-client.ts';

const shortestSecret = 16;
const usualAddress = '127.0.0.1:7444';
const usualRate = 30;

/** `robota fleet hook`: makes tasks of signed requests until it is interrupted. */
export async function hookCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const address = addressOf(request);
  const secret = await secretOf(request, console);
  const templates = await templatesOf(request, console);
  const events = request.values('event').flatMap((value) => value.split(','));
  return withClient(request, console, async (client) => {
    if (client instanceof LocalClient) await resumeClaims(client.files);
    const server = createHookServer({
      client,
      templates,
      secret,
      ...hostsOf(request, address),
      ...(events.length === 0 ? {} : { events }),
      tasksPerMinute: rateOf(request),
      onEvent: (line) => void console.note(line),
    });
    const { port } = await listen(server, address);
    for (const path of templates.keys())
      await console.note(`Listening on http://${address.host}:${port}${path}`);
    await new Promise<void>((done) => {
      const interrupts = console.onInterrupt(() => {
        interrupts.stop();
        server.close(() => done());
        server.closeAllConnections();
      });
    });
    return exitCodes.done;
  });
}

function addressOf(request: FleetRequest): ListenAddress {
  const address = parseListenAddress(request.value('listen') ?? usualAddress);
  if (isLoopback(address.host) || request.has('allow-remote')) return address;
  throw new AgentError('usage', `${address.host} can be reached by other machines.`, {
    hint: 'Listen on 127.0.0.1 behind a proxy with TLS, or add --allow-remote.',
  });
}

/** A server that other machines reach may have any name; one on this machine has those, and the ones that a proxy passes on. */
function hostsOf(request: FleetRequest, { host }: ListenAddress): { readonly hosts?: readonly string[] } {
  const named = request.values('host').map((name) => name.toLowerCase());
  if (named.length === 0 && !isLoopback(host)) return {};
  return { hosts: ['localhost', '127.0.0.1', '[::1]', host, `[${host}]`, ...named] };
}

async function secretOf(request: FleetRequest, console: FleetConsole): Promise<string> {
  const file = request.value('secret-file');
  const secret =
    file === undefined ? console.env.ROBOTA_HOOK_SECRET : await readSecret(resolve(console.cwd, file));
  if (secret === undefined || secret === '')
    throw new AgentError('usage', 'Missing secret.', {
      hint: 'Set ROBOTA_HOOK_SECRET, or name a file with --secret-file.',
    });
  if (secret.length >= shortestSecret) return secret;
  throw new AgentError('usage', `The secret has less than ${shortestSecret} characters.`, {
    hint: 'Make one with: openssl rand -hex 32',
  });
}

async function readSecret(file: string): Promise<string> {
  try {
    const { mode } = await stat(file);
    if (process.platform === 'win32' || (mode & 0o077) === 0) return (await readFile(file, 'utf8')).trim();
  } catch (thrown) {
    throw new AgentError('usage', `The file of the secret cannot be read: ${errorMessage(thrown)}`);
  }
  throw new AgentError('usage', `Other users can read ${file}.`, { hint: `Run: chmod 600 ${file}` });
}

async function templatesOf(
  request: FleetRequest,
  console: FleetConsole,
): Promise<ReadonlyMap<string, TaskSpec>> {
  const { words } = request;
  if (words.length === 0)
    throw new AgentError('usage', 'Missing task file.', {
      hint: 'It decides repository, permissions and check of the tasks: robota fleet hook triage.md',
    });
  const specs = await Promise.all(words.map((file) => readTaskFile(file, { directory: console.cwd })));
  for (const spec of specs) assertRepository(spec, databaseOf(request, console) !== undefined);
  const named = specs.map((spec) => [`/${encodeURIComponent(spec.name)}`, spec] as const);
  const [only, other] = specs;
  return new Map([...(only && !other ? [['/', only] as const] : []), ...named]);
}

function rateOf(request: FleetRequest): number {
  const given = request.value('rate');
  const rate = given === undefined ? usualRate : Number(given);
  if (Number.isSafeInteger(rate) && rate > 0) return rate;
  throw new AgentError('usage', `--rate needs a number of tasks a minute, not "${given}".`);
}

function listen(
  server: ReturnType<typeof createHookServer>,
  { host, port }: ListenAddress,
): Promise<{ port: number }> {
  return new Promise((done, fail) => {
    server.once('error', (error) =>
      fail(new AgentError('usage', `Cannot listen on ${host}:${port}: ${errorMessage(error)}`)),
    );
    server.listen(port, host, () => {
      const bound = server.address();
      done({ port: typeof bound === 'object' && bound ? bound.port : port });
    });
  });
}
