import type { TaskPermissionPolicy, TaskSettings } from '@robota-sdk/agent-config';
import {
  AgentError,
  type AgentEvent,
  type AuthorizationView,
  errorMessage,
  given,
  type JsonValue,
  type PermissionPolicy,
  textOf,
} from '@robota-sdk/agent-core';
import type { IAgentDefinition, SubagentHost } from '@robota-sdk/agent-resources';
import type { Conversation } from '@robota-sdk/agent-sessions';
import { callWords, toolStateOf } from '../state/tool-state.ts';
import type { SubagentResult } from '../subagents/run-subagent.ts';
import type { Transcripts } from '../subagents/transcripts.ts';
import { type BackgroundTask, preview } from './task-state.ts';
import { now, type TaskTable } from './task-table.ts';
import { TaskWatchdog, type WatchdogStop } from './task-watchdog.ts';

/** Services a job needs from its registry. */
export interface AgentJobServices {
  readonly host: SubagentHost;
  readonly table: TaskTable;
  readonly transcripts: Transcripts;
  readonly settings: TaskSettings;
  readonly definition: IAgentDefinition;
}

/** One run of an agent in the background: from being started to its end. */
export class AgentJob {
  readonly id: string;
  readonly #parts: AgentJobServices;
  readonly #prompt: string;
  readonly #resumes: boolean;
  /** It waits for a limit. */
  #isWaiting = false;
  readonly #controller = new AbortController();
  #session: Conversation | undefined;
  #watchdog: TaskWatchdog | undefined;
  #stop: WatchdogStop | undefined;
  #cancelReason: string | undefined;
  /** Streamed text that is in no message yet. */
  #streaming = '';

  /** Without a prompt it resumes a wait for a limit. */
  constructor(task: { readonly id: string; readonly prompt?: string }, parts: AgentJobServices) {
    this.id = task.id;
    this.#prompt = task.prompt ?? '';
    this.#resumes = task.prompt === undefined;
    this.#parts = parts;
  }

  get streaming(): string {
    return this.#streaming;
  }

