import {
  batchOf,
  costOf,
  type ModelChoice,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
  type ModelStream,
} from '@robota-sdk/agent-core';
import { estimateTokens, type SessionTap } from '@robota-sdk/agent-sessions';
import type { ReserveResult } from '../contract/steps.ts';
import type { TaskReason } from '../contract/task.ts';

export interface MeterServices {
  /** Done before each call of a model, such as a snapshot. */
  beforeCall(): Promise<void>;
  /** Undefined: the model has no known price. */
  reserve(amount: number | undefined, model: string): Promise<ReserveResult>;
  settle(id: string, cost: number): void;
}

/**
 * Stands before every model of a session, those of agents, hooks and summaries included: each call waits for the reservation of its
 * cost, and settles it.
 */
export class MeteredModels {
  readonly #services: MeterServices;
  /** The reason why no more calls are paid for. */
  refusal: TaskReason | undefined;

  constructor(services: MeterServices) {
    this.#services = services;
  }

  readonly tap: SessionTap = {
    choice: (choice) => ({ ...choice, provider: this.#provider(choice) }),
    tool: (tool) => tool,
    authorize: (authorize) => authorize,
    prompted: () => {},
    attach: () => {},
    watch: () => {},
  };

  #provider({ provider }: ModelChoice): ModelChoice['provider'] {
    return { vendor: provider.vendor, stream: (request) => this.#stream(provider, request) };
  }

  async *#stream(provider: ModelChoice['provider'], request: ModelRequest): ModelStream {
    const { model } = request;
    const { amount, input } = mostOf(request);
    const reserved = await this.#reserve(amount, `${model.vendor}/${model.id}`);
    if (reserved.kind === 'refused') {
      yield { type: 'error', failure: refused(reserved.reason) };
      return;
    }
    // A call that is interrupted without a word about its cost is booked as what was sent and received.
    let received = 0;
    let cost: number | undefined;
    try {
      for await (const said of provider.stream(request)) {
        for (const event of batchOf(said)) {
          received += lengthOf(event);
          cost = costAt(event, model.price) ?? cost;
        }
        yield said;
      }
    } finally {
      const output = Math.ceil(received / 3);
      const seen = received === 0 ? 0 : costOf({ ...nothing, input, output }, model.price);
      this.#services.settle(reserved.id, cost ?? seen);
    }
  }

  async #reserve(amount: number | undefined, model: string): Promise<ReserveResult> {
    if (this.refusal) return { kind: 'refused', reason: this.refusal };
    await this.#services.beforeCall();
    const reserved = await this.#services.reserve(amount, model);
    if (reserved.kind === 'refused') this.refusal = reserved.reason;
    return reserved;
  }
}

function costAt(event: ModelEvent, price: ModelRequest['model']['price']): number | undefined {
  const { usage } = event.type === 'end' || event.type === 'error' ? event : {};
  return usage && costOf(usage, price);
}

const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** Estimates are a quarter of the characters; some texts have more tokens. */
const caution = 1.5;

/** The most that a call is expected to cost, and the tokens that it sends. */
function mostOf({ model, system, messages, tools, maxOutput }: ModelRequest): {
  readonly amount: number | undefined;
  readonly input: number;
} {
  const fixed = (system.length + JSON.stringify(tools).length) / 4;
  const said = messages.reduce((sum, message) => sum + estimateTokens(message), 0);
  const input = Math.ceil((fixed + said) * caution);
  const { price } = model;
  if (!price) return { amount: model.api === 'offline' ? 0 : undefined, input };
  const dearest = { ...price, input: Math.max(price.input, price.cacheWrite ?? 0) };
  return { input, amount: costOf({ ...nothing, input, output: maxOutput ?? model.maxOutput }, dearest) };
}

function lengthOf(event: ModelEvent): number {
  if (event.type === 'text-delta' || event.type === 'thinking-delta') return event.text.length;
  return event.type === 'tool-call-delta' ? event.json.length : 0;
}

function refused({ message }: TaskReason): ModelFailure {
  return { code: 'budget', message, retryable: false };
}
