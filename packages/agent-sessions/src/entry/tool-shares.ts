import {
  isJsonObject,
  type JsonObject,
  type Message,
  parseUsage,
  toolCallsOf,
  type Usage,
} from '@robota-sdk/agent-core';
import type { Entry } from './entry.ts';

/** The share of answers that called a tool: an answer is divided equally among its calls. */
export interface ToolShare extends Omit<Usage, 'reasoning'> {
  readonly tool: string;
  /** Calls of the tool. */
  readonly calls: number;
  /** US dollars. */
  readonly cost: number;
}

/** The shares of the tools that an answer called, one for each call. */
export function toolSharesOf(message: Message): readonly ToolShare[] {
  if (message.role !== 'assistant') return [];
  const names = toolCallsOf(message).map(({ name }) => name);
  const part = 1 / names.length;
  const { usage, cost } = message;
  return names.map((tool) => ({
    tool,
    calls: 1,
    input: usage.input * part,
    output: usage.output * part,
    cacheRead: usage.cacheRead * part,
    cacheWrite: usage.cacheWrite * part,
    cost: cost * part,
  }));
}

/** Adds shares up by their tool. */
export function addShares(shares: Iterable<ToolShare>): readonly ToolShare[] {
  const sums = new Map<string, ToolShare>();
  for (const share of shares) {
    const known = sums.get(share.tool);
    sums.set(share.tool, known ? sumOf(known, share) : share);
  }
  return [...sums.values()];
}

function sumOf(one: ToolShare, other: ToolShare): ToolShare {
  return {
    tool: one.tool,
    calls: one.calls + other.calls,
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    cost: one.cost + other.cost,
  };
}

/** The shares as stored in the entry of an agent's spending. */
export function encodeShares(shares: readonly ToolShare[]): JsonObject[] {
  return shares.map((share) => ({ ...share }));
}

/** The tools for which an agent spent money; empty in entries of earlier versions. */
export function toolSharesIn(entry: Entry): readonly ToolShare[] {
  const { tools } = entry.type === 'custom' && isJsonObject(entry.data) ? entry.data : {};
  if (!Array.isArray(tools)) return [];
  return tools.filter(isJsonObject).map((share) => {
    const { input, output, cacheRead, cacheWrite } = parseUsage(share);
    const [calls, cost] = [Number(share.calls) || 0, Number(share.cost) || 0];
    return { tool: String(share.tool), calls, input, output, cacheRead, cacheWrite, cost };
  });
}
