import { describeCost, type Notice, type SpendingStop, type UserInterface } from '@robota-sdk/agent-core';
import type { DayLedger } from './day-ledger.ts';

/** US dollars that may be spent: for one prompt, in one session, on one day by every session together. */
export interface BudgetLimits {
  readonly turn?: number;
  readonly session?: number;
  readonly day?: number;
}

export interface BudgetOptions {
  readonly limits: BudgetLimits;
  /** Asks whether to continue; without a user, a spent budget ends the run. */
  readonly ui: UserInterface;
  notify(notice: Notice): void;
  /** Cost of the session before this process. */
  readonly spentBefore?: number;
  readonly day?: DayLedger;
}

type Scope = keyof BudgetLimits;

interface Limit {
  readonly scope: Scope;
  readonly dollars: number;
  readonly spent: number;
}

const scopes: readonly Scope[] = ['turn', 'session', 'day'];
const warnFrom = 0.8;

/**
 * Enforces the cost limits of a session: warns before one is reached, then asks the user or stops the run.
 */
export class Budget {
  readonly #options: BudgetOptions;
  /** Limits raised by the user, until the session is closed; turn limits until the turn ends. */
  readonly #raised = new Map<Scope, number>();
  readonly #warned = new Set<Scope>();
  #turn = 0;
  #session: number;
  /** The prompt's own limit, instead of that of the settings. */
  #maxCost: number | undefined;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.#session = options.spentBefore ?? 0;
  }

  /** Starts a prompt with the given limit, or that of the settings. */
  begin(maxCost?: number): void {
    this.#turn = 0;
    this.#maxCost = maxCost;
    this.#raised.delete('turn');
    this.#warned.delete('turn');
  }

  /** Adds a cost, of any purpose. */
  spend(cost: number): void {
    if (!(cost > 0)) return;
    this.#turn += cost;
    this.#session += cost;
    this.#options.day?.add(cost);
  }

  /** Checks the limits before another model call; the user may raise the limit that blocks it. */
  async check(signal: AbortSignal): Promise<SpendingStop | undefined> {
    for (const scope of scopes) {
      const limit = await this.#limitOf(scope);
      if (!limit) continue;
      if (limit.spent >= limit.dollars) {
        if (!(await this.#mayRaise(limit, signal))) return this.#stop(limit);
      } else if (limit.spent >= limit.dollars * warnFrom) this.#warn(limit);
    }
    return undefined;
  }

  /** The smaller of both limits of a turn counts. */
  get #isFlagSmaller(): boolean {
    const { turn = Number.POSITIVE_INFINITY } = this.#options.limits;
    return this.#maxCost !== undefined && this.#maxCost <= turn;
  }

  async #limitOf(scope: Scope): Promise<Limit | undefined> {
    const { limits, day } = this.#options;
    const set = scope === 'turn' && this.#isFlagSmaller ? this.#maxCost : limits[scope];
    const dollars = this.#raised.get(scope) ?? set;
    if (dollars === undefined) return undefined;
    if (scope === 'day') return { scope, dollars, spent: (await day?.today()) ?? this.#session };
    return { scope, dollars, spent: scope === 'turn' ? this.#turn : this.#session };
  }

  async #mayRaise(limit: Limit, signal: AbortSignal): Promise<boolean> {
    const { scope, spent } = limit;
    const more = spent + limit.dollars;
    const answer = await this.#options.ui.ask(
      {
        kind: 'select',
        title: `${described(limit)} Continue?`,
        options: [
          { label: `Continue up to ${describeCost(more)}`, means: 'yes' },
          { label: 'Continue without this limit', description: `until ${ends[scope]}` },
          { label: 'Stop here', means: 'no' },
        ],
      },
      signal,
    );
    const choice = answer.kind === 'selected' ? answer.indexes[0] : undefined;
    if (choice !== 0 && choice !== 1) return false;
    this.#raised.set(scope, choice === 0 ? more : Number.POSITIVE_INFINITY);
    this.#warned.delete(scope);
    return true;
  }

  #stop(limit: Limit): SpendingStop {
    const isFlag = limit.scope === 'turn' && this.#isFlagSmaller;
    const advice = isFlag ? 'raise maxCost (--max-cost)' : `raise "budget.${limit.scope}" in the settings`;
    return {
      code: isFlag ? 'max-cost' : 'budget',
      message: `Stopped: ${described(limit)}; ${advice}.`,
    };
  }

  #warn(limit: Limit): void {
    if (this.#warned.has(limit.scope)) return;
    this.#warned.add(limit.scope);
    this.#options.notify({ level: 'warning', text: `${described(limit)}.` });
  }
}

const subjects: Readonly<Record<Scope, string>> = {
  turn: 'this run has cost',
  session: 'this session has cost',
  day: 'the sessions of today have cost',
};

const ends: Readonly<Record<Scope, string>> = {
  turn: 'this run ends',
  session: 'this session is closed',
  day: 'this session is closed',
};

function described({ scope, spent, dollars }: Limit): string {
  return `${subjects[scope]} ${describeCost(spent)} and the limit is ${describeCost(dollars)}`;
}
