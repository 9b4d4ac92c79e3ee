import { join } from 'node:path';
import {
  type AgentEvent,
  type EventSink,
  errorMessage,
  type RunOutcome,
  textOf,
} from '@robota-sdk/agent-core';
import { JsonlSessionStore, type Session, type SessionHandle } from '@robota-sdk/agent-sessions';
import { createSubagentLogger } from './create-subagent-logger.ts';
import { createSubagentSession, newAgentId, type SubagentOptions } from './create-subagent-session.ts';
import type { SubagentHost } from './subagent-host.ts';

/** One piece of work for a subagent. */
export interface SubagentTask extends Omit<SubagentOptions, 'handle' | 'logger'> {
  readonly prompt: string;
  readonly agentId?: string;
  readonly signal: AbortSignal;
  /** Sees every event of its run. */
  readonly onEvent?: EventSink;
}

/** What a subagent came to; there is a text also when it failed. */
export interface SubagentResult {
  readonly agentId: string;
  readonly text: string;
  readonly outcome: RunOutcome;
  /** Where its conversation is kept. */
  readonly transcriptPath?: string;
}

/** A hook that never lets an agent stop would cost without end. */
const maxSentBack = 5;

/** Runs a subagent from its prompt to its answer, and keeps its conversation beside the parent's. */
export async function runSubagent(task: SubagentTask): Promise<SubagentResult> {
  const { host, definition, signal, agentId = newAgentId() } = task;
  const transcript = await openTranscript(host, agentId, task.cwd);
  const session = createSubagentSession({
    ...task,
    ...(transcript ? { handle: transcript.handle } : {}),
    ...(host.logsDirectory === undefined
      ? {}
      : { logger: createSubagentLogger(host.session.id, agentId, host.logsDirectory) }),
  });
  const stopListening = task.onEvent ? session.subscribe(task.onEvent) : undefined;
  try {
    const about = { agentId, agentType: definition.name };
    const { context } = await host.session.hooks.run('subagent-start', about, signal);
    const prompt = context === undefined ? task.prompt : `${task.prompt}\n\n${context}`;
    const outcome = await converse(session, { task, prompt, about, transcriptPath: transcript?.path });
    return {
      agentId,
      text: answerOf(session, outcome),
      outcome,
      ...(transcript ? { transcriptPath: transcript.path } : {}),
    };
  } finally {
    stopListening?.();
    if (session.totals.modelCalls > 0) await host.session.keepSpent(session.totals);
    await session.close();
  }
}

interface Conversation {
  readonly task: SubagentTask;
  readonly prompt: string;
  readonly about: { readonly agentId: string; readonly agentType: string };
  readonly transcriptPath: string | undefined;
}

/** Asks, and asks again as long as a hook sends the agent back to work. */
async function converse(session: Session, conversation: Conversation): Promise<RunOutcome> {
  const { task, about, transcriptPath } = conversation;
  const { hooks } = task.host.session;
  let text = conversation.prompt;
  for (let sentBack = 0; ; sentBack++) {
    const outcome = await session.prompt([{ type: 'text', text }], { signal: task.signal });
    if (outcome.status !== 'completed' || !hooks.has('subagent-stop') || sentBack === maxSentBack)
      return outcome;
    const { continueWith } = await hooks.run(
      'subagent-stop',
      {
        ...about,
        text: outcome.text,
        repeated: sentBack > 0,
        ...(transcriptPath === undefined ? {} : { transcriptPath }),
      },
      task.signal,
    );
    if (continueWith === undefined) return outcome;
    text = continueWith;
  }
}

/** The last words of the agent; where it did not finish, all it said and why there is no more. */
function answerOf(session: Session, outcome: RunOutcome): string {
  if (outcome.status === 'completed' && outcome.text.trim() !== '') return outcome.text;
  const said = session.messages.flatMap((message) =>
    message.role === 'assistant' && textOf(message.content).trim() !== '' ? [textOf(message.content)] : [],
  );
  const why =
    outcome.status === 'completed'
      ? 'The agent ended without an answer.'
      : `The agent did not finish: ${outcome.error?.message ?? outcome.status}`;
  return [...said, `[${why}]`].join('\n\n');
}

/** A subagent of a session that is not kept is not kept either, and a disk that fails must not stop its work. */
async function openTranscript(
  { session, options }: SubagentHost,
  agentId: string,
  cwd: string | undefined,
): Promise<{ handle: SessionHandle; path: string } | undefined> {
  const directory = options.handle?.directory;
  if (directory === undefined) return undefined;
  const path = join(directory, 'subagents', `${agentId}.jsonl`);
  const onProblem = ({ message }: { readonly message: string }) =>
    session.notify({ level: 'warning', text: message });
  try {
    const store = new JsonlSessionStore({ home: directory, onProblem });
    const handle = await store.create({ cwd: cwd ?? options.workspace?.cwd ?? '', file: path });
    return { handle, path };
  } catch (thrown) {
    onProblem({ message: `The conversation of an agent is not kept: ${errorMessage(thrown)}` });
    return undefined;
  }
}

/** What a subagent is doing, in a line. */
export function describeEvent(event: AgentEvent): string | undefined {
  if (event.type !== 'tool-start') return undefined;
  const { name, input } = event.call;
  const first = typeof input === 'object' && input !== null ? Object.values(input)[0] : undefined;
  return `${name}(${typeof first === 'string' ? first.slice(0, 80) : ''})\n`;
}
