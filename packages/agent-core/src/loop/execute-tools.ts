import { withHookContext } from '../hook/apply-input-hooks.ts';
import type { ToolCallContent } from '../message/content.ts';
import {
  type CallPermission,
  createMessage,
  type ToolMessage,
  type ToolStatus,
  toolEnd,
} from '../message/message.ts';
import type { Denial } from '../message/run-outcome.ts';
import { givenFields } from '../model/given.ts';
import { AgentError, errorMessage } from '../problem/agent-error.ts';
import { accessesCollide } from '../tool/access.ts';
import { outputOf } from '../tool/output-of.ts';
import { type ToolOutput, textOutput } from '../tool/tool.ts';
import type { AgentRun, EventSink, PendingResolution } from './agent-run.ts';
import { type PreparedCall, prepareCall, type ReadyCall } from './prepare-call.ts';

/** How long an interrupted tool may clean up before it is abandoned. */
const abortGraceMs = 5_000;

const interrupted = 'Interrupted before it finished.';
const skipped = 'Interrupted before it started; it did not run.';
/** How long hooks may process the result of an interrupted call. */
const interruptedHooksMs = 1_000;

/** The results of one message's calls, in the order of the calls. */
export interface BatchResult {
  readonly results: readonly ToolMessage[];
  readonly denials: readonly Denial[];
  /** Why a hook ends the run. */
  readonly stop?: string;
  /** Set if a tool ends the run. */
  readonly endsRun?: NonNullable<ToolOutput['endsRun']>;
}

interface Batch {
  readonly run: AgentRun;
  readonly emit: EventSink;
  readonly parentId: string;
  /** Calls of an earlier process by id; those with a result are not run. */
  readonly pending?: ReadonlyMap<string, PendingResolution>;
  /** Receives each result in call order as soon as it is available, so that a crash loses no known result. */
  keep?(result: ToolMessage): Promise<void>;
}

interface SettlingBatch extends Batch {
  /** Reasons of hooks that end the run. */
  readonly stops: string[];
  /** Answers of tools that end the run. */
  readonly endings: NonNullable<ToolOutput['endsRun']>[];
}

/**
 * Settles the calls of one message: all are prepared in order, then run in parallel unless a tool or colliding accesses
 * require an order. Every call gets exactly one result.
 */
export async function executeTools(batch: Batch, calls: readonly ToolCallContent[]): Promise<BatchResult> {
  const { run } = batch;
  const prepared: PreparedCall[] = [];
  for (const [index, call] of calls.entries())
    prepared.push(await prepareUnlessAborted(batch, call, () => prepareCall(run, call, { calls, index })));
  const stops = prepared.flatMap((call) => (call.kind === 'refused' && call.stop ? [call.stop] : []));
  const settling: SettlingBatch = { ...batch, stops, endings: [] };
  const running: { prepared: PreparedCall; result: Promise<ToolMessage> }[] = [];
  for (const [index, next] of prepared.entries()) {
    const before = running
      .filter((earlier) => mustPrecede(run, earlier.prepared, next))
      .map(({ result }) => result);
    running.push({
      prepared: next,
      result: Promise.all(before).then(async () => {
        const recheck = before.length > 0 && next.kind === 'ready' ? next.recheck : undefined;
        if (recheck) prepared[index] = await prepareUnlessAborted(batch, next.call, recheck);
        return settle(settling, prepared[index] ?? next, calls[index]);
      }),
    });
  }
  const keeping = keepInOrder(
    batch,
    running.map(({ result }) => result),
  );
  const [results] = await Promise.all([keeping, ...running.map(({ result }) => result)]);
  const denials = prepared.flatMap((call) => (call.kind === 'refused' && call.denial ? [call.denial] : []));
  const [endsRun] = settling.endings;
  return { results, denials, ...givenFields({ stop: stops[0], endsRun }) };
}

