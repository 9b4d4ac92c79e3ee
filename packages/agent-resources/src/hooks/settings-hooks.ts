import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  conditionOf,
  describeUnclear,
  type HookEvent,
  type HookEventName,
  type HookGroup,
  hookEventNames,
  hookEvents,
  hookLabel,
  isRefusedVariable,
} from '@robota-sdk/agent-config';
import {
  compileMatcher,
  coversCall,
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
  matchCall,
  type Notice,
  namesOfTool,
  noReason,
  orElse,
  type PermissionRequest,
  readBeneath,
  startTimer,
  type Workspace,
} from '@robota-sdk/agent-core';
import type { Sandbox } from '@robota-sdk/agent-tools';
import { type EnvironmentFile, parseEnvironmentFile } from './environment-file.ts';
import { mergeAnswers } from './merge-answers.ts';
import { assertSameScripts } from './same-scripts.ts';

/** The session's data and services for the hooks of the settings. */
interface HookSession {
  readonly sessionId: string;
  /** The session's file; empty if it is not saved. */
  readonly transcriptPath: string;
  readonly cwd: string;
  readonly workspace: Workspace;
  /** The directory of their settings; its scripts are the approved ones. */
  readonly project: string;
  /** The environment of processes, without provider keys. */
  readonly env: Readonly<Record<string, string>>;
  /** Adds variables to the environment of later commands. */
  addVariables(variables: Readonly<Record<string, string>>): void;
  permissionMode(): string;
  /** Tools the model may call now, for matchers that name one. */
  toolNames(): readonly string[];
  /** Shows a notice to the user. */
  notify(notice: Notice): void;
  /** Sends a background hook's text to the model, with the next turn or immediately. */
  tell(text: string, options: { readonly wake: boolean }): void;
  /** The sandbox for a project's programs; undefined if commands have none. Throws if one is required but missing. */
  enclose?(cwd: string, env: Readonly<Record<string, string>>): Promise<Sandbox | undefined>;
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
          await runner.end();
        }
      });
    },
    dispose: () => runner.dispose(),
  };
}

/** How long the end of a session waits for hooks in the background. */
const endGraceMs = 2000;

/** A matching hook and its source. */
interface Selected {
  readonly hook: HookDefinition;
  readonly group: HookGroup;
  /** False if its `if` covers only a part of the call, so that its approval does not count. */
  readonly mayApprove?: boolean;
}

class SettingsHookRunner {
  readonly #options: SettingsHooksOptions;
  readonly #processes = new HookProcesses();
  /** Hooks with `once` that have run. */
  readonly #spent = new Set<HookDefinition>();
  /** Background hooks that still run, with their titles. */
  readonly #pending = new Map<Promise<unknown>, string>();
  /** Warnings that were shown and need no repetition. */
  readonly #told = new Set<string>();
  #isEnding = false;
  #isDisposed = false;

  constructor(options: SettingsHooksOptions) {
    this.#options = options;
  }

