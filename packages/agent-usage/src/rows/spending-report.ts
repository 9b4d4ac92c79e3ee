import {
  addTotals,
  type Entry,
  entryTotals,
  noTotals,
  requestOf,
  type SessionTotals,
  type SpentFor,
  spentFor,
  typedText,
} from '@robota-sdk/agent-sessions';

/** Cost of one prompt and its run. */
export interface TurnSpending extends SessionTotals {
  /** The number of the prompt, over all branches. */
  readonly turn: number;
  readonly prompt: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
}

/** Cost of one model, for answers or another purpose; some entries have no known model. */
export interface ModelSpending extends SessionTotals, Partial<SpentFor> {}

/** Cost breakdown of a session. */
export interface SpendingReport {
  readonly turns: readonly TurnSpending[];
  readonly models: readonly ModelSpending[];
}

/** Adds up every branch of a session by prompt and by model. */
export function spendingReport(entries: Iterable<Entry>): SpendingReport {
  const turns: TurnSpending[] = [];
  const models = new Map<string, ModelSpending>();
  for (const entry of entries) {
    const request = requestOf(entry);
    if (request) {
      const prompt = typedText(request).trim().split('\n', 1)[0] ?? '';
      turns.push({ ...noTotals, turn: turns.length + 1, prompt, startedAt: request.timestamp });
    }
    const used = entryTotals(entry);
    if (used.modelCalls === 0) continue;
    const turn = turns.pop();
    if (turn) turns.push({ ...turn, ...addTotals(turn, used) });
    const model = modelOf(entry);
    const what = model ? { model } : spentFor(entry);
    const key = JSON.stringify(what);
    const known = models.get(key) ?? { ...noTotals, ...what };
    models.set(key, { ...known, ...addTotals(known, used) });
  }
  return { turns, models: [...models.values()] };
}

function modelOf(entry: Entry): SpentFor['model'] {
  if (entry.type !== 'message' || entry.message.role !== 'assistant') return undefined;
  const { vendor, id } = entry.message.model;
  return { vendor, id };
}
