import { AgentError, type ToolContext } from '@robota-sdk/agent-core';
import type { SubagentHost } from '@robota-sdk/agent-resources';
import { describeTasks } from './describe-tasks.ts';
import { type AgentJobRequest, type TaskRegistry, taskRegistry } from './task-registry.ts';
import { tellModel } from './tell-model.ts';

/** An action of a model on tasks. */
export interface TaskAction {
  readonly action: 'list' | 'read' | 'send' | 'stop';
  readonly id?: string;
  readonly prompt?: string;
}

/** A model reads the end of the output; all of it is in the file. */
const readLimit = 20_000;

/** Starts an agent in the background for the model, and says how it gets the result. */
export async function startTask(
  request: AgentJobRequest,
  host: SubagentHost,
  context: ToolContext,
): Promise<string> {
  const registry = context.state.get(taskRegistry);
  const task = await registry.spawnAgent(request);
  tellModel(task, { host, registry, signal: context.signal });
  const waits = task.status === 'queued' ? ' It waits until another one has ended.' : '';
  return `Started in the background as task ${task.id}.${waits} You are told its result when it is there; look at it with {"task":{"action":"read","id":"${task.id}"}}.`;
}

/** The model's equivalent of `/agent`. */
export async function runTaskAction(
  { action, id, prompt }: TaskAction,
  context: ToolContext,
): Promise<string> {
  const registry = context.state.get(taskRegistry);
  if (action === 'list') return describeTasks(registry.list());
  if (id === undefined)
    throw new AgentError('tool', `Give the id of the task. ${describeTasks(registry.list())}`);
  if (action === 'read') return read(registry, id);
  if (action === 'send') {
    const task = await registry.send(id, { prompt: prompt ?? '' });
    return `Sent. ${describeTasks([task])}`;
  }
  return describeTasks([await registry.cancel(id, 'The agent that started it stopped it.')]);
}

async function read(registry: TaskRegistry, id: string): Promise<string> {
  const { text } = await registry.readLog(id);
  const task = registry.require(id);
  const cut = text.length - readLimit;
  const path = task.transcriptPath ?? task.logPath;
  const left =
    cut > 0 ? `[… ${cut} characters before${path === undefined ? '' : `; all of it in ${path}`}]\n` : '';
  return `${left}${text.slice(-readLimit).trimEnd()}\n[${describeTasks([task])}]`;
}
