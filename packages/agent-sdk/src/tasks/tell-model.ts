import { type AgentRun, errorMessage, orAborted } from '@robota-sdk/agent-core';
import type { SubagentHost } from '@robota-sdk/agent-resources';
import { limitText } from '@robota-sdk/agent-tools';
import { announceEnd, dropAnnouncement } from './announce-end.ts';
import type { TaskRegistry } from './task-registry.ts';
import type { BackgroundTask } from './task-state.ts';

/** Results longer than this go to a file that the model may read. */
const resultLimit = 20_000;

/**
 * Follows a task that the model started: its result is sent to the model with the next request, and interrupting the
 * starting run ends it too.
 */
export function tellModel(
  task: BackgroundTask,
  { host, registry, signal }: { host: SubagentHost; registry: TaskRegistry; signal: AgentRun['signal'] },
): void {
  const stop = () => {
    dropAnnouncement(host.session, task.id);
    void registry.cancel(task.id, 'The run that started it was interrupted.').catch(() => {});
  };
  signal.addEventListener('abort', stop, { once: true });
  if (host.options.terminal) announceEnd(host.session, registry, task.id);
  const told = registry
    .whenEnded(task.id)
    .then(async (ended) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) return;
      host.session.queue.remind([{ type: 'text', text: await describeResult(ended, host) }]);
      registry.markRead(ended.id);
    })
    .catch((thrown: unknown) => host.session.notify({ level: 'warning', text: errorMessage(thrown) }));
  // A session without a user ends its run only after its tasks.
  if (host.options.terminal === undefined) waitAtEnd(host, told);
}

/** The run would stop; once the result has arrived, the loop sees that there is more to do. */
function waitAtEnd({ session }: SubagentHost, told: Promise<void>): void {
  const remove = session.hooks.add(
    'run-stop',
    async (_input, signal) => {
      await orAborted(told, signal).catch(() => {});
      return {};
    },
    'background tasks',
  );
  void told.then(remove);
}

/** Describes the end of a task for a model. */
async function describeResult(task: BackgroundTask, host: SubagentHost): Promise<string> {
  const { id, agentType = task.kind, status, result, error } = task;
  const { outputDir } = host.session;
  const said = result?.output ?? '';
  const { text } = await limitText(said, { outputDir, name: `task-${id}`, limit: resultLimit });
  const why = error ? `\n[${status}: ${error.message}]` : '';
  return `<background-task id="${id}" agent="${agentType}" status="${status}">\n${text}${why}\n</background-task>`;
}
