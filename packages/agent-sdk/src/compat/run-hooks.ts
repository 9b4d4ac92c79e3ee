import { hookEvents, isHookEventName, parseHooks } from '@robota-sdk/agent-config';
import {
  AgentError,
  abortSignal,
  checkArguments,
  commandHook,
  compileMatcher,
  describeProblems,
  errorMessage,
  type HookAnswer,
  type HookDefinition,
  type HookExecutors,
  HookProcesses,
  httpHook,
  type JsonObject,
  type JsonValue,
  namesOfTool,
  object,
  objectInstance,
  optional,
  type Problem,
  pathShape,
  startTimer,
  text,
} from '@robota-sdk/agent-core';
import { mergeAnswers } from '@robota-sdk/agent-resources';
import { keylessEnvironment } from '@robota-sdk/agent-tools';

/** One event to run hooks for. */
export interface HookRunRequest {
  /** The event, such as `PreToolUse`. */
  readonly event: string;
  /** The fields that hooks get; matchers are compared with its `tool_name`. */
  readonly input?: JsonObject;
  /** Executors by hook type, in addition to `command` and `http`. */
  readonly executors?: HookExecutors;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

const hookRequest = object(
  { event: text },
  {
    input: optional(objectInstance),
    executors: optional(objectInstance),
    cwd: optional(pathShape),
    signal: optional(abortSignal),
  },
);

/** The merged answer of all hooks that matched, and whether one of them refuses. */
export interface HookRun extends HookAnswer {
  readonly blocked: boolean;
}

/**
 * Runs the hooks of an event outside a session. `config` is the `hooks` object of a settings file. A hook of an event that
 * needs approval blocks when it fails.
 */
export async function runHooks(config: JsonValue | undefined, request: HookRunRequest): Promise<HookRun> {
  checkArguments('runHooks', { request: [request, hookRequest] });
  const { event, input = {} } = request;
  if (!isHookEventName(event)) throw new AgentError('usage', `runHooks: unknown event "${event}".`);
  const problems: Problem[] = [];
  const groups = parseHooks(config, { source: 'runHooks', problems });
  if (problems.length > 0) throw new AgentError('usage', describeProblems(problems).join(' '), { problems });
  const hooks = groups
    .filter((group) => group.event === event && matches(group.matcher, input.tool_name))
    .flatMap((group) => group.hooks);
  const processes = new HookProcesses();
  try {
    const answers = await Promise.all(hooks.map((hook) => answerOf(hook, { ...request, event, processes })));
    const merged = mergeAnswers(answers);
    const blocked = merged.block !== undefined || merged.stop !== undefined || merged.verdict === 'deny';
    const reason = merged.block ?? merged.stop ?? merged.reason;
    return { ...merged, ...(reason === undefined ? {} : { reason }), blocked };
  } finally {
    await processes.dispose();
  }
}

function matches(matcher: string, tool: JsonValue | undefined): boolean {
  if (typeof tool !== 'string') return true;
  const names = namesOfTool(tool);
  return names.some(compileMatcher(matcher, (word) => names.includes(word)));
}

interface HookCallContext extends HookRunRequest {
  readonly event: keyof typeof hookEvents;
  readonly processes: HookProcesses;
}

async function answerOf(definition: HookDefinition, context: HookCallContext): Promise<HookAnswer> {
  const { event, input, executors, cwd = process.cwd(), signal, processes } = context;
  try {
    const known: HookExecutors = { command: commandHook, http: httpHook, ...executors };
    const executor = Object.hasOwn(known, definition.type) ? known[definition.type] : undefined;
    if (!executor) throw new Error(`unknown hook type "${definition.type}"`);
    const { timeout } = definition;
    const seconds = typeof timeout === 'number' && timeout > 0 ? timeout : executor.timeout;
    const late = new AbortController();
    const timer = startTimer(seconds * 1000, () =>
      late.abort(new DOMException('The hook took too long.', 'TimeoutError')),
    );
    const deadline = late.signal;
    return await executor
      .run({
        definition,
        payload: { hook_event_name: event, cwd, ...input },
        cwd,
        env: { ...keylessEnvironment(), CLAUDE_PROJECT_DIR: cwd, ROBOTA_PROJECT_DIR: cwd },
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        processes,
      })
      .finally(timer.cancel);
  } catch (thrown) {
    if (signal?.aborted || !hookEvents[event].failsClosed) throw thrown;
    return { block: `A ${event} hook failed: ${errorMessage(thrown)}` };
  }
}
