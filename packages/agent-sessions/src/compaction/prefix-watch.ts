import type { Message, ModelChoice, ModelRequest, Price, ToolSpec, Usage } from '@robota-sdk/agent-core';

/** Why a vendor could not use its cache of the previous request. */
export interface PrefixBreak {
  readonly reason:
    | 'model changed'
    | 'system prompt changed'
    | 'tools changed'
    | 'thinking changed'
    | 'history rewritten'
    | 'session resumed'
    | 'provider expired';
  /** Details: the tools, the cause, the time. */
  readonly detail: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** A break and its price. */
export interface PrefixLoss extends PrefixBreak {
  readonly model: string;
  /** Tokens that were sent again although they had been cached. */
  readonly tokens: number;
  /** US dollars above the price from the cache. */
  readonly cost: number;
}

interface Seen {
  readonly model: string;
  readonly system: string;
  readonly thinking: string;
  readonly tools: readonly ToolSpec[];
  readonly price: Price | undefined;
  readonly at: number;
}

type Models = readonly [ModelChoice, ...ModelChoice[]];

/** Vendors do not cache fewer tokens. */
const leastCached = 1_024;
/** Vendors cache a beginning at least this long. */
const keptMs = 5 * 60_000;

/** Compares each request with the previous one and reports when and why the cached beginning cannot be reused. */
export class PrefixWatch {
  readonly #tell: (found: PrefixLoss) => void;
  readonly #watched = new WeakMap<Models, Models>();
  #seen: Seen | undefined;
  /**
   * Messages of the previous request. Changed in place: a copy with every request would be most of the garbage of a
   * long session.
   */
  readonly #sent: Message[] = [];
  #cached = 0;
  #isSame = false;
  /** True for the first request of a process: only the time since the last answer is known. */
  #isResumed = false;
  /** The break of the current request; its price is known with the answer. */
  #broken: PrefixBreak | undefined;
  #answeredAt = 0;
  #cause: string | undefined;
  #last: PrefixBreak | undefined;

  constructor(tell: (found: PrefixLoss) => void) {
    this.#tell = tell;
  }

  get lastBreak(): PrefixBreak | undefined {
    return this.#last;
  }

  /** The same models, with their requests observed. */
  watch(models: Models): Models {
    const known = this.#watched.get(models);
    if (known) return known;
    const [first, ...fallbacks] = models;
    const watched: Models = [this.#watchOne(first), ...fallbacks.map((choice) => this.#watchOne(choice))];
    this.#watched.set(models, watched);
    return watched;
  }

  /** The conversation is about to be another one; the next request will show it. */
  rewrite(cause: string): void {
    this.#cause = cause;
  }

  /** Compares the vendor's cache usage with the expectation: an unchanged prefix should have been cached. */
  settle(usage: Usage): void {
    const now = Date.now();
    const { cacheRead, cacheWrite } = usage;
    if (this.#isSame && this.#cached >= leastCached && cacheRead < this.#cached / 2) {
      const age = now - this.#answeredAt;
      const detail = `${cacheRead} of ${this.#cached} tokens were still cached ${Math.round(age / 1_000)} s after the answer before`;
      const isOther = this.#isResumed && age < keptMs;
      this.#broken = { reason: isOther ? 'session resumed' : 'provider expired', detail, at: now };
      this.#last = this.#broken;
    }
    const broken = this.#broken;
    this.#broken = undefined;
    if (broken) this.#tell({ ...broken, ...this.#loss(usage) });
    this.#isResumed = false;
    this.#cached = cacheRead + cacheWrite;
    this.#answeredAt = now;
  }

  /** The cached tokens that the vendor did not use, at the price of sending them again. */
  #loss({ cacheRead, cacheWrite }: Usage): Pick<PrefixLoss, 'model' | 'tokens' | 'cost'> {
    const { model = '', price } = this.#seen ?? {};
    const tokens = Math.max(0, this.#cached - cacheRead);
    const again = (cacheWrite > 0 ? price?.cacheWrite : undefined) ?? price?.input ?? 0;
    const kept = price?.cacheRead ?? again;
    return { model, tokens, cost: (tokens * Math.max(0, again - kept)) / 1_000_000 };
  }

  #watchOne(choice: ModelChoice): ModelChoice {
    const { provider } = choice;
    const stream: typeof provider.stream = (request) => {
      this.#observe(request);
      return provider.stream(request);
    };
    return { ...choice, provider: { vendor: provider.vendor, stream } };
  }

