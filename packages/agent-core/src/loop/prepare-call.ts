import type { ToolCallContent } from '../message/content.ts';
import type { CallPermission } from '../message/message.ts';
import type { Denial } from '../message/run-outcome.ts';
import { givenFields } from '../model/given.ts';
import { errorMessage } from '../problem/agent-error.ts';
import { didYouMean } from '../problem/did-you-mean.ts';
import { endSentence } from '../problem/end-sentence.ts';
import { orAborted } from '../process/or-aborted.ts';
import type { Access } from '../tool/access.ts';
import type { AnyTool } from '../tool/tool.ts';
import type {
  AgentRun,
  AllowedCall,
  Authorization,
  AuthorizationRequest,
  CallBatch,
  PendingCall,
  PendingResolution,
} from './agent-run.ts';

/** A call that may run. */
export interface ReadyCall extends AllowedCall {
  readonly kind: 'ready';
  /** Text a hook adds to the result. */
  readonly context: string | undefined;
  readonly permission?: CallPermission | undefined;
  /** Checks a command again after earlier calls have run: they may have changed what it does. */
  recheck?(): Promise<PreparedCall>;
}

/** A call that must not run, with the answer the model gets instead. */
interface RefusedCall {
  readonly kind: 'refused';
  readonly call: ToolCallContent;
  readonly text: string;
  /** Why it was refused, in a few words. */
  readonly brief?: string | undefined;
  readonly denial?: Denial;
  readonly permission?: CallPermission | undefined;
  /** Why the whole run ends with it. */
  readonly stop?: string;
}

/** A call whose result is known without running it. */
interface KnownCall {
  readonly kind: 'known';
  readonly call: ToolCallContent;
  readonly result: Exclude<PendingResolution, 'run'>;
  readonly permission?: undefined;
}

export type PreparedCall = ReadyCall | RefusedCall | KnownCall;

/** The calls of one message and the index of one of them. */
export interface CallPosition {
  readonly calls: readonly ToolCallContent[];
  readonly index: number;
}

/** Finds, validates, runs hooks and authorizes: everything before a call runs. Changes nothing. */
export async function prepareCall(
  run: AgentRun,
  made: ToolCallContent,
  place: CallPosition,
): Promise<PreparedCall> {
  const { tool, call: original } = findTool(run, made);
  const batch = batchOf(run, place);
  // An unreadable call has no name to look up.
  if (original.invalid !== undefined && (tool || original.raw !== undefined)) {
    // The parser of calls in text gives its own advice; not every call should be repeated.
    const advice = original.raw === undefined ? ' Send the call again.' : '';
    return refuse(original, `${endSentence(original.invalid)}${advice}`);
  }
  if (!tool) return { ...refuse(original, unknownTool(run, original.name)), brief: 'unknown tool' };
  const parsed = await parse(run, tool, original);
  if ('text' in parsed) return refuse(original, parsed.text);
  if (!run.hooks.has('tool-before'))
    return authorize(run, { ...parsed, tool, call: original, hook: undefined, context: undefined, batch });
  const { cwd } = run.toolEnvironment.workspace;
  const asked = { call: original, access: parsed.access, cwd };
  const result = await run.hooks.run('tool-before', asked, run.signal);
  if (result.stop !== undefined) return { ...deny(original, { reason: result.stop }), stop: result.stop };
  if (result.block !== undefined) return deny(original, { reason: result.block });
  const { context } = result;
  const hook = result.verdict && { verdict: result.verdict, reason: result.reason ?? 'a hook decided' };
  if (result.input === undefined)
    return authorize(run, { ...parsed, tool, call: original, hook, context, batch });
  const call = { ...original, input: result.input };
  const changed = await parse(run, tool, call);
  if ('text' in changed) return refuse(call, `A hook changed the arguments: ${changed.text}`);
  return authorize(run, { ...changed, tool, call, hook, context, batch });
}

