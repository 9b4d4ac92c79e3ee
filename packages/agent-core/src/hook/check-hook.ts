import { AgentError } from '../problem/agent-error.ts';
import { didYouMean } from '../problem/did-you-mean.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../shape/json.ts';
import { outputProblem } from '../tool/output-of.ts';
import type { HookPoint, HookResult } from './hook-map.ts';

/** The problem of a value, as text that follows its name; undefined if it is valid. */
type ValueCheck = (value: unknown) => string | undefined;

const text: ValueCheck = (value) => (typeof value === 'string' ? undefined : 'must be a text');
const list: ValueCheck = (value) => (Array.isArray(value) ? undefined : 'must be a list of messages');
const anything: ValueCheck = () => undefined;
const output: ValueCheck = (value) => {
  const problem = outputProblem(value);
  return problem === undefined ? undefined : `cannot be used: ${problem}`;
};
const verdict: ValueCheck = (value) =>
  value === 'allow' || value === 'ask' || value === 'deny' ? undefined : 'must be "allow", "ask" or "deny"';

const answer: ValueCheck = (value) =>
  value === 'allow' || value === 'deny' ? undefined : 'must be "allow" or "deny"';

/** Allowed results of the hooks of a point. Observing hooks may return anything. */
const returns: { readonly [P in HookPoint]: { readonly [K in keyof Required<HookResult<P>>]: ValueCheck } } =
  {
    'session-start': { context: text },
    input: { text, block: text, context: text },
    'request-before': { messages: list },
    'tool-before': {
      block: text,
      verdict,
      reason: text,
      input: anything,
      context: text,
      stop: text,
    },
    'permission-ask': { verdict: answer, reason: text },
    'tool-after': { output, context: text, stop: text },
    'run-stop': { continueWith: text, unproven: text },
    'compact-before': { block: text, context: text },
    'compact-after': {},
    notification: {},
    'subagent-start': { context: text },
    'subagent-stop': { continueWith: text },
    'run-end': {},
    'session-end': {},
  };

/** Throws if the hook point does not exist or the hook is not a function: it would never be called. */
export function assertHook(point: string, hook: unknown): void {
  if (!Object.hasOwn(returns, point)) {
    const points = Object.keys(returns);
    const hint = didYouMean(point, points, '"') ?? `The points are ${points.join(', ')}.`;
    throw new AgentError('usage', `Unknown hook point "${point}". ${hint}`);
  }
  if (typeof hook !== 'function') throw new AgentError('usage', `The hook at "${point}" is not a function.`);
}

/** Explains why a hook's result is invalid at its point; undefined if it is valid. */
export function hookResultProblem(point: HookPoint, result: unknown): string | undefined {
  if (result === undefined || result === null) return undefined;
  const checks: Readonly<Record<string, ValueCheck>> = returns[point];
  const names = Object.keys(checks);
  if (names.length === 0) return undefined;
  const may = `A hook at "${point}" may return nothing or an object with ${names.join(', ')}.`;
  if (!isJsonObject(result as JsonValue))
    return `it returned ${JSON.stringify(result) ?? typeof result}. ${may}`;
  for (const [name, value] of Object.entries(result as JsonObject)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check)
      return `it returned "${name}", which has no meaning here. ${didYouMean(name, names, '"') ?? may}`;
    const problem = value === undefined ? undefined : check(value);
    if (problem !== undefined) return `it returned "${name}", which ${problem}.`;
  }
  return undefined;
}