  /** Adds to the running work; returns false before and after it. */
  steer(text: string): boolean {
    if (!this.#session?.isRunning) return false;
    this.#session.steer([{ type: 'text', text }]);
    return true;
  }

  cancel(reason: string): void {
    this.#cancelReason ??= reason;
    this.#controller.abort();
  }

  /** Never rejects: how it ended is a state of the task. */
  async run(): Promise<void> {
    const { table, transcripts, settings } = this.#parts;
    const path = transcripts.pathOf(this.id);
    table.without(this.id, ['result', 'error', 'completedAt', 'timeoutReason', 'worktree']);
    table.change(
      this.id,
      { status: 'running', startedAt: now(), unread: false, ...given('transcriptPath', path) },
      'background_task_started',
    );
    this.#watchdog = new TaskWatchdog(settings, (stop) => {
      this.#stop = stop;
      this.#controller.abort();
    });
    try {
      this.#finish(await this.#work());
    } catch (thrown) {
      this.#fail(thrown);
    } finally {
      this.#watchdog.dispose();
      this.#session = undefined;
      this.#streaming = '';
    }
  }

  async #work(): Promise<SubagentResult> {
    const { host, definition, transcripts, settings, table } = this.#parts;
    const { model, isolation = 'none' } = table.require(this.id);
    const { runSubagent } = await import('../subagents/run-subagent.ts');
    return runSubagent({
      definition,
      host,
      transcripts,
      agentId: this.id,
      prompt: this.#prompt,
      resumes: this.#resumes,
      isolation,
      signal: this.#controller.signal,
      ...given('model', model),
      asking: this.#asking(),
      narrow: (policy) => narrowed(policy, settings.permissionPolicy),
      onSession: (session) => {
        this.#session = session;
      },
      onEvent: (event) => this.#onEvent(event),
    });
  }

  #finish({ text, outcome, totals, worktree }: SubagentResult): void {
    const result = { taskId: this.id, kind: 'agent', output: text } as const;
    const ended = { result, spent: totals, ...given('worktree', worktree) };
    if (outcome.status === 'completed') return this.#end({ ...ended, status: 'completed' });
    if (outcome.status === 'aborted') return this.#end({ ...ended, ...this.#whyAborted() });
    const { code = 'internal', message = 'It did not finish.' } = outcome.error ?? {};
    this.#end({ ...ended, status: 'failed', error: { category: code, message, recoverable: true } });
  }

  #fail(thrown: unknown): void {
    if (this.#controller.signal.aborted) return this.#end(this.#whyAborted());
    const category = AgentError.is(thrown) ? thrown.code : 'internal';
    const error = { category, message: errorMessage(thrown), recoverable: false };
    this.#end({ status: 'failed', error });
  }

  #whyAborted(): Pick<BackgroundTask, 'status' | 'error' | 'timeoutReason'> {
    const recoverable = true;
    if (this.#isWaiting && this.#parts.host.session.parking.isLeaving) {
      const message = 'It waits for a limit, and resumes with the session.';
      return { status: 'interrupted', error: { category: 'interrupted', message, recoverable } };
    }
    if (this.#stop === undefined) {
      const message = this.#cancelReason ?? 'It was stopped.';
      return { status: 'cancelled', error: { category: 'cancelled', message, recoverable } };
    }
    const { reason, message } = this.#stop;
    const error = { category: 'timeout', message, recoverable };
    return { status: 'failed', timeoutReason: reason, error };
  }

  #end(patch: Partial<BackgroundTask> & { readonly status: BackgroundTask['status'] }): void {
    const { table } = this.#parts;
    table.without(this.id, ['currentAction']);
    const type = patch.status === 'interrupted' ? 'updated' : patch.status;
    table.change(
      this.id,
      { ...patch, unread: true, completedAt: now() },
      `background_task_${type as 'completed' | 'failed' | 'cancelled'}`,
    );
  }

  #onEvent(event: AgentEvent): void | Promise<void> {
    const { table } = this.#parts;
    this.#watchdog?.observe(event);
    switch (event.type) {
      case 'limit-wait':
      case 'limit-end':
        this.#isWaiting = event.type === 'limit-wait';
        return;
      case 'text-delta':
        this.#streaming += event.text;
        return table.emit({ type: 'background_task_text_delta', taskId: this.id, delta: event.text });
      case 'message-append':
      case 'text-restart':
        this.#streaming = '';
        return;
      case 'tool-start': {
        const currentAction = callWords(event.call, this.#parts.host.options.workspace?.cwd);
        table.change(this.id, { currentAction });
        return table.emit({ type: 'background_task_tool_start', taskId: this.id, ...callOf(event.call) });
      }
      case 'tool-end': {
        const success = event.status === 'success';
        const why = success ? undefined : preview(textOf(event.result.content), 300);
        const end = { ...callOf(event.call), success, ...given('error', why) };
        return table.emit({ type: 'background_task_tool_end', taskId: this.id, ...end });
      }
    }
  }

  #asking(): Pick<AuthorizationView, 'mayAsk' | 'onQuestion'> {
    const { host, settings, table } = this.#parts;
    const { permissionPolicy } = settings;
    const neverAsks = permissionPolicy === 'preapproved' || permissionPolicy === 'deny';
    if (neverAsks || host.options.terminal === undefined) return { mayAsk: false };
    return {
      onQuestion: ({ call }) => {
        this.#watchdog?.pause();
        table.change(this.id, { status: 'waiting_permission' }, 'background_task_updated');
        void table.emit({ type: 'background_task_permission_request', taskId: this.id, ...callOf(call) });
        return () => {
          this.#watchdog?.resume();
          if (table.find(this.id)?.status === 'waiting_permission')
            table.change(this.id, { status: 'running' }, 'background_task_updated');
        };
      },
    };
  }
}

/** The policy of the session, made as strict as agents in the background are to be. */
function narrowed(policy: PermissionPolicy, wanted: TaskPermissionPolicy): PermissionPolicy {
  if (wanted === 'deny') return { ...policy, mode: 'plan' };
  if (wanted === 'prompt' && policy.mode !== 'plan') return { ...policy, mode: 'default' };
  return policy;
}

function callOf(call: { readonly id: string; readonly name: string; readonly input: JsonValue }) {
  const { toolName, firstArg } = toolStateOf(call);
  const short = preview(firstArg);
  return { toolName, ...given('firstArg', short === '' ? undefined : short) };
}
