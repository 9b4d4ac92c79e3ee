import { AgentError } from '@robota-sdk/agent-core';
import { openClient } from '../client/open-client.ts';
import type { FleetConsole, FleetRequest } from '../console/fleet-console.ts';
import type { FleetClient } from '../contract/client.ts';
import type { TaskDetails } from '../contract/task.ts';

/** The database that a command uses: its option, else `ROBOTA_FLEET`, else none. */
export function databaseOf(request: FleetRequest, { env }: FleetConsole): string | undefined {
  return request.value('database') ?? (env.ROBOTA_FLEET || undefined);
}

/** Opens the fleet for a command and closes it behind it. */
export async function withClient<T>(
  request: FleetRequest,
  console: FleetConsole,
  run: (client: FleetClient) => Promise<T>,
): Promise<T> {
  const client = await openClient({ database: databaseOf(request, console), home: console.home });
  try {
    return await run(client);
  } finally {
    await client.close();
  }
}

/** The task that a user names; an error if there is none. */
export async function requireTask(client: FleetClient, reference: string | undefined): Promise<TaskDetails> {
  const list = { text: 'List them with', run: ['fleet', 'list'] } as const;
  if (reference === undefined) throw new AgentError('usage', 'Missing task.', { hint: list });
  const task = await client.task(reference);
  if (task) return task;
  throw new AgentError('usage', `No task "${reference}".`, { hint: list });
}

/** The only word of a command that takes one. */
export function onlyWord({ words, command }: FleetRequest): string | undefined {
  const [word, other] = words;
  if (other === undefined) return word;
  throw new AgentError('usage', `robota fleet ${command} takes one task. Unexpected "${other}".`);
}
