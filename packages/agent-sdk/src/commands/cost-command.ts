import {
  type Command,
  describeCost,
  type ModelRef,
  type Price,
  type Usage,
  windowText,
} from '@robota-sdk/agent-core';
import {
  addTotals,
  type ModelSpending,
  noTotals,
  type SessionTotals,
  type TurnSpending,
} from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../session/interactive-session.ts';

export const costCommand: Command<InteractiveSession> = {
  name: 'cost',
  description: 'Show tokens and cost of this session, by model and by prompt',
  argumentHint: '[all]',
  subcommands: [{ name: 'all', description: 'Show every prompt' }],
  run: async (args, { session }) => {
    const { totals } = session.getSession();
    const { turns, models } = session.getSession().spending.report();
    const shares = withRest(
      models.map((share) => shareOf(share, session)),
      totals,
    );
    const saved = shares.reduce((sum, share) => sum + share.saved, 0);
    const shown = args === 'all' ? turns : turns.slice(-shownTurns);
    const lines = [
      `${spent(totals)}${saved > 0 ? `; the cache saved ${describeCost(saved)}` : ''}`,
      tokensOf(totals.usage),
      ...(shares.length === 0 ? [] : ['', 'By model', ...shares.map(modelLine)]),
      ...(shown.length === 0 ? [] : ['', 'By prompt', ...shown.map(turnLine)]),
      ...(shown.length < turns.length ? [`  … and ${turns.length - shown.length} before; /cost all`] : []),
    ];
    return { kind: 'notice', text: lines.join('\n'), data: { ...totals, saved, models: shares, turns } };
  },
};

const shownTurns = 10;

interface Share extends SessionTotals {
  readonly name: string;
  /** Dollars that reading from the cache saved, less what writing to it cost more. */
  readonly saved: number;
}

function shareOf({ model, purpose, ...totals }: ModelSpending, session: InteractiveSession): Share {
  if (!model) return { ...totals, name: purpose ?? 'others', saved: 0 };
  const models = [session.getSession().model, ...session.listModels()];
  const known =
    models.find((each) => isSame(each, model)) ??
    models.find((each) => isSame(each, { ...model, id: model.id.replace(date, '') }));
  const name =
    known?.name ?? (model.id === '' ? `${model.vendor}, model not known` : `${model.vendor}/${model.id}`);
  const saved = savedBy(totals.usage, known?.price);
  return { ...totals, name: purpose === undefined ? name : `${name} (${purpose})`, saved };
}

/** Vendors name a version of a model by its day. */
const date = /-(?:\d{8}|\d{4}-\d{2}-\d{2})$/;

/** What no line of the conversation shows: hooks that asked a model, and a part that was cleared and not kept. */
function withRest(shares: readonly Share[], totals: SessionTotals): readonly Share[] {
  const sum = shares.reduce<SessionTotals>((all, share) => addTotals(all, share), noTotals);
  const modelCalls = totals.modelCalls - sum.modelCalls;
  if (modelCalls <= 0) return shares;
  const usage = subtractUsage(totals.usage, sum.usage);
  return [
    ...shares,
    { name: 'others', usage, cost: Math.max(0, totals.cost - sum.cost), modelCalls, saved: 0 },
  ];
}

function subtractUsage(all: Usage, part: Usage): Usage {
  const rest = (field: 'input' | 'output' | 'cacheRead' | 'cacheWrite') =>
    Math.max(0, all[field] - part[field]);
  return {
    input: rest('input'),
    output: rest('output'),
    cacheRead: rest('cacheRead'),
    cacheWrite: rest('cacheWrite'),
  };
}

function isSame(a: Pick<ModelRef, 'vendor' | 'id'>, b: Pick<ModelRef, 'vendor' | 'id'>): boolean {
  return a.vendor === b.vendor && a.id === b.id;
}

function savedBy({ cacheRead, cacheWrite }: Usage, price: Price | undefined): number {
  if (!price) return 0;
  const read = cacheRead * (price.input - (price.cacheRead ?? price.input));
  const written = cacheWrite * ((price.cacheWrite ?? price.input) - price.input);
  return (read - written) / 1_000_000;
}

function modelLine({ name, usage, saved, ...share }: Share): string {
  const saving = saved > 0 ? `, saved ${describeCost(saved)}` : '';
  return `  ${name}: ${spent(share)}; ${tokensOf(usage)}${saving}`;
}

function turnLine({ turn, prompt, ...used }: TurnSpending): string {
  const title = prompt.length > 48 ? `${prompt.slice(0, 47)}…` : prompt;
  return `  ${turn}. ${title}: ${spent(used)}`;
}

function spent({ cost, modelCalls }: Pick<SessionTotals, 'cost' | 'modelCalls'>): string {
  return `${describeCost(cost)} for ${modelCalls === 1 ? '1 model call' : `${modelCalls} model calls`}`;
}

function tokensOf({ input, cacheRead, cacheWrite, output }: Usage): string {
  const all = input + cacheRead + cacheWrite;
  const share = all === 0 ? 0 : Math.round((cacheRead / all) * 100);
  return `${windowText(all)} tokens in (${share}% from cache, ${windowText(cacheWrite)} written to it), ${windowText(output)} out`;
}