  #observe({ model, system, thinking, tools, messages }: ModelRequest): void {
    const next: Seen = {
      model: `${model.vendor}/${model.id}`,
      system,
      thinking,
      tools,
      price: model.price,
      at: Date.now(),
    };
    const before = this.#seen ?? this.#resume(next, messages);
    const rewritten = this.#keep(messages);
    const found = before && difference({ before, next, rewritten, cause: this.#cause });
    this.#seen = next;
    this.#cause = undefined;
    this.#isSame = before !== undefined && found === undefined;
    if (!found) return;
    this.#last = { ...found, at: next.at };
    this.#broken = this.#last;
  }

  /** The previous answer of another process: only its model is known. */
  #resume(next: Seen, messages: readonly Message[]): Seen | undefined {
    const last = messages.findLast((message) => message.role === 'assistant');
    if (last?.role !== 'assistant') return undefined;
    const { usage, model, timestamp } = last;
    this.#isResumed = true;
    this.#cached = usage.cacheRead + usage.cacheWrite;
    this.#answeredAt = timestamp;
    return { ...next, model: `${model.vendor}/${model.id}`, at: timestamp };
  }

  /** Stores the messages; returns where they differ from the previous request. */
  #keep(messages: readonly Message[]): string | undefined {
    const sent = this.#sent;
    const count = messages.length - continuationIn(messages);
    let at = 0;
    while (at < sent.length && at < count && isSame(sent[at], messages[at])) at++;
    const where = at < sent.length ? `from message ${at + 1} of ${sent.length} on` : undefined;
    sent.length = at;
    for (; at < count; at++) sent.push(messages[at] as Message);
    return where;
  }
}

/** After a broken connection the model is shown its own beginning once; how many messages that are and are not saved. */
function continuationIn(messages: readonly Message[]): number {
  const [partial, request] = messages.slice(-2);
  const isContinued =
    partial?.role === 'assistant' &&
    partial.stopReason === 'error' &&
    request?.role === 'user' &&
    request.origin === 'reminder';
  return isContinued ? 2 : 0;
}

interface Comparison {
  readonly before: Seen;
  readonly next: Seen;
  /** The first differing message. */
  readonly rewritten: string | undefined;
  readonly cause: string | undefined;
}

/** In the order in which vendors build a request: a change breaks everything after it. */
function difference({ before, next, rewritten, cause }: Comparison): Omit<PrefixBreak, 'at'> | undefined {
  if (before.model !== next.model)
    return { reason: 'model changed', detail: `from ${before.model} to ${next.model}` };
  const tools = changedTools(before.tools, next.tools);
  if (tools !== undefined) return { reason: 'tools changed', detail: tools };
  if (before.system !== next.system)
    return {
      reason: 'system prompt changed',
      detail: cause ?? `from ${before.system.length} to ${next.system.length} characters`,
    };
  if (rewritten !== undefined)
    return { reason: 'history rewritten', detail: `${cause ?? 'moved to another place'}, ${rewritten}` };
  if (before.thinking === next.thinking) return undefined;
  return { reason: 'thinking changed', detail: `from ${before.thinking} to ${next.thinking}` };
}

function changedTools(before: readonly ToolSpec[], next: readonly ToolSpec[]): string | undefined {
  const old = new Map(before.map((tool) => [tool.name, tool]));
  const names = new Set(next.map(({ name }) => name));
  const added = next.filter(({ name }) => !old.has(name)).map(({ name }) => `${name} added`);
  const removed = before.filter(({ name }) => !names.has(name)).map(({ name }) => `${name} removed`);
  const changed = next
    .filter((tool) => !isSameTool(old.get(tool.name) ?? tool, tool))
    .map(({ name }) => `${name} changed`);
  const all = [...added, ...removed, ...changed];
  if (all.length > 0) return all.join(', ');
  return before.some(({ name }, index) => name !== next[index]?.name) ? 'another order' : undefined;
}

function isSameTool(a: ToolSpec, b: ToolSpec): boolean {
  if (a.description !== b.description) return false;
  return a.input === b.input || JSON.stringify(a.input) === JSON.stringify(b.input);
}

/** Messages never change, so the same object needs no second look; another one may still say the same. */
function isSame(before: Message | undefined, next: Message | undefined): boolean {
  if (before === next) return true;
  return (
    before !== undefined &&
    next !== undefined &&
    before.role === next.role &&
    JSON.stringify(before.content) === JSON.stringify(next.content)
  );
}