async function keepInOrder(
  batch: Batch,
  running: readonly Promise<ToolMessage>[],
): Promise<readonly ToolMessage[]> {
  const results: ToolMessage[] = [];
  for (const result of running) {
    results.push(await result);
    await batch.keep?.(await result);
  }
  return results;
}

/** Answers calls that will not run, so that every call has a result. */
export function refuseAll(
  calls: readonly ToolCallContent[],
  reason: string,
  parentId: string,
): readonly ToolMessage[] {
  const output = textOutput(reason, { isError: true });
  return calls.map((call) => resultMessage({ call, output, status: 'error' }, parentId));
}

async function prepareUnlessAborted(
  { run, pending }: Batch,
  call: ToolCallContent,
  prepare: () => Promise<PreparedCall>,
): Promise<PreparedCall> {
  const result = pending?.get(call.id) ?? 'run';
  if (result !== 'run') return { kind: 'known', call, result };
  if (run.signal.aborted) return skip(call);
  try {
    return await prepare();
  } catch (thrown) {
    if (run.signal.aborted) return skip(call);
    return { kind: 'refused', call, text: `The call could not be prepared: ${errorMessage(thrown)}` };
  }
}

function skip(call: ToolCallContent): PreparedCall {
  return { kind: 'refused', call, text: skipped, permission: { kind: 'skipped' } };
}

function mustPrecede(run: AgentRun, earlier: PreparedCall, later: PreparedCall): boolean {
  if (earlier.kind !== 'ready' || later.kind !== 'ready') return false;
  if (run.execution === 'sequential') return true;
  if (earlier.tool.execution === 'sequential' || later.tool.execution === 'sequential') return true;
  return accessesCollide(earlier.access, later.access);
}

/** The result answers the call as the model made it, even if a proxy tool forwarded it. */
async function settle(
  batch: SettlingBatch,
  prepared: PreparedCall,
  asked: ToolCallContent = prepared.call,
): Promise<ToolMessage> {
  const { emit } = batch;
  const { call } = prepared;
  const access = prepared.kind === 'ready' ? prepared.access : [];
  await emit({ type: 'tool-start', call, access });
  const startedAt = performance.now();
  const outcome = await outcomeOf(batch, prepared);
  const durationMs = Math.round(performance.now() - startedAt);
  const ran = call.name === asked.name && call.input === asked.input ? undefined : call;
  const permission = outcome.permission ?? prepared.permission;
  const result = resultMessage({ ...outcome, call: asked, ran, durationMs, permission }, batch.parentId);
  await emit({ type: 'tool-end', call, status: outcome.status, result, durationMs });
  return result;
}

interface Outcome {
  readonly output: ToolOutput;
  readonly status: ToolStatus;
  readonly permission?: CallPermission | undefined;
}

function outcomeOf(batch: SettlingBatch, prepared: PreparedCall): Outcome | Promise<Outcome> {
  if (prepared.kind === 'known') return prepared.result;
  return prepared.kind === 'ready' ? runTool(batch, prepared) : refusal(batch.run, prepared);
}

function refusal(run: AgentRun, prepared: Extract<PreparedCall, { kind: 'refused' }>): Outcome {
  const output = failure(prepared.text, prepared.brief);
  if (prepared.denial) return { output, status: 'denied' };
  return { output, status: run.signal.aborted ? 'aborted' : 'error' };
}

async function runTool(batch: SettlingBatch, ready: ReadyCall): Promise<Outcome> {
  const { run } = batch;
  if (run.signal.aborted) {
    const output = textOutput(skipped, { isError: true });
    return { output, status: 'aborted', permission: { kind: 'skipped' } };
  }
  try {
    const executed = await executeWatched(batch, ready).catch((thrown: unknown) => {
      if (run.signal.aborted) throw thrown;
      return failedOutput(thrown);
    });
    const changed = await afterHooks(batch, ready, executed);
    const output = ready.tool.paged ? changed : ((await run.limitOutput?.(changed, ready.call)) ?? changed);
    if (run.signal.aborted) return { output: markInterrupted(output), status: 'aborted' };
    if (executed.endsRun) batch.endings.push(executed.endsRun);
    return { output, status: output.isError ? 'error' : 'success' };
  } catch (thrown) {
    const aborted = run.signal.aborted;
    const output = aborted ? textOutput(interrupted, { isError: true }) : failedOutput(thrown);
    return { output, status: aborted ? 'aborted' : 'error' };
  }
}

