import {
  AgentError,
  type AgentEvent,
  abortSignal,
  callback,
  checkArguments,
  describeLimitWait,
  type EventSink,
  errorMessage,
  given,
  having,
  objectInstance,
  optional,
  pathShape,
  type RunOutcome,
  text,
  textOf,
} from '@robota-sdk/agent-core';
import type { AgentAnswer, SubagentHost } from '@robota-sdk/agent-resources';
import {
  addShares,
  type Conversation,
  type SessionTotals,
  type ToolShare,
  toolSharesOf,
} from '@robota-sdk/agent-sessions';
import type { Worktree } from '@robota-sdk/agent-worktree';
import { callWords } from '../state/tool-state.ts';
import { totalsSince } from '../state/totals-since.ts';
import { createSubagentLogger } from './create-subagent-logger.ts';
import { createSubagentSession, newAgentId, type SubagentOptions } from './create-subagent-session.ts';
import type { KeptWorktree } from './kept-worktree.ts';
import { type AgentTranscript, Transcripts } from './transcripts.ts';

/** One piece of work for a subagent. */
export interface SubagentTask extends Omit<SubagentOptions, 'handle' | 'logger'> {
  readonly prompt: string;
  /** An agent with a stored transcript continues that conversation. */
  readonly agentId?: string;
  readonly signal: AbortSignal;
  /** The call of the parent that it works for. */
  readonly callId?: string;
  /** It continues to wait for a limit, as it did when its process ended. */
  readonly resumes?: boolean;
  /** `worktree`: in a copy of the repository on a new branch. Default: as in its definition. */
  readonly isolation?: 'none' | 'worktree';
  /** The store of agents' conversations. Default: next to the parent's. */
  readonly transcripts?: Transcripts;
  /** Sees every event of its run. */
  readonly onEvent?: EventSink;
  /** Receives the session before its first event, to steer it. */
  onSession?(session: Conversation): void;
}

/** The outcome of a subagent; it has a text even if it failed. */
export interface SubagentResult extends AgentAnswer {
  /** Its total usage since it first began. */
  readonly totals: SessionTotals;
  /** The worktree, if the agent left changes in it. */
  readonly worktree?: KeptWorktree;
}

export const definitionShape = having({ name: text, description: text, systemPrompt: text });
export const hostOfSubagents = having({
  session: objectInstance,
  options: objectInstance,
  context: objectInstance,
});
const taskShape = having({
  prompt: text,
  signal: abortSignal,
  definition: definitionShape,
  host: hostOfSubagents,
  agentId: optional(text),
  cwd: optional(pathShape),
  onEvent: optional(callback),
  onSession: optional(callback),
});

/** Limits a hook that never lets an agent stop. */
const maxSentBack = 5;

/** Runs a subagent from its prompt to its answer, and stores its conversation next to the parent's. */
export async function runSubagent(task: SubagentTask): Promise<SubagentResult> {
  checkArguments('runSubagent', { task: [task, taskShape] });
  const agentId = task.agentId ?? newAgentId();
  const isolation = task.isolation ?? task.definition.isolation ?? 'none';
  if (isolation === 'none') return runIn({ ...task, agentId });
  const worktree = await openWorktree(task, agentId);
  try {
    const result = await runIn({ ...task, agentId, note: worktree.note, cwd: worktree.cwd });
    const end = await worktree.finish();
    if (end.kind === 'removed') return result;
    const { path, branch, base } = worktree;
    const kept = { path, branch, base, advice: end.text };
    return { ...result, text: `${result.text}\n\n${end.text}`, worktree: kept };
  } catch (thrown) {
    const end = await worktree.finish();
    if (end.kind === 'removed' || !AgentError.is(thrown)) throw thrown;
    throw new AgentError(thrown.code, `${errorMessage(thrown)}\n${end.text}`, { cause: thrown });
  }
}