/** The calls of the message; later ones are prepared only if a question is shown. */
function batchOf(run: AgentRun, { calls, index }: CallPosition): CallBatch {
  return {
    of: calls,
    later: async () => {
      const later = await Promise.all(calls.slice(index + 1).map((call) => findPending(run, call)));
      return later.flatMap(({ tool, ready }) => (tool && ready ? [{ tool, access: ready.access }] : []));
    },
  };
}

/** A call without a result, with its tool and input if they are still valid. */
export async function findPending(run: AgentRun, made: ToolCallContent): Promise<PendingCall> {
  const { tool, call } = findTool(run, made);
  if (!tool || call.invalid !== undefined) return { call, tool };
  const parsed = await parse(run, tool, call);
  return 'text' in parsed ? { call, tool } : { call, tool, ready: parsed };
}

/** The tool of a call, and the call converted for that tool if a proxy tool made it. */
function findTool(
  run: AgentRun,
  call: ToolCallContent,
): { tool: AnyTool | undefined; call: ToolCallContent } {
  const tool = run.tools.find((candidate) => candidate.name === call.name);
  const standIns = tool ? [tool] : run.tools;
  const resolved = call.invalid === undefined && firstDefined(standIns, (each) => each.resolve?.(call));
  if (!resolved) return { tool, call };
  return { tool: resolved.tool, call: { ...call, name: resolved.tool.name, input: resolved.input } };
}

function firstDefined<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function parse(
  run: AgentRun,
  tool: AnyTool,
  call: ToolCallContent,
): Promise<{ input: unknown; access: readonly Access[] } | { text: string }> {
  const parsed = tool.input.parse(call.input);
  if (!parsed.ok) return { text: `Wrong arguments for ${tool.name}: ${parsed.error}` };
  try {
    const access: unknown = await orAborted(tool.access(parsed.value, run.toolEnvironment), run.signal);
    if (!Array.isArray(access))
      return { text: `The tool ${tool.name} is broken: its "access" returned no list.` };
    return { input: parsed.value, access };
  } catch (thrown) {
    if (run.signal.aborted) throw thrown;
    return { text: errorMessage(thrown) };
  }
}

async function authorize(
  run: AgentRun,
  given: AuthorizationRequest & Pick<ReadyCall, 'input' | 'context' | 'permission'>,
): Promise<PreparedCall> {
  const { context, ...request } = given;
  const { call, tool, input, access, isApproved = false } = request;
  const answer = await run.authorize({ ...request, mayChange: !isApproved }, run.signal);
  if (!answer.allowed) return deny(call, answer);
  const permission = answer.permission ?? request.permission;
  if (answer.input === undefined || isApproved) {
    const isOpen = answer.byPolicy && access.some(({ kind }) => kind === 'run');
    const recheck = isOpen ? { recheck: () => authorize(run, given) } : {};
    return { kind: 'ready', call, tool, input, access, context, permission, ...recheck };
  }
  const other = { ...call, input: answer.input };
  const changed = await parse(run, tool, other);
  if ('text' in changed) return refuse(other, `It was allowed with other arguments: ${changed.text}`);
  return authorize(run, { ...request, ...changed, call: other, isApproved: true, context, permission });
}

function deny(
  call: ToolCallContent,
  { reason, brief, wouldAllow, permission }: Omit<Extract<Authorization, { allowed: false }>, 'allowed'>,
) {
  const { id: toolCallId, name: toolName, input } = call;
  const denial: Denial = { toolCallId, toolName, input, reason, ...givenFields({ wouldAllow }) };
  return { ...refuse(call, `Permission denied: ${reason}`), brief, denial, permission };
}

function refuse(call: ToolCallContent, text: string): RefusedCall {
  return { kind: 'refused', call, text };
}

function unknownTool(run: AgentRun, name: string): string {
  const names = run.tools.map((tool) => tool.name);
  return `Unknown tool "${name}". ${didYouMean(name, names) ?? `The tools are ${names.join(', ')}.`}`;
}
