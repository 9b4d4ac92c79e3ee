import { type InteractiveSession, spendingReport } from '@robota-sdk/agent-sdk/front-end';
import { apiUsage } from './api-usage.ts';
import { type ResultObject, roundDollars } from './result-object.ts';
import type { Measured, ModelUsage } from './run-meter.ts';

/**
 * Usage of a whole session, as the SDKs of Claude Code read it from each result: cost and tokens by model are sums since
 * the session began, with agents and summaries; `usage` is that of the prompt, without them.
 */
export class SessionUsage {
  readonly #session: InteractiveSession;
  readonly #searches = new Map<string, number>();

  constructor(session: InteractiveSession) {
    this.#session = session;
  }

  /** Cost and tokens by `vendor/id`. */
  get models(): Readonly<Record<string, ModelUsage>> {
    const { spending, model } = this.#session;
    const known = this.#session.listModels();
    const sums = new Map<string, ModelUsage>();
    for (const { usage, cost, model: spentOn = model } of spendingReport(spending.entries()).models) {
      const name = `${spentOn.vendor}/${spentOn.id}`;
      const before = sums.get(name);
      const about = known.find(({ vendor, id }) => `${vendor}/${id}` === name);
      sums.set(name, {
        inputTokens: (before?.inputTokens ?? 0) + usage.input,
        outputTokens: (before?.outputTokens ?? 0) + usage.output,
        cacheReadInputTokens: (before?.cacheReadInputTokens ?? 0) + usage.cacheRead,
        cacheCreationInputTokens: (before?.cacheCreationInputTokens ?? 0) + usage.cacheWrite,
        webSearchRequests: this.#searches.get(name) ?? 0,
        costUSD: roundDollars((before?.costUSD ?? 0) + cost),
        contextWindow: about?.contextWindow ?? 0,
        maxOutputTokens: about?.maxOutput ?? 0,
      });
    }
    return Object.fromEntries(sums);
  }

  /** The result of a prompt with these numbers. */
  complete(result: ResultObject, { models }: Measured): ResultObject {
    const used = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    let searches = 0;
    for (const [name, each] of Object.entries(models)) {
      used.input += each.inputTokens;
      used.output += each.outputTokens;
      used.cacheRead += each.cacheReadInputTokens;
      used.cacheWrite += each.cacheCreationInputTokens;
      searches += each.webSearchRequests;
      this.#searches.set(name, (this.#searches.get(name) ?? 0) + each.webSearchRequests);
    }
    const total_cost_usd = roundDollars(this.#session.totals.cost);
    return { ...result, total_cost_usd, usage: apiUsage(used, searches), modelUsage: this.models };
  }
}
