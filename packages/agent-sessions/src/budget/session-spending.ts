import type { SpendingStop } from '@robota-sdk/agent-core';
import type { Entry } from '../entry/entry.ts';
import { addTotals, type SessionTotals } from '../entry/session-totals.ts';
import { Budget, type BudgetOptions } from './budget.ts';

/** The account charged for a session that works for another one. */
export interface Payer {
  charge(used: SessionTotals): void;
  check(signal: AbortSignal): Promise<SpendingStop | undefined>;
}

export interface SpendingOptions extends Omit<BudgetOptions, 'spentBefore'> {
  /** Every entry of the session, all branches. */
  entries(): Iterable<Entry>;
  /** Their cost. */
  readonly spent: SessionTotals;
  /** The session that pays for this one. */
  readonly payer?: Payer;
}

/** Tracks the cost of a session and enforces its limits. */
export class SessionSpending implements Payer {
  readonly #options: SpendingOptions;
  readonly #budget: Budget;
  #totals: SessionTotals;

  constructor(options: SpendingOptions) {
    this.#options = options;
    this.#totals = options.spent;
    this.#budget = new Budget({ ...options, spentBefore: this.#totals.cost });
  }

  /** Tokens and money of the whole session: every branch, every summary, earlier processes included. */
  get totals(): SessionTotals {
    return this.#totals;
  }

  /**
   * Starts a prompt with the given limit, or the budget's. A prompt over the limit is not recorded, so that it can be
   * sent again.
   */
  async begin(signal: AbortSignal, maxCost?: number): Promise<SpendingStop | undefined> {
    this.#budget.begin(maxCost);
    return this.check(signal);
  }

  /** Adds spending of a turn, a summary, a hook's model or a subagent. */
  charge(used: SessionTotals): void {
    this.#totals = addTotals(this.#totals, used);
    this.#budget.spend(used.cost);
    this.#options.payer?.charge(used);
  }

  /** Checks the limits before another model call. */
  async check(signal: AbortSignal): Promise<SpendingStop | undefined> {
    return (await this.#options.payer?.check(signal)) ?? this.#budget.check(signal);
  }

  /** Every entry of the session, all branches. */
  entries(): Iterable<Entry> {
    return this.#options.entries();
  }
}
