import {
  compileMatcher,
  type Extension,
  errorMessage,
  type HookAnswer,
  type HookDefinition,
  type HookExecutors,
  type HookInput,
  type HookPoint,
  HookProcesses,
  type HookResult,
  type JsonObject,
  type Notice,
  namesOfTool,
} from '@robota-sdk/agent-core';
import { type HookGroup, labelOf } from './hook-config.ts';
import { type HookEvent, type HookEventName, hookEventNames, hookEvents } from './hook-events.ts';
import { mergeAnswers } from './merge-answers.ts';
import { assertSameScripts } from './same-scripts.ts';

/** What the hooks of the settings are told about the session, and what they need of it. */
interface HookSession {
  readonly sessionId: string;
  /** The session's file; empty where it is not kept. */
  readonly transcriptPath: string;
  readonly cwd: string;
  /** The directory whose settings they stand in; its scripts are what the user agreed to. */
  readonly project: string;
  /** The environment of processes, without provider keys. */
  readonly env: Readonly<Record<string, string>>;
  permissionMode(): string;
  /** Tools the model may call now, for matchers that name one. */
  toolNames(): readonly string[];
  /** Shows something to the person. */
  notify(notice: Notice): void;
}

export interface SettingsHooksOptions {
  readonly groups: readonly HookGroup[];
  readonly executors: HookExecutors;
  readonly session: HookSession;
}

/** Makes the hooks of the settings one extension over the hook points. */
export function settingsHooks<S>(options: SettingsHooksOptions): Extension<S> {
  const runner = new SettingsHookRunner(options);
  return {
    name: 'settings hooks',
    setup: (host) => {
      for (const event of hookEventNames) {
        if (event === 'SessionEnd' || !options.groups.some((group) => group.event === event)) continue;
        const { point } = hookEvents[event];
        host.hook(point, (input, signal) => runner.run(event, input, signal));
      }
      host.hook('session-end', async (input, signal) => {
        try {
          return await runner.run('SessionEnd', input, signal);
        } finally {
          await runner.dispose();
        }
      });
    },
    dispose: () => runner.dispose(),
  };
}

/** One hook that matched, with where it comes from. */
interface Selected {
  readonly hook: HookDefinition;
  readonly group: HookGroup;
}

class SettingsHookRunner {
  readonly #options: SettingsHooksOptions;
  readonly #processes = new HookProcesses();

  constructor(options: SettingsHooksOptions) {
    this.#options = options;
  }

  /** Runs the hooks of an event that match, side by side, and returns what they said together. */
  async run<P extends HookPoint>(
    name: HookEventName,
    input: HookInput<P>,
    signal: AbortSignal,
  ): Promise<HookResult<P> | undefined> {
    const event = hookEvents[name] as unknown as HookEvent<P>;
    const selected = this.#select(name, event.subject?.(input));
    if (selected.length === 0) return undefined;
    const cwd = directoryOf(input) ?? this.#options.session.cwd;
    const payload = { ...this.#commonFields(name), cwd, ...event.payload(input) };
    const answers = await Promise.all(
      selected.map((one) => this.#answer({ ...one, event, payload, cwd }, signal)),
    );
    return event.result?.(mergeAnswers(answers));
  }

  /** Ends what hooks left running. */
  dispose(): Promise<void> {
    return this.#processes.dispose();
  }

  /** The same hook in two files runs once. */
  #select(name: HookEventName, subject: string | undefined): readonly Selected[] {
    const unique = new Map<string, Selected>();
    for (const group of this.#options.groups) {
      if (group.event !== name || !this.#matches(group.matcher, subject)) continue;
      for (const hook of group.hooks) {
        const key = JSON.stringify([hook, group.env]);
        if (!unique.has(key)) unique.set(key, { hook, group });
      }
    }
    return [...unique.values()];
  }

  #matches(matcher: string, subject: string | undefined): boolean {
    if (subject === undefined) return true;
    const tools = new Set(this.#options.session.toolNames().flatMap(namesOfTool));
    const matches = compileMatcher(matcher, (word) => tools.has(word));
    return namesOfTool(subject).some(matches);
  }

  #commonFields(name: HookEventName): JsonObject {
    const { session } = this.#options;
    return {
      session_id: session.sessionId,
      transcript_path: session.transcriptPath,
      hook_event_name: name,
      permission_mode: session.permissionMode(),
    };
  }

  async #answer<P extends HookPoint>(call: EventCall<P>, signal: AbortSignal): Promise<HookAnswer> {
    const title = `the ${String(call.payload.hook_event_name)} hook "${labelOf(call.hook)}" (${call.group.source})`;
    try {
      const answer = await this.#execute(call, signal);
      this.#report(call.event, answer, title);
      const { text, ...rest } = answer;
      if (call.event.failsClosed) return attributed(rest, call.hook);
      return call.event.takesText && text !== undefined ? { ...rest, context: text } : rest;
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      const problem = `${title} failed: ${errorMessage(thrown)}`;
      this.#notify('warning', problem);
      return call.event.failsClosed ? { verdict: 'ask', reason: problem } : {};
    }
  }