function failedOutput(thrown: unknown): ToolOutput {
  return failure(errorMessage(thrown), AgentError.is(thrown) ? thrown.problem.brief : undefined);
}

/** A failure, told to the user in a few words if there are any. */
function failure(text: string, brief: string | undefined): ToolOutput {
  return textOutput(text, {
    isError: true,
    ...(brief === undefined ? {} : { display: { kind: 'text', text, brief } }),
  });
}

async function executeWatched(batch: Batch, ready: ReadyCall): Promise<ToolOutput> {
  const { run } = batch;
  const afterCall = await run.beforeExecute?.(ready, run.toolEnvironment);
  try {
    return await orAbandon(executeCall(batch, ready), run.signal);
  } finally {
    await afterCall?.();
  }
}

async function executeCall({ run, emit }: Batch, { tool, call, input }: ReadyCall): Promise<ToolOutput> {
  const returned: unknown = await tool.execute(input, {
    ...run.toolEnvironment,
    callId: call.id,
    signal: run.signal,
    progress: (text) => {
      // Progress is display only: a failing sink must not fail the call.
      void Promise.resolve(emit({ type: 'tool-progress', toolCallId: call.id, text })).catch(() => {});
    },
  });
  return outputOf(tool.name, returned);
}

/** Abandons a tool that ignores the signal after a grace period. */
async function orAbandon<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let grace: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    onAbort = () => {
      grace ??= setTimeout(() => reject(new Error(interrupted)), abortGraceMs);
    };
  });
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(grace);
  }
}

async function afterHooks(
  { run, stops }: SettlingBatch,
  { call, context, access }: ReadyCall,
  executed: ToolOutput,
): Promise<ToolOutput> {
  const output = { ...executed, content: withHookContext(executed.content, context) };
  if (!run.hooks.has('tool-after')) return output;
  const input = {
    call,
    output,
    access,
    cwd: run.toolEnvironment.workspace.cwd,
    ...(run.sessionId === undefined ? {} : { sessionId: run.sessionId }),
  };
  // An interrupted command keeps its output, and hooks that change results still run.
  const signal = run.signal.aborted ? AbortSignal.timeout(interruptedHooksMs) : run.signal;
  const result = await run.hooks.run('tool-after', input, signal);
  if (result.stop !== undefined) stops.push(result.stop);
  const replaced = result.output ?? output;
  const exit = executed.exitCode === undefined ? {} : { exitCode: executed.exitCode };
  return { ...replaced, ...exit, content: withHookContext(replaced.content, result.context) };
}

function markInterrupted(output: ToolOutput): ToolOutput {
  // Providers and front ends concatenate the parts of a result.
  const text = output.content.length === 0 ? interrupted : `\n${interrupted}`;
  return { ...output, isError: true, content: [...output.content, { type: 'text', text }] };
}

interface EndedCall extends Outcome {
  /** As the model made it. */
  readonly call: ToolCallContent;
  readonly ran?: ToolCallContent | undefined;
  readonly durationMs?: number;
}

function resultMessage(ended: EndedCall, parentId: string): ToolMessage {
  const { call, ran, output, status, durationMs, permission } = ended;
  const { content, display, exitCode } = output;
  return createMessage(
    {
      role: 'tool' as const,
      toolCallId: call.id,
      toolName: call.name,
      content,
      ...toolEnd(status),
      ...givenFields({ durationMs, exitCode, permission }),
      ...givenFields({ ran: ran && { name: ran.name, input: ran.input }, display }),
    },
    parentId,
  );
}