async function openWorktree({ host, definition, signal }: SubagentTask, agentId: string): Promise<Worktree> {
  const { agentBranch, Worktree } = await import('@robota-sdk/agent-worktree');
  return Worktree.open({
    cwd: host.options.workspace?.cwd ?? process.cwd(),
    home: host.home,
    name: agentId,
    branch: agentBranch(definition.name, agentId),
    env: host.options.env ?? {},
    signal,
  });
}

async function runIn(task: SubagentTask & { readonly agentId: string }): Promise<SubagentResult> {
  const { host, definition, signal, agentId, transcripts = new Transcripts(host) } = task;
  const transcript = await transcripts.open(agentId, task.cwd ?? host.options.workspace?.cwd ?? '');
  const session = openSession(task, transcript);
  const before = session.totals;
  const shares: ToolShare[] = [];
  const stopListening = task.onEvent ? session.subscribe(task.onEvent) : undefined;
  session.subscribe((event) => {
    for (const listener of host.agentListeners) listener(event, agentId);
    if (event.type === 'message-append') shares.push(...toolSharesOf(event.message));
    const { callId } = task;
    if (event.type === 'limit-end' && callId !== undefined)
      return host.session.parking.keepCall(callId, undefined);
    if (event.type !== 'limit-wait') return;
    const text = `The agent ${definition.name}: ${describeLimitWait(event)}`;
    host.session.notify({ level: 'info', text });
    return callId === undefined ? undefined : host.session.parking.keepCall(callId, event);
  });
  try {
    task.onSession?.(session);
    const about = { agentId, agentType: definition.name, ...given('cwd', task.cwd) };
    const resumes = task.resumes === true && session.branches.parked !== undefined;
    const { context } = resumes ? {} : await host.session.hooks.run('subagent-start', about, signal);
    const said = context === undefined ? task.prompt : `${task.prompt}\n\n${context}`;
    const prompt = resumes ? undefined : said;
    const outcome = await converse(session, { task, prompt, about, transcriptPath: transcript?.path });
    return {
      agentId,
      text: answerOf(session, outcome),
      outcome,
      totals: session.totals,
      ...given('transcriptPath', transcript?.path),
    };
  } finally {
    stopListening?.();
    const spent = totalsSince(session.totals, before);
    if (spent.modelCalls > 0) {
      const { model } = session;
      const tools = addShares(shares);
      await host.session.keepSpent(spent, { purpose: 'agents', model, agent: definition.name, tools });
    }
    await session.close();
  }
}

function openSession(
  task: SubagentTask & { readonly agentId: string },
  transcript: AgentTranscript | undefined,
) {
  const { host, agentId } = task;
  const { logs } = host;
  return createSubagentSession({
    ...task,
    ...given('handle', transcript?.handle),
    ...given('logger', logs === undefined ? undefined : createSubagentLogger(host.session.id, agentId, logs)),
  });
}

interface Exchange {
  readonly task: SubagentTask;
  /** Absent where a wait is resumed. */
  readonly prompt: string | undefined;
  readonly about: { readonly agentId: string; readonly agentType: string; readonly cwd?: string };
  readonly transcriptPath: string | undefined;
}

/** Runs the agent again while a hook sends it back to work. */
async function converse(session: Conversation, conversation: Exchange): Promise<RunOutcome> {
  const { task, about, transcriptPath } = conversation;
  const { hooks } = task.host.session;
  let text = conversation.prompt;
  for (let sentBack = 0; ; sentBack++) {
    const content = text === undefined ? [] : [{ type: 'text', text } as const];
    const outcome = await session.prompt(content, {
      signal: task.signal,
      resumesParked: text === undefined,
    });
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

/** The agent's last message; if it did not finish, everything it wrote and the reason. */
function answerOf(session: Conversation, outcome: RunOutcome): string {
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

/** Describes a subagent's activity in a line. */
export function describeEvent(event: AgentEvent, { options }: SubagentHost): string | undefined {
  return event.type === 'tool-start' ? `${callWords(event.call, options.workspace?.cwd)}\n` : undefined;
}
