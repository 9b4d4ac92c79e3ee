import type { Answer, UserInterface } from '@robota-sdk/agent-core';
import { describeScript } from './describe-script.ts';
import { oneLine } from './one-line.ts';
import type { AskTrust } from './trust-gate.ts';
import { kindText, type TrustItem } from './trust-item.ts';
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
      detail: (await Promise.all(items.map(describeItem))).join('\n'),
      options: choices,
    });
    if (answer.kind === 'unavailable') return undefined;
    if (chosen(answer) === 3) return askEach(ui, items);
    return decisionOf(chosen(answer), items);
  };
}

/** One item with all of its content and what of the files that would run with it, for people. */
async function describeItem(item: TrustItem): Promise<string> {
  const { kind, name, content, source, scripts = [] } = item;
  const lines = content === name ? [] : content.split('\n').map((line) => `    ${line}`);
  const files = await Promise.all(scripts.slice(0, shownScripts).map(describeScript));
  const rest = scripts.length - files.length;
  return [
    `${kindText({ kind, name })} ${oneLine(name)}  (${source})`,
    ...lines,
    ...files.flat(),
    ...(rest > 0 ? [`    and ${rest} more ${rest === 1 ? 'file' : 'files'}`] : []),
    ...(item.isPartlyFollowed
      ? ['    Not all files it runs can be told beforehand: changes in the others will not be noticed.']
      : []),
  ].join('\n');
}

/** A folder of a skill may hold hundreds of files. */
const shownScripts = 10;

async function askEach(ui: UserInterface, items: readonly TrustItem[]): Promise<TrustDecision> {
  const decisions: TrustDecision[] = [];
  for (const item of items) decisions.push((await askTrust(ui)([item])) ?? { trust: [], never: [] });
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
