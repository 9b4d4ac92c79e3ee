import { isJsonObject } from '@robota-sdk/agent-core';
import {
  cacheBreak,
  type Entry,
  entryTotals,
  type SessionHeader,
  type SessionTotals,
  spentFor,
  type ToolShare,
  toolSharesIn,
  toolSharesOf,
} from '@robota-sdk/agent-sessions';
import { addUsed, dayOf, nothingUsed, type SessionFacts, type Used } from './session-facts.ts';

/** Adds up the entries of one session, all branches. */
export function collectUsage(header: SessionHeader, entries: Iterable<Entry>): SessionFacts {
  const collector = new FactCollector();
  collector.open(header);
  for (const entry of entries) collector.add(entry);
  return collector.facts();
}

/** Adds up a session while it is read. */
export class FactCollector {
  readonly #spent = new Table<'day' | 'model' | 'agent' | 'purpose'>();
  readonly #tools = new Table<'day' | 'tool'>();
  readonly #breaks = new Table<'day' | 'reason'>();
  readonly #details = new Map<string, string>();
  #project = '';
  #agent = 'main';
  /** Older entries were written in the session that this one is a copy of, or in another program. */
  #begin = Number.NEGATIVE_INFINITY;
  #importedFrom: string | undefined;

  open({ cwd, timestamp, parentSession, importedFrom }: SessionHeader): void {
    this.#project = cwd;
    this.#importedFrom = importedFrom?.format;
    if (parentSession !== undefined || importedFrom) this.#begin = Date.parse(timestamp);
  }

  add(entry: Entry): void {
    const time = Date.parse(entry.timestamp);
    const isOlder = time < this.#begin;
    if (isOlder && this.#importedFrom === undefined) return;
    this.#noteFleet(entry);
    const day = dayOf(time);
    const broken = cacheBreak.read(entry);
    if (broken) {
      const { reason, detail, tokens, cost } = broken;
      this.#breaks.add({ day, reason }, { ...nothingUsed, calls: 1, input: tokens, cost });
      this.#details.set(`${day} ${reason}`, detail);
    }
    const totals = entryTotals(entry);
    if (totals.modelCalls === 0) return;
    const agent = isOlder ? `imported (${this.#importedFrom})` : this.#agent;
    this.#spend(entry, { day, agent, used: usedOf(totals) });
  }

  facts(): SessionFacts {
    return {
      project: this.#project,
      spent: this.#spent.rows(),
      tools: this.#tools.rows(),
      breaks: this.#breaks.rows().map((row) => ({ ...row, detail: this.#detail(row) })),
    };
  }

  #detail({ day, reason }: { readonly day: string; readonly reason: string }): string {
    return this.#details.get(`${day} ${reason}`) ?? '';
  }

  /** A task of a fleet works in a worktree; its project is the repository. */
  #noteFleet(entry: Entry): void {
    if (entry.type !== 'custom' || entry.customType !== 'robota.attempt') return;
    this.#agent = 'fleet';
    const repo = isJsonObject(entry.data) ? entry.data.repo : undefined;
    if (typeof repo === 'string') this.#project = repo;
  }

  #spend(entry: Entry, { day, agent, used }: { day: string; agent: string; used: Used }): void {
    if (entry.type === 'message' && entry.message.role === 'assistant') {
      const { vendor, id } = entry.message.model;
      this.#spent.add({ day, model: `${vendor}/${id}`, agent, purpose: 'answers' }, used);
      const shares = toolSharesOf(entry.message);
      if (shares.length === 0) this.#tools.add({ day, tool: '(answers)' }, used);
      this.#addShares(day, shares);
      return;
    }
    const { purpose = 'summaries', model, agent: named } = spentFor(entry) ?? {};
    const isAgent = purpose === 'agents';
    const name = model ? `${model.vendor}/${model.id}` : 'unknown';
    const by = isAgent ? (named ?? 'unnamed agents') : agent;
    this.#spent.add({ day, model: name, agent: by, purpose }, used);
    if (!isAgent) return this.#tools.add({ day, tool: `(${purpose})` }, used);
    const shares = toolSharesIn(entry);
    this.#addShares(day, shares);
    // Answers of agents without a call, and all of those whose calls are not known.
    this.#tools.add({ day, tool: 'Agent' }, { ...shares.reduce<Used>(without, used), calls: 0 });
  }

  #addShares(day: string, shares: readonly ToolShare[]): void {
    for (const { tool, ...share } of shares) this.#tools.add({ day, tool }, share);
  }
}

function usedOf({ usage, cost, modelCalls }: SessionTotals): Used {
  const { input, output, cacheRead, cacheWrite } = usage;
  return { calls: modelCalls, input, output, cacheRead, cacheWrite, cost };
}

function without(used: Used, { calls, input, output, cacheRead, cacheWrite, cost }: Used): Used {
  return {
    calls: used.calls - calls,
    input: used.input - input,
    output: used.output - output,
    cacheRead: used.cacheRead - cacheRead,
    cacheWrite: used.cacheWrite - cacheWrite,
    cost: used.cost - cost,
  };
}

/** Adds up numbers by a key of several names. */
class Table<K extends string> {
  readonly #rows = new Map<string, Readonly<Record<K, string>> & Used>();

  add(key: Readonly<Record<K, string>>, used: Used): void {
    const name = JSON.stringify(key);
    const known = this.#rows.get(name);
    this.#rows.set(name, { ...key, ...(known ? addUsed(known, used) : used) });
  }

  rows(): readonly (Readonly<Record<K, string>> & Used)[] {
    return [...this.#rows.values()];
  }
}