  async #execute<P extends HookPoint>(
    { hook, group, event, payload, cwd }: EventCall<P>,
    signal: AbortSignal,
  ): Promise<HookAnswer> {
    const { executors, session } = this.#options;
    const executor = Object.hasOwn(executors, hook.type) ? executors[hook.type] : undefined;
    if (!executor) {
      const known = Object.keys(executors).join(', ');
      throw new Error(`there is no type "${hook.type}"; the types are ${known}`);
    }
    if (group.isUnchanged && !(await group.isUnchanged(hook)))
      throw new Error('its script has changed since you agreed to it; start again to decide about it');
    if (group.isUnchanged) await assertSameScripts(hook, { cwd, project: session.project });
    const own = typeof hook.timeout === 'number' && hook.timeout > 0 ? hook.timeout : undefined;
    const seconds = own ?? Math.min(executor.timeout, event.timeout ?? Number.POSITIVE_INFINITY);
    const env = { ...session.env, CLAUDE_PROJECT_DIR: cwd, ROBOTA_PROJECT_DIR: cwd, ...group.env };
    return withDeadline({ signal, seconds }, (limited) =>
      executor.run({ definition: hook, payload, cwd, env, signal: limited, processes: this.#processes }),
    );
  }

  #report<P extends HookPoint>(event: HookEvent<P>, answer: HookAnswer, title: string): void {
    if (answer.warning !== undefined) this.#notify('warning', `${title}: ${answer.warning}`);
    if (answer.message !== undefined) this.#notify('info', answer.message);
    const refusal = answer.block ?? answer.stop;
    const unheard =
      event.result === undefined || event.point === 'session-start' || event.point === 'subagent-start';
    if (refusal !== undefined && unheard) this.#notify('warning', `${title} says: ${refusal}`);
  }

  #notify(level: Notice['level'], text: string): void {
    this.#options.session.notify({ level, text });
  }
}

/** A denied call should tell who denied it. */
function attributed(answer: HookAnswer, hook: HookDefinition): HookAnswer {
  const said = (text: string) => `the hook "${labelOf(hook)}" says: ${text}`;
  return {
    ...answer,
    ...(answer.block === undefined ? {} : { block: said(answer.block) }),
    ...(answer.reason === undefined ? {} : { reason: said(answer.reason) }),
  };
}

interface EventCall<P extends HookPoint> extends Selected {
  readonly event: HookEvent<P>;
  readonly payload: JsonObject;
  /** Where it runs. */
  readonly cwd: string;
}

/** Where what a hook is about happens, which may be the worktree of an agent. */
function directoryOf(input: object): string | undefined {
  return 'cwd' in input && typeof input.cwd === 'string' ? input.cwd : undefined;
}

/** A timer set for longer would fire at once. */
const longestDelayMs = 2 ** 31 - 1;

async function withDeadline<T>(
  { signal, seconds }: { readonly signal: AbortSignal; readonly seconds: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(signal.reason);
  const expired = new Error(`it took longer than ${seconds} s`);
  const timer = setTimeout(() => controller.abort(expired), Math.min(seconds * 1000, longestDelayMs));
  signal.addEventListener('abort', forward, { once: true });
  try {
    return await work(controller.signal);
  } catch (thrown) {
    throw controller.signal.reason === expired ? expired : thrown;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', forward);
  }
}
