import type { Answer, UserInterface } from '@robota-sdk/agent-core';
import { oneLine } from './one-line.ts';
import type { AskTrust } from './trust-gate.ts';
import { type TrustItem, trustKinds } from './trust-item.ts';
import type { TrustDecision } from './trust-store.ts';

/** Makes a dialog of the question what of a repository may run. Whatever is no clear yes is a no. */
export function askTrust(ui: UserInterface): AskTrust {
  return async (items) => {
    const one = items.length === 1;
    const choices = [
      { label: 'Not now', description: one ? 'go on without it' : 'go on without them' },
      { label: one ? 'Trust it' : 'Trust all of them', description: 'until it changes' },
      { label: one ? 'Never mention it' : 'Never mention them', description: 'unless it changes' },
      ...(one ? [] : [{ label: 'Decide one by one' }]),
    ];
    const answer = await ui.ask({
      kind: 'select',
      title: titleOf(items),
      detail: items.map(describeItem).join('\n'),
      options: choices,
    });
    if (chosen(answer) === 3) return askEach(ui, items);
    return decisionOf(chosen(answer), items);
  };
}

/** One item with all of its content, for people. */
function describeItem({ kind, name, content, source }: TrustItem): string {
  const lines = content === name ? [] : content.split('\n').map((line) => `    ${line}`);
  return [`${trustKinds[kind]} ${oneLine(name)}  (${source})`, ...lines].join('\n');
}

async function askEach(ui: UserInterface, items: readonly TrustItem[]): Promise<TrustDecision> {
  const decisions: TrustDecision[] = [];
  for (const item of items) decisions.push(await askTrust(ui)([item]));
  return {
    trust: decisions.flatMap(({ trust }) => trust),
    never: decisions.flatMap(({ never }) => never),
  };
}

function titleOf({ length }: readonly TrustItem[]): string {
  if (length === 1)
    return 'This project brings something that runs or widens what is allowed. You have not agreed to it yet; read it first.';
  return `This project brings ${length} things that run or widen what is allowed. You have not agreed to them yet; read them first.`;
}

/** Words instead of a number are no answer to this question. */
function chosen(answer: Answer): number | undefined {
  if (answer.kind !== 'selected' || answer.text !== undefined || answer.indexes.length !== 1)
    return undefined;
  return answer.indexes[0];
}

function decisionOf(index: number | undefined, items: readonly TrustItem[]): TrustDecision {
  return { trust: index === 1 ? items : [], never: index === 2 ? items : [] };
}
