import type { Command } from '@robota-sdk/agent-core';
import type { SessionTotals } from '@robota-sdk/agent-sessions';
import type { InteractiveSession } from '../interactive-session.ts';

export const costCommand: Command<InteractiveSession> = {
  name: 'cost',
  description: 'Show tokens and cost of this session, by model',
  run: async (_args, { session }) => {
    const { totals } = session.getSession();
    const { usage } = totals;
    const shares = sharesOf(session);
    const named = shares.length === 1 ? ` (${shares[0]?.name})` : '';
    const lines = [
      `${spent(totals)}${named}`,
      ...(shares.length < 2 ? [] : shares.map((share) => `  ${share.name}: ${spent(share)}`)),
      `${usage.input} tokens in, ${usage.cacheRead} read from cache, ${usage.cacheWrite} written to it, ${usage.output} out`,
    ];
    return { kind: 'notice', text: lines.join('\n'), data: { ...totals, models: shares } };
  },
};

interface Share extends Spent {
  readonly name: string;
}

type Spent = Pick<SessionTotals, 'cost' | 'modelCalls'>;

/** What each model answered, and the rest: summaries, and answers that the conversation no longer holds. */
function sharesOf(session: InteractiveSession): readonly Share[] {
  const { messages, totals, model } = session.getSession();
  const known = [model, ...session.listModels()];
  const shares = new Map<string, Share>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    const { vendor, id } = message.model;
    const name = known.find((each) => each.vendor === vendor && each.id === id)?.name ?? `${vendor}/${id}`;
    shares.set(name, added(shares.get(name) ?? { name, ...nothing }, { ...message, modelCalls: 1 }));
  }
  const ofModels = [...shares.values()];
  const sum = ofModels.reduce((all, share) => added(all, share), { name: '', ...nothing });
  if (sum.modelCalls >= totals.modelCalls) return ofModels;
  const rest = { cost: Math.max(0, totals.cost - sum.cost), modelCalls: totals.modelCalls - sum.modelCalls };
  return [...ofModels, { ...rest, name: 'no longer in the conversation' }];
}

const nothing: Spent = { cost: 0, modelCalls: 0 };

function added({ name, ...share }: Share, { cost, modelCalls }: Spent): Share {
  return { name, cost: share.cost + cost, modelCalls: share.modelCalls + modelCalls };
}

function spent({ cost, modelCalls }: Spent): string {
  return `$${cost.toFixed(4)} for ${modelCalls === 1 ? '1 model call' : `${modelCalls} model calls`}`;
}
