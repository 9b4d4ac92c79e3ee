/** Numbers that can be added up. */
export interface Used {
  /** Model calls; of a tool its own calls, of a break how often it happened. */
  readonly calls: number;
  /** Tokens; `input` was neither read from nor written to a cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** US dollars; 0 where no price is known. */
  readonly cost: number;
}

/** The spending of an agent on a day, on a model and for a purpose. */
interface SpentFact extends Used {
  /** `2026-01-31`, local time. */
  readonly day: string;
  /** `vendor/id`. */
  readonly model: string;
  /** `main`, the name of a subagent, or `fleet`. */
  readonly agent: string;
  readonly purpose: string;
}

/** The share of answers that called a tool, those of subagents included. */
interface ToolFact extends Used {
  readonly day: string;
  readonly tool: string;
}

/** Requests for which the prompt cache was of no use; the tokens that were sent again are `input`. */
interface BreakFact extends Used {
  readonly day: string;
  readonly reason: string;
  /** Of the last one. */
  readonly detail: string;
}

/** Everything that one session used, added up by day. */
export interface SessionFacts {
  /** The directory of its project. */
  readonly project: string;
  readonly spent: readonly SpentFact[];
  readonly tools: readonly ToolFact[];
  readonly breaks: readonly BreakFact[];
}

export const nothingUsed: Used = { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };

export function addUsed(a: Used, b: Used): Used {
  return {
    calls: a.calls + b.calls,
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cost: a.cost + b.cost,
  };
}

/** The day of a time, local. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