  /** Runs the matching hooks of an event in parallel, and returns their combined answer. */
  async run<P extends HookPoint>(
    name: HookEventName,
    input: HookInput<P>,
    signal: AbortSignal,
  ): Promise<HookResult<P> | undefined> {
    // Callers pass the input of the event's point, which the compiler cannot derive from a name.
    const event = hookEvents[name] as unknown as HookEvent<P>;
    if (event.happens?.(input) === false) return undefined;
    const matching = this.#select(name, event.subject?.(input));
    const selected = await this.#whereConditionHolds(matching, input);
    if (selected.length === 0) return undefined;
    const cwd = directoryOf(input) ?? this.#options.session.cwd;
    const payload = { ...this.#commonFields(name), cwd, ...event.payload(input) };
    const answers = await Promise.all(
      selected.map((one) => this.#answer({ ...one, event, payload, cwd }, signal)),
    );
    return event.result?.(mergeAnswers(answers));
  }

  /** Gives background hooks a moment to finish with the session, and reports those it ends. */
  async end(): Promise<void> {
    this.#isEnding = true;
    if (this.#pending.size > 0) {
      let limit: NodeJS.Timeout | undefined;
      const over = new Promise<void>((resolve) => {
        limit = setTimeout(resolve, endGraceMs);
      });
      await Promise.race([Promise.allSettled(this.#pending.keys()), over]);
      clearTimeout(limit);
    }
    for (const title of this.#pending.values())
      this.#notify('warning', `Ended ${title}: it was still running in the background.`);
    await this.dispose();
  }

  /** Ends processes that hooks left running. */
  dispose(): Promise<void> {
    this.#isDisposed = true;
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

  /**
   * Skips hooks whose `if` does not match; if the match is uncertain the hook runs, but its approval is
   * ignored.
   */
  async #whereConditionHolds(selected: readonly Selected[], input: object): Promise<readonly Selected[]> {
    const checked = await Promise.all(selected.map((one) => this.#withCondition(one, input)));
    return checked.filter((one) => one !== undefined);
  }

  async #withCondition(selected: Selected, input: object): Promise<Selected | undefined> {
    const { hook, group } = selected;
    if (hook.once === true && group.isTemporary) {
      if (this.#spent.has(hook)) return undefined;
      this.#spent.add(hook);
    }
    if (hook.if === undefined) return selected;
    const request = requestOf(input);
    if (!request) return undefined;
    const rule = conditionOf(hook.if);
    if (!rule) return { ...selected, mayApprove: false };
    const { workspace } = this.#options.session;
    // An agent may work in a copy of the project; a rule for the project's files applies to both.
    const own = { ...workspace, cwd: directoryOf(input) ?? workspace.cwd };
    const matches = await Promise.all([own, workspace].map((each) => matchCall(rule, request, each)));
    if (matches.every((match) => match === 'no')) return undefined;
    return { ...selected, mayApprove: await coversCall(rule, request, own) };
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
    const title = `the ${String(call.payload.hook_event_name)} hook "${hookLabel(call.hook)}" (${call.group.source})`;
    try {
      const answer = await this.#execute(call, signal);
      this.#report(call.event, answer, title);
      const { text, later, ...said } = answer;
      if (later) this.#await(later, call, title);
      if (call.event.failsClosed) return withoutDoubtfulApproval(attributed(said, call.hook), call, title);
      const rest = withoutDoubtfulApproval(said, call, title);
      return call.event.takesText && text !== undefined ? { ...rest, context: text } : rest;
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      const problem = `${title} failed: ${errorMessage(thrown)}`;
      this.#notify('warning', problem);
      return call.event.failsClosed ? { verdict: 'ask', reason: problem } : {};
    }
  }

  async #execute<P extends HookPoint>(call: EventCall<P>, signal: AbortSignal): Promise<HookAnswer> {
    const { hook, group, event, payload, cwd } = call;
    const { executors, session } = this.#options;
    const executor = Object.hasOwn(executors, hook.type) ? executors[hook.type] : undefined;
    if (!executor) {
      const known = Object.keys(executors).join(', ');
      throw new Error(`unknown type "${hook.type}"; the types are ${known}`);
    }
    if (group.isUnchanged && !(await group.isUnchanged(hook)))
      throw new Error('its script has changed since you approved it; restart to review it');
    if (group.isUnchanged) await assertSameScripts(hook, { cwd, project: session.project });
    const own = typeof hook.timeout === 'number' && hook.timeout > 0 ? hook.timeout : undefined;
    const seconds = own ?? Math.min(executor.timeout, event.timeout ?? Number.POSITIVE_INFINITY);
    const env = { ...session.env, CLAUDE_PROJECT_DIR: cwd, ROBOTA_PROJECT_DIR: cwd, ...group.env };
    // The user's own hooks run as the user does.
    const sandbox =
      group.isUnchanged && hook.type === 'command' ? await session.enclose?.(cwd, env) : undefined;
    const endSandbox = () => {
      for (const text of sandbox?.end({ inBackground: false }) ?? []) this.#notify('warning', text);
    };
    const variables = payload.hook_event_name === 'SessionStart' ? await environmentFile() : undefined;
    let later: HookAnswer['later'];
    try {
      const answer = await withDeadline({ signal, seconds }, (limited) =>
        executor.run({
          definition: hook,
          payload,
          cwd,
          env: { ...env, ...sandbox?.env, ...(variables && { CLAUDE_ENV_FILE: variables.path }) },
          signal: limited,
          processes: this.#processes,
          enclose: sandbox?.wrap,
        }),
      );
      later = answer.later;
      if (variables) this.#takeVariables(variables.read(session.env), call);
      return answer;
    } finally {
      await variables?.remove();
      // A background hook may still leave something behind.
      if (later) later.then(endSandbox, endSandbox);
      else endSandbox();
    }
  }

  /** Gives later commands the variables that a hook wrote. */
  #takeVariables(
    { variables, unused }: EnvironmentFile,
    { hook, group }: { readonly hook: HookDefinition; readonly group: HookGroup },
  ): void {
    // A project's hook may be confined; what it sets also reaches the user's own hooks, which are not.
    const isRefused = (name: string) => group.isUnchanged !== undefined && isRefusedVariable(name);
    const given = Object.entries(variables).filter(([name]) => !isRefused(name));
    this.#options.session.addVariables(Object.fromEntries(given));
    const title = `The SessionStart hook "${hookLabel(hook)}"`;
    this.#warnOnce(title, unused, 'lines for CLAUDE_ENV_FILE other than NAME=VALUE');
    const refused = Object.keys(variables).filter(isRefused);
    this.#warnOnce(title, refused, 'variables that a project may not set');
  }

  /** Forwards a background hook's text when it ends. It is too late to decide anything. */
  #await<P extends HookPoint>(later: Promise<HookAnswer>, call: EventCall<P>, title: string): void {
    const heard = later.then(
      (answer) => {
        if (this.#isDisposed) return;
        if (answer.message !== undefined) this.#notify('info', answer.message);
        if (answer.warning !== undefined) this.#notify('warning', `${title}: ${answer.warning}`);
        // A session that ends has no next turn.
        if (answer.context !== undefined && !this.#isEnding)
          this.#tell(call.hook, answer.context, { wake: false });
        if (answer.block === undefined) return;
        if (call.hook.asyncRewake === true && !this.#isEnding)
          this.#tell(call.hook, answer.block, { wake: true });
        else this.#notify('warning', `${title} says: ${answer.block}`);
      },
      (thrown: unknown) => {
        if (!this.#isDisposed) this.#notify('warning', `${title} failed: ${errorMessage(thrown)}`);
      },
    );
    this.#pending.set(heard, title);
    void heard.finally(() => this.#pending.delete(heard));
  }

  #tell(hook: HookDefinition, text: string, options: { readonly wake: boolean }): void {
    const { rewakeMessage, rewakeSummary } = hook;
    const heading =
      options.wake && typeof rewakeMessage === 'string'
        ? rewakeMessage
        : `The background hook "${hookLabel(hook)}" reports:`;
    const summary = typeof rewakeSummary === 'string' ? rewakeSummary : heading;
    if (options.wake) this.#notify('info', summary);
    this.#options.session.tell(`${heading}\n${text}`, options);
  }

  #report<P extends HookPoint>(event: HookEvent<P>, answer: HookAnswer, title: string): void {
    if (answer.warning !== undefined) this.#notify('warning', `${title}: ${answer.warning}`);
    this.#warnOnce(title, answer.unsupported, 'fields that Robota does not support');
    if (answer.message !== undefined) this.#notify('info', answer.message);
    const refusal = answer.block ?? answer.stop;
    const unheard =
      event.result === undefined || event.point === 'session-start' || event.point === 'subagent-start';
    if (refusal !== undefined && unheard) this.#notify('warning', `${title} says: ${refusal}`);
  }

  #warnOnce(title: string, names: readonly string[] = [], what: string): void {
    const text = `${title} answers with ${what}: ${names.join(', ')}.`;
    if (names.length === 0 || this.#told.has(text)) return;
    this.#told.add(text);
    this.#notify('warning', text);
  }

  #notify(level: Notice['level'], text: string): void {
    this.#options.session.notify({ level, text });
  }
}

/** An empty file that a hook may write variables to. */
async function environmentFile() {
  const folder = await mkdtemp(join(tmpdir(), 'robota-env-'));
  const path = join(folder, 'variables.sh');
  await writeFile(path, '', { mode: 0o600 });
  return {
    path,
    read: (env: Readonly<Record<string, string>>) =>
      parseEnvironmentFile(
        // A hook may have put a link or a pipe there.
        orElse(() => readBeneath(folder, 'variables.sh').toString(), ''),
        env,
      ),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The call of a hook point, if it has one. */
function requestOf(input: object): PermissionRequest | undefined {
  if (!('call' in input) || !('access' in input)) return undefined;
  const { call, access = [] } = input as Partial<HookInput<'tool-before'>>;
  return call && { tool: call.name, access };
}

/** Ignores the approval of a hook with unknown fields; before a tool the user is asked instead. */
function withoutDoubtfulApproval<P extends HookPoint>(
  answer: HookAnswer,
  { hook, group, event, mayApprove = true }: EventCall<P>,
  title: string,
): HookAnswer {
  const unclear = describeUnclear(hook, group);
  if (unclear === '' && (mayApprove || answer.verdict !== 'allow')) return answer;
  if (answer.block !== undefined || answer.verdict === 'deny' || answer.verdict === 'ask') return answer;
  const { verdict: _verdict, reason: _reason, ...rest } = answer;
  if (unclear === '' || !event.failsClosed) return rest;
  const reason = `${title} has fields that are unknown or unusable (${unclear}), so it has not approved this call`;
  return { ...rest, verdict: 'ask', reason };
}

/** A denial names the hook. */
function attributed(answer: HookAnswer, hook: HookDefinition): HookAnswer {
  const name = `the hook "${hookLabel(hook)}"`;
  const said = (text: string, silent: string) => (text === noReason ? silent : `${name} says: ${text}`);
  const { block, reason = noReason, verdict } = answer;
  const refused = `blocked by ${name}, which gave no reason`;
  const decided = { allow: `${name} allows it`, ask: `${name} wants you to decide`, deny: refused };
  return {
    ...answer,
    ...(block === undefined ? {} : { block: said(block, refused) }),
    ...(verdict === undefined ? {} : { reason: said(reason, decided[verdict]) }),
  };
}

interface EventCall<P extends HookPoint> extends Selected {
  readonly event: HookEvent<P>;
  readonly payload: JsonObject;
  /** Its working directory. */
  readonly cwd: string;
}

/** The directory a hook is about, which may be the worktree of an agent. */
function directoryOf(input: object): string | undefined {
  return 'cwd' in input && typeof input.cwd === 'string' ? input.cwd : undefined;
}

async function withDeadline<T>(
  { signal, seconds }: { readonly signal: AbortSignal; readonly seconds: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(signal.reason);
  const expired = new Error(`it took longer than ${seconds} s`);
  const timer = startTimer(seconds * 1000, () => controller.abort(expired));
  signal.addEventListener('abort', forward, { once: true });
  try {
    return await work(controller.signal);
  } catch (thrown) {
    throw controller.signal.reason === expired ? expired : thrown;
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', forward);
  }
}
