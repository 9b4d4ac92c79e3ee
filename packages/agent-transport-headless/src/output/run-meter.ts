import { type InteractiveSession, RequestClock, type SessionEvent } from '@robota-sdk/agent-sdk/front-end';

/** Usage of one model in a run; field names as in Claude Code's SDKs. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly webSearchRequests: number;
  readonly costUSD: number;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** Usage of a run: the time models took to answer, and the tokens of each. */
export interface Measured {
  readonly apiMs: number;
  readonly models: Readonly<Record<string, ModelUsage>>;
}

/** Measures a run by its events. */
export class RunMeter {
  readonly #session: InteractiveSession;
  readonly #models = new Map<string, ModelUsage>();
  readonly #stop: () => void;
  #model = '';
  #searches = 0;
  readonly #clock = new RequestClock();

  constructor(session: InteractiveSession) {
    this.#session = session;
    this.#stop = session.subscribe((event) => this.#take(event));
  }

  /** Returns the measurement and stops counting. */
  finish(): Measured {
    this.#stop();
    this.#clock.stop();
    return { apiMs: this.#clock.elapsedMs, models: Object.fromEntries(this.#models) };
  }

  #take(event: SessionEvent): void {
    this.#clock.take(event);
    switch (event.type) {
      case 'turn-start':
        this.#model = `${event.model.vendor}/${event.model.id}`;
        return;
      case 'model-switch':
        this.#model = `${event.to.vendor}/${event.to.id}`;
        return;
      case 'server-tool':
        if (event.content.phase === 'call' && event.content.name === 'web_search') this.#searches++;
        return;
      case 'turn-end':
        return this.#count(event);
    }
  }

  #count({ usage, cost }: Extract<SessionEvent, { type: 'turn-end' }>): void {
    const before = this.#models.get(this.#model);
    const model = this.#session.listModels().find(({ vendor, id }) => `${vendor}/${id}` === this.#model);
    this.#models.set(this.#model, {
      inputTokens: (before?.inputTokens ?? 0) + usage.input,
      outputTokens: (before?.outputTokens ?? 0) + usage.output,
      cacheReadInputTokens: (before?.cacheReadInputTokens ?? 0) + usage.cacheRead,
      cacheCreationInputTokens: (before?.cacheCreationInputTokens ?? 0) + usage.cacheWrite,
      webSearchRequests: (before?.webSearchRequests ?? 0) + this.#searches,
      costUSD: (before?.costUSD ?? 0) + cost,
      contextWindow: model?.contextWindow ?? 0,
      maxOutputTokens: model?.maxOutput ?? 0,
    });
    this.#searches = 0;
  }
}
